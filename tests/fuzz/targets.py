"""What is fuzzed: functions of bytes that return whatever they are given, or raise what they promise to."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from scrapy_boilerplate import extract, models
from scrapy_boilerplate.filters import FILTER_NAMES
from scrapy_boilerplate.labels import read_labels
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.models.weights_file import _digest, _read, load_weights
from scrapy_boilerplate.settings import Options
from scrapy_boilerplate.stored.cleaning import PageCleaner
from scrapy_boilerplate.stored.http_cache import read_cache
from scrapy_boilerplate.stored.pages import StoredPage
from scrapy_boilerplate.stored.warc import read_warc
from scrapy_boilerplate.threads import in_own_thread

MAX_BYTES = 100_000  # of a page in an archive

_FOLDER = Path(mkdtemp(prefix="fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
_MODELS = tuple(MODELS)
_FILTERS = (None, *FILTER_NAMES)


def fuzz_extract(data: bytes) -> None:
    """`extract()` with any model and any options raises nothing, and its scores are scores."""
    in_own_thread(_extract, data)  # or the names in all inputs would add up to more memory than an input may take


def _extract(data: bytes) -> None:
    choice, page = data[:1], data[1:]
    number = choice[0] if choice else 0
    number, model = divmod(number, len(_MODELS))
    number, filter_number = divmod(number, len(_FILTERS))
    document = extract(
        page.decode("utf-8", "surrogateescape") if number & 1 else page,
        model=_MODELS[model],
        filter=_FILTERS[filter_number],
        image_alt=bool(number & 2),
    )
    assert isinstance(document.main_text, str)
    assert 0 <= document.score <= 1
    for block in document.blocks:
        assert 0 <= block.score <= 1
        assert 0 <= block.link_density <= 1
        assert math.isfinite(block.words)
    document.to_cleaneval()
    json.dumps([document.title, document.main_text]).encode()


def fuzz_weights(data: bytes) -> None:
    """A weights file that is any other than ours is a ValueError, also when its checksums are right."""
    kind, content = data[:1], data[1:]
    if kind == b"n":  # a FANN network
        path = _write("weights.net", content)
    elif kind == b"z":  # arrays and metadata, in a zip that is whole
        metadata, _, array = content.partition(b"\0\0")
        path = _write("weights.npz", _zip({"metadata.npy": _npy(metadata), "layer_0.npy": array}))
    elif kind == b"d":  # and whose digest is right
        path = _write("weights.npz", _with_digest(content))
    else:
        path = _write("weights.npz", content)
    with contextlib.suppress(ValueError):
        load_weights(path)
    with contextlib.suppress(ValueError):
        models._from_file.__wrapped__(str(path))


def _npy(text: bytes) -> bytes:
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(text)},), }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + text


def _zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return packed.getvalue()


def _with_digest(content: bytes) -> bytes:
    """The metadata with the digest that they and the array should have, where they can have one."""
    metadata, _, array = content.partition(b"\0\0")
    members = {"layer_0.npy": array} if array else {}
    packed = _zip({"metadata.npy": _npy(metadata), **members})
    try:
        arrays, described = _read(packed)
        described["digest"] = _digest(arrays, {key: value for key, value in described.items() if key != "digest"})
        return _zip({"metadata.npy": _npy(json.dumps(described).encode()), **members})
    except Exception:
        return packed


def fuzz_labels(data: bytes) -> None:
    """A label file that holds no labels is a ValueError."""
    with contextlib.suppress(ValueError):
        read_labels(_write("page.labels.json", data))


_CLEANER = PageCleaner(Options(model="numwords", max_bytes=MAX_BYTES), with_blocks=True)


def fuzz_warc(data: bytes) -> None:
    """An archive is read to its end, and each of its pages makes a row that can be written."""
    kind, content = data[:1], data[1:]
    path = _write("archive.warc", gzip.compress(content, 1) if kind == b"g" else content)
    for count, (found, _) in enumerate(read_warc(path, MAX_BYTES)):
        assert count <= len(data)
        if isinstance(found, StoredPage):
            json.dumps(_CLEANER([found]), ensure_ascii=False).encode()


def fuzz_cache(data: bytes) -> None:
    """So is an entry of the HTTP cache."""
    meta, _, rest = data.partition(b"\0\0")
    headers, _, body = rest.partition(b"\0\0")
    for name, content in (("meta", meta), ("response_headers", headers), ("response_body", body)):
        _write(f"cache/{name}", content)
    [(found, _)] = read_cache(_FOLDER / "cache", MAX_BYTES)
    if isinstance(found, StoredPage):
        json.dumps(_CLEANER([found]), ensure_ascii=False).encode()


def _write(name: str, content: bytes) -> Path:
    path = _FOLDER / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


TARGETS: dict[str, Callable[[bytes], None]] = {
    "extract": fuzz_extract,
    "weights": fuzz_weights,
    "labels": fuzz_labels,
    "warc": fuzz_warc,
    "cache": fuzz_cache,
}
