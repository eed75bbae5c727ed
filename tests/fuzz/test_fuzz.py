"""A few hundred reproducible inputs for each target of the fuzzing, and inputs that once failed."""

from __future__ import annotations

import io
import zipfile

import pytest

from scrapy_boilerplate.models.weights_file import load_weights

pytest.importorskip("fastwarc", reason="the extra warc is not installed")

from .mutations import mutated
from .seeds import SEEDS, WORDS
from .targets import TARGETS, _npy

pytestmark = pytest.mark.slow

COUNT = 300
FEWER = {"models": 0, "command": 50}  # for the slow ones


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_made_by_chance_do_no_harm(name):
    seeds = SEEDS[name]()

    for data in mutated(seeds, WORDS[name], FEWER.get(name, COUNT) + len(seeds), seed=1):
        TARGETS[name](data)


def test_inputs_made_by_chance_are_the_same_each_time():
    first, second = (list(mutated(SEEDS["labels"](), WORDS["labels"], 50)) for _ in range(2))

    assert first == second
    assert len(set(first)) > 40


def test_an_array_whose_head_breaks_off_is_no_weights_file(tmp_path):
    path = tmp_path / "weights.npz"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("metadata.npy", _npy(b"{}"))
        file.writestr("layer_0.npy", b"\x93NUMPY\x01\x00\x10\x00{'descr': ('<f4'")
    path.write_bytes(packed.getvalue())

    with pytest.raises(ValueError, match="can't read weights from"):
        load_weights(path)
