"""What cleaning a page costs: `python -m tests.benchmarks`, see `--help`."""

import os

# One thread for each process, ours and those it starts. numpy reads these when it is imported, which is after this.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
