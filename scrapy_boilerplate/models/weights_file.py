"""Weights files: numpy arrays and their metadata, with a digest that reveals damage."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
MOST_BYTES = 100_000_000  # of all arrays together; the largest model that comes with the package has 0.4 MB

Arrays = dict[str, NDArray[Any]]

_KEYS = ("format", "kind", "feature_names", "threshold", "card")
_METADATA = "metadata"  # the array that holds them, as JSON in UTF-8
_FANN = b"FANN_F"  # how FANN's files of all versions begin


def save_weights(path: str | PathLike[str], arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> str:
    """Write arrays and their metadata to an `.npz` file and return its digest; equal contents give equal bytes.

    `metadata` has the `kind` of the model, its `feature_names` in order, its `threshold` and its `card`, which says how
    it was made. All values must be valid JSON. The number of the format is added here.
    """
    described = {"format": FORMAT, **metadata}
    missing = [key for key in _KEYS if key not in described]
    if missing:
        raise ValueError(f"metadata lacks {', '.join(missing)}")
    if _METADATA in arrays:
        raise ValueError(f"an array can't be named {_METADATA!r}")
    described["digest"] = digest_of(arrays, described)
    text = json.dumps(described, ensure_ascii=False, allow_nan=False)
    contents: dict[str, Any] = {_METADATA: np.frombuffer(text.encode(), np.uint8), **arrays}
    with Path(path).open("wb") as file:  # numpy would add .npz to a name
        np.savez_compressed(file, **contents)
    return str(described["digest"])


def load_weights(path: str | PathLike[str], kind: str | None = None) -> tuple[Arrays, dict[str, Any]]:
    """Read what `save_weights` wrote; ValueError if it is anything else, damaged, or of another `kind`."""
    content = Path(path).read_bytes()
    try:
        arrays, metadata = _read(content)
        _check(arrays, metadata, kind)
    except Exception as error:  # numpy, zipfile and json raise a dozen kinds for bytes that they can't read
        raise ValueError(f"can't read weights from {path}: {error}") from None
    return arrays, metadata


def digest_of(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any] | None = None) -> str:
    """SHA-256 of the names, types, shapes and bytes of the arrays, and of the metadata."""
    digest = hashlib.sha256(json.dumps(metadata or {}, sort_keys=True, allow_nan=False).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def is_fann(path: str | PathLike[str]) -> bool:
    """Whether a file is a network in FANN's format, by its name or its first bytes."""
    path = Path(path)
    if path.suffix == ".net":
        return True
    with path.open("rb") as file:
        return file.read(len(_FANN)) == _FANN


def _read(content: bytes) -> tuple[Arrays, dict[str, Any]]:
    _check_sizes(content)
    # From memory, because numpy leaves a file open that it can't read.
    file = np.load(BytesIO(content), allow_pickle=False)
    if not isinstance(file, np.lib.npyio.NpzFile):
        raise ValueError("it is not an .npz file")
    with file:
        arrays = {name: np.asarray(file[name]) for name in file.files}
    if _METADATA not in arrays:
        raise ValueError("it has no metadata")
    metadata = json.loads(arrays.pop(_METADATA).tobytes())
    if not isinstance(metadata, dict):
        raise ValueError("its metadata is no JSON object")
    return arrays, metadata


def _check_sizes(content: bytes) -> None:
    """Raise ValueError for arrays that would fill the memory, before any is unpacked.

    No entry unpacks to more bytes than the archive says, and the shape of its array has to agree with that.
    """
    if not content.startswith(b"PK"):  # it may be a single array of numpy's, which is no weights file either
        raise ValueError("it is not an .npz file")
    with zipfile.ZipFile(BytesIO(content)) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > MOST_BYTES:
            raise ValueError(f"its arrays have more than {MOST_BYTES} bytes")
        for entry in entries:
            with archive.open(entry) as file:
                version = np.lib.format.read_magic(file)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, kind = read(file)
            if prod(shape) * kind.itemsize > entry.file_size:
                raise ValueError(f"{entry.filename} is shorter than it says")


def _check(arrays: Arrays, metadata: dict[str, Any], kind: str | None) -> None:
    if metadata.get("format") != FORMAT:
        raise ValueError(f"it has format {metadata.get('format')}, this version reads format {FORMAT}")
    missing = [key for key in _KEYS if key not in metadata]
    if missing:
        raise ValueError(f"its metadata lacks {', '.join(missing)}")
    if metadata.pop("digest", None) != digest_of(arrays, metadata):
        raise ValueError("its digest does not match its contents")
    if kind is not None and metadata["kind"] != kind:
        raise ValueError(f"it holds a model of kind {metadata['kind']!r}, not {kind!r}")
