import numpy as np
from numpy.typing import NDArray

def tally(
    texts: list[str], classes: NDArray[np.uint8], kinds: NDArray[np.uint8], scripts: NDArray[np.uint8]
) -> NDArray[np.int64]: ...
