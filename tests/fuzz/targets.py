"""The targets of fuzzing: functions of bytes that must return, or raise only documented exceptions."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import os
import shutil
import sys
import zipfile
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from lxml import html
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_boilerplate import extract, models
from scrapy_boilerplate.commands.boilerplate import Command
from scrapy_boilerplate.commands.urls import url_of
from scrapy_boilerplate.fields import FIELDS
from scrapy_boilerplate.keep import FILTER_NAMES
from scrapy_boilerplate.label.files import read_labels
from scrapy_boilerplate.models import MODELS, WEIGHTS
from scrapy_boilerplate.models.weights_file import _read, digest_of, load_weights, save_weights
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored.cleaning import PageCleaner
from scrapy_boilerplate.stored.http_cache import read_cache
from scrapy_boilerplate.stored.pages import StoredPage
from scrapy_boilerplate.stored.run import StoredCrawls, _digest_of
from scrapy_boilerplate.stored.warc import read_warc
from scrapy_boilerplate.threads import in_own_thread
from scrapy_boilerplate.train.data import read_examples, site_of
from scrapy_boilerplate.train.evaluation import Contender, evaluate
from scrapy_boilerplate.train.rows import read_rows

from ..archives import record
from ..pages import PAGE

MAX_BYTES = 100_000  # of a page in an archive

_FOLDER = Path(mkdtemp(prefix="fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
_MODELS = tuple(MODELS)
_FILTERS = (None, *FILTER_NAMES)


def fuzz_extract(data: bytes) -> None:
    """`extract()` with any model and any options raises nothing, and its scores are from 0 to 1."""
    in_own_thread(_extract, data)  # otherwise names of all inputs pile up in memory, beyond the limit


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
    """A weights file that is not valid is a ValueError, also if its checksums are right."""
    kind, content = data[:1], data[1:]
    if kind == b"n":  # a FANN network
        path = _write("weights.net", content)
    elif kind == b"z":  # arrays and metadata in a valid zip
        metadata, _, array = content.partition(b"\0\0")
        path = _write("weights.npz", _zip({"metadata.npy": _npy(metadata), "layer_0.npy": array}))
    elif kind == b"d":  # with the right digest, too
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
    """Return the weights file with the right digest in its metadata, if one can be computed."""
    metadata, _, array = content.partition(b"\0\0")
    members = {"layer_0.npy": array} if array else {}
    packed = _zip({"metadata.npy": _npy(metadata), **members})
    try:
        arrays, described = _read(packed)
        described["digest"] = digest_of(arrays, {key: value for key, value in described.items() if key != "digest"})
        return _zip({"metadata.npy": _npy(json.dumps(described).encode()), **members})
    except Exception:
        return packed


def fuzz_models(data: bytes) -> None:
    """Well-formed weights with changed arrays and metadata give a ValueError, or a model that scores a page."""
    try:
        name, array, change, metadata = json.loads(data)
        arrays, described = load_weights(WEIGHTS / f"{name}.npz")
        described |= metadata
        if array in arrays:
            arrays[array] = _CHANGES[change](arrays[array])
        path = _FOLDER / "model.npz"
        save_weights(path, arrays, described)
    except Exception:  # the change could not be written
        return
    try:
        model = models._from_file.__wrapped__(str(path))
    except ValueError:
        return
    root = html.document_fromstring(PAGE)
    document = extract(root, model=model)
    assert all(0 <= block.score <= 1 for block in document.blocks)
    assert 0 <= document.score <= 1


_CHANGES: dict[str, Callable[[Any], Any]] = {
    "nan": lambda array: array * np.nan,
    "huge": lambda array: array * 1e30,
    "negative": lambda array: -array,
    "empty": lambda array: array[:0],
    "less": lambda array: array[:-1],
    "flat": lambda array: array.ravel(),
    "deeper": lambda array: array[None],
    "turned": lambda array: array.T,
    "whole": lambda array: array.astype(np.int64),
    "text": lambda array: array.astype("U8"),
    "one": lambda array: array.ravel()[0],
    "complex": lambda array: array.astype(complex),
}


def fuzz_labels(data: bytes) -> None:
    """A label file that is not valid is a ValueError."""
    with contextlib.suppress(ValueError):
        read_labels(_write("page.labels.json", data))


_CLEANER = PageCleaner(Options(model="numwords", max_bytes=MAX_BYTES), tuple(FIELDS))


def fuzz_warc(data: bytes) -> None:
    """An archive is read to its end, and each page gives a row that can be written."""
    kind, content = data[:1], data[1:]
    path = _write("archive.warc", gzip.compress(content, 1) if kind == b"g" else content)
    for count, (found, _) in enumerate(read_warc(path, MAX_BYTES)):
        assert count <= len(data)
        if isinstance(found, StoredPage):
            json.dumps(_CLEANER([found]), ensure_ascii=False).encode()


def fuzz_cache(data: bytes) -> None:
    """An entry of the HTTP cache is read, and its page gives a row that can be written."""
    meta, _, rest = data.partition(b"\0\0")
    headers, _, body = rest.partition(b"\0\0")
    for name, content in (("meta", meta), ("response_headers", headers), ("response_body", body)):
        _write(f"cache/{name}", content)
    [(found, _)] = read_cache(_FOLDER / "cache", MAX_BYTES)
    if isinstance(found, StoredPage):
        json.dumps(_CLEANER([found]), ensure_ascii=False).encode()


def fuzz_gold(data: bytes) -> None:
    """Gold texts and rows of features that are not valid are left out, or a ValueError."""
    kind, content = data[:1], data[1:]
    if kind == b"d":
        with contextlib.suppress(ValueError):
            read_rows([_write("rows.dat", content)])
        return
    _write("gold/html/a.html", PAGE.encode())
    _write("gold/ground-truth/a.json", content)
    with contextlib.suppress(ValueError):
        for example in read_examples(_FOLDER / "gold"):
            site_of(example)
            list(evaluate([Contender("numwords", "numwords")], [example]))


def fuzz_state(data: bytes) -> None:
    """With any state file, a run over archives ends with all rows, or with a ValueError."""
    archive = _FOLDER / "crawl.warc"
    if not archive.exists():
        archive.write_bytes(b"".join(record(f"http://a.example/{n}", b"words", **_TEXT) for n in range(3)))
    out = _FOLDER / "out.jsonl"
    kind, content = data[:1], data[1:]
    state = _write("out.jsonl.state", content)
    out.unlink(missing_ok=True)
    _write("out.jsonl.part", b'{"url": "http://a.example/0"}\n' * (kind == b"p"))
    if kind == b"d":  # with the right digest
        with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
            described = json.loads(content)
            described.pop("digest", None)
            state.write_text(json.dumps({**described, "digest": _digest_of(described)}))
    try:
        StoredCrawls([archive], out, _CLEANER).run(1, lambda _: None, lambda _: None)
    except ValueError:
        return
    assert out.read_bytes().count(b"\n") == 3


_TEXT = {"kind": "conversion", "content_type": "text/plain"}


def fuzz_settings(data: bytes) -> None:
    """A setting that is not valid, of the crawl or for one page, is a ValueError."""
    try:
        settings = json.loads(data)
    except (ValueError, RecursionError):
        settings = {"BOILERPLATE_MODEL": data.decode("utf-8", "surrogateescape")}
    if not isinstance(settings, dict):
        return
    with contextlib.suppress(ValueError):
        Options.from_settings(Settings(settings))
    with contextlib.suppress(ValueError):
        Options().for_page({name.removeprefix("BOILERPLATE_").lower(): value for name, value in settings.items()})


def fuzz_command(data: bytes) -> None:
    """With any arguments, `scrapy boilerplate` exits with 0, 1 or 2, and raises nothing."""
    words = [os.fsdecode(word) for word in data.split(b"\n") if b"\0" not in word]
    # No fetching, no browser, no debugger, no other processes, and nothing outside of the folder.
    if any(word in text for text in words for word in ("/", "..", "--pd", "--vi", "--jo", "label")):
        return
    if any(map(url_of, words)):
        return
    if "warc" in words:
        words += ["--jobs", "1"]
    before = Path.cwd()
    os.chdir(_command_folder())
    errors = io.StringIO()
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = _run_command(words)
    finally:
        os.chdir(before)
    assert code in (0, 1, 2), code
    assert code == 0 or errors.getvalue(), "there is no error message"


def _run_command(words: list[str]) -> int:
    command, parser = Command(), ArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    try:
        command.add_options(parser)
        opts, rest = parser.parse_known_args(words)
        command.process_options(rest, opts)
        command.crawler_process = AsyncCrawlerRunner(command.settings)
        command.run(rest, opts)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except SystemExit as ending:
        return int(ending.code or 0)
    return command.exitcode


def _command_folder() -> Path:
    """Return a new folder, because the command writes files."""
    folder = _FOLDER / "command"
    shutil.rmtree(folder, ignore_errors=True)
    _write("command/page.html", PAGE.encode())
    _write("command/page.html.gz", gzip.compress(PAGE.encode(), 1))
    _write("command/pages/a.html", PAGE.encode())
    _write("command/crawl.warc", record("http://a.example/", b"words", **_TEXT))
    return folder


def _write(name: str, content: bytes) -> Path:
    path = _FOLDER / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(content)
    return path


TARGETS: dict[str, Callable[[bytes], None]] = {
    "extract": fuzz_extract,
    "weights": fuzz_weights,
    "models": fuzz_models,
    "labels": fuzz_labels,
    "gold": fuzz_gold,
    "warc": fuzz_warc,
    "cache": fuzz_cache,
    "state": fuzz_state,
    "settings": fuzz_settings,
    "command": fuzz_command,
}
