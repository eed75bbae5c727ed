"""Weights files: what goes in comes out, and a damaged or foreign file is refused with the reason."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from io import BytesIO

import numpy as np
import pytest

from scrapy_boilerplate.models import WEIGHTS, load_model
from scrapy_boilerplate.models.weights_file import FORMAT, load_weights, save_weights

ARRAYS = {"layer_0": np.arange(6, dtype=np.float32).reshape(2, 3), "layer_1": np.ones((1, 3), np.float16)}
METADATA = {"kind": "test", "feature_names": ("a", "b"), "threshold": 0.4, "card": {"credit": "Schäfer"}}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "weights.npz"
    save_weights(path, ARRAYS, METADATA)
    return path


def rewrite(path, change):
    """Change the metadata in a file and leave all else as it is."""
    with np.load(path) as contents:
        arrays = dict(contents)
    metadata = json.loads(arrays.pop("metadata").tobytes())
    changed = np.frombuffer(json.dumps({**metadata, **change}).encode(), np.uint8)
    np.savez(path, metadata=changed, **arrays)


def test_arrays_and_metadata_come_back(file):
    arrays, metadata = load_weights(file, "test")
    assert arrays.keys() == ARRAYS.keys()
    for name, array in arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        assert (array == ARRAYS[name]).all()
    assert metadata == {**METADATA, "format": FORMAT, "feature_names": ["a", "b"]}


def test_equal_contents_give_equal_files(file, tmp_path):
    other = tmp_path / "other"
    digest = save_weights(other, ARRAYS, METADATA)
    assert other.read_bytes() == file.read_bytes()
    assert len(digest) == 64
    assert digest != save_weights(other, {**ARRAYS, "layer_1": ARRAYS["layer_1"] * 2}, METADATA)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 99}, "format 99, this version reads format 1"),
        ({"threshold": 0.5}, "digest"),
        ({"digest": "0"}, "digest"),
    ],
)
def test_changed_metadata_is_refused(file, change, reason):
    rewrite(file, change)
    with pytest.raises(ValueError, match=rf"weights\.npz: .*{reason}"):
        load_weights(file)


def test_changed_weights_are_refused(file):
    with np.load(file) as contents:
        arrays = dict(contents)
    arrays["layer_0"][0, 0] += 1
    np.savez(file, **arrays)
    with pytest.raises(ValueError, match="digest"):
        load_weights(file)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.6, 0.99])
def test_a_truncated_file_is_refused(file, share):
    contents = file.read_bytes()
    file.write_bytes(contents[: int(len(contents) * share)])
    with pytest.raises(ValueError, match=r"can't read weights from .*weights\.npz"):
        load_weights(file)


def test_a_damaged_byte_is_refused(file):
    contents = bytearray(file.read_bytes())
    contents[len(contents) // 2] ^= 0xFF
    file.write_bytes(contents)
    with pytest.raises(ValueError, match="can't read weights"):
        load_weights(file)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "other.npz"
    path.write_text("hello")
    with pytest.raises(ValueError, match="can't read weights"):
        load_weights(path)
    np.savez(path, a=np.zeros(3))
    with pytest.raises(ValueError, match="no metadata"):
        load_weights(path)
    np.save(path.with_suffix(".npy"), np.zeros(3))
    with pytest.raises(ValueError, match=r"not an \.npz"):
        load_weights(path.with_suffix(".npy"))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.npy", b"nonsense")
    with pytest.raises(ValueError, match="can't read weights"):
        load_weights(path)


def test_pickled_objects_are_never_loaded(tmp_path):
    path = tmp_path / "pickled.npz"
    np.savez(path, metadata=np.array([{"format": 1}], dtype=object))
    with pytest.raises(ValueError, match="can't read weights"):
        load_weights(path)


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_weights(tmp_path / "none.npz")


def test_another_kind_of_model_is_refused(file):
    with pytest.raises(ValueError, match="kind 'test', not 'texrex'"):
        load_weights(file, "texrex")


def test_metadata_must_be_complete(tmp_path):
    with pytest.raises(ValueError, match="lacks threshold, card"):
        save_weights(tmp_path / "x", ARRAYS, {"kind": "test", "feature_names": ()})
    with pytest.raises(ValueError, match="can't be named"):
        save_weights(tmp_path / "x", {"metadata": np.zeros(1)}, METADATA)


@pytest.mark.parametrize(
    ("model", "array", "change"),
    [
        ("mlp", "mean", lambda array: array * np.nan),
        ("mlp", "summary", lambda array: array.ravel()),
        ("mlp", "summary_bias", lambda array: array[:-1]),
        ("texrex", "layer_0", lambda array: array * np.nan),
        ("victor", "transitions", lambda array: array * np.nan),
        ("boilernet", "words", lambda array: array * np.nan),
    ],
)
def test_weights_that_give_no_scores_are_refused_when_they_are_loaded(model, array, change, tmp_path):
    arrays, metadata = load_weights(WEIGHTS / f"{model}.npz")
    arrays[array] = change(arrays[array])
    save_weights(tmp_path / "mine.npz", arrays, metadata)

    with pytest.raises(ValueError, match=r"can't use weights from .*mine\.npz"):
        load_model(str(tmp_path / "mine.npz"))


def test_weights_whose_threshold_is_none_are_refused(tmp_path):
    arrays, metadata = load_weights(WEIGHTS / "mlp.npz")
    save_weights(tmp_path / "mine.npz", arrays, metadata | {"threshold": None})

    with pytest.raises(ValueError, match=r"mine\.npz"):
        load_model(str(tmp_path / "mine.npz"))


def peak_of_refusal(path, reason):
    tracemalloc.start()
    with pytest.raises(ValueError, match=reason):
        load_weights(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_arrays_that_would_fill_the_memory_are_refused_unread(tmp_path):
    path = tmp_path / "large.npz"
    np.savez_compressed(path, zeros=np.zeros(200_000_000, np.uint8))

    assert peak_of_refusal(path, "more than 100000000 bytes") < 10_000_000


def test_an_array_that_claims_to_be_larger_than_its_bytes_is_refused_unread(tmp_path):
    path = tmp_path / "false.npz"
    header = BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f4", "fortran_order": False, "shape": (1_000_000, 1_000_000)}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", header.getvalue())

    assert peak_of_refusal(path, "shorter than it says") < 10_000_000


def test_an_array_that_is_longer_than_the_archive_says_is_refused_unread(tmp_path):
    path = tmp_path / "false.npz"
    np.savez_compressed(path, zeros=np.zeros(200_000_000, np.uint8))
    size = (200_000_128).to_bytes(4, "little")
    content = path.read_bytes()
    assert size in content
    path.write_bytes(content.replace(size, (1000).to_bytes(4, "little")))

    assert peak_of_refusal(path, "weights") < 10_000_000
