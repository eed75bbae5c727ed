"""The file of a memory: the arrays of all hosts, one after the other, with a version and a digest."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from .host import Host

VERSION = 1
_MOST_BYTES = 1_000_000_000
_COLUMNS = ("texts", "counts", "holders", "pages")
_TYPES = {"texts": np.uint64, "counts": np.uint16, "holders": np.uint16, "pages": np.uint64}


def write_hosts(path: str | PathLike[str], hosts: Mapping[str, Host]) -> None:
    """Write the hosts to a file beside this path, and then give it this name: readers find the old or the new one."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: _joined([getattr(host, name) for host in hosts.values()], name) for name in _COLUMNS}
    names = [[name, len(host.texts), len(host.pages), host.seen] for name, host in hosts.items()]
    described = {"version": VERSION, "hosts": names, "digest": _digest(names, arrays)}
    metadata = np.frombuffer(json.dumps(described).encode(), np.uint8)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            np.savez(file, metadata=metadata, **arrays)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            file.close()
            Path(file.name).unlink(missing_ok=True)
            raise


def read_hosts(path: str | PathLike[str]) -> Iterator[tuple[str, Host]]:
    """Read the hosts of a file. Raises ValueError if it is damaged, or of another version."""
    content = Path(path).read_bytes()
    try:
        hosts = dict(_hosts_in(content))
    except Exception as error:  # numpy, zipfile and json raise a dozen kinds for bytes that they can't read
        raise ValueError(f"can't read a site memory from {path}: {error}") from None
    yield from hosts.items()


def _hosts_in(content: bytes) -> Iterator[tuple[str, Host]]:
    arrays = _arrays_in(content)
    described: dict[str, Any] = json.loads(arrays.pop("metadata").tobytes())
    if described["version"] != VERSION:
        raise ValueError(f"it has version {described['version']}, and this program reads version {VERSION}")
    if described["digest"] != _digest(described["hosts"], arrays):
        raise ValueError("its digest does not match its contents")
    sizes = [sum(row[column] for row in described["hosts"]) for column in (1, 1, 1, 2)]
    if [len(arrays[column]) for column in _COLUMNS] != sizes or arrays["holders"].shape[1:] != (2,):
        raise ValueError("its arrays are shorter or longer than it says")
    text = page = 0
    for name, texts, pages, seen in described["hosts"]:
        cut = slice(text, text + texts)
        own = arrays["pages"][page : page + pages]
        yield name, Host(arrays["texts"][cut], arrays["counts"][cut], arrays["holders"][cut], own, seen)
        text, page = text + texts, page + pages


def _arrays_in(content: bytes) -> dict[str, Any]:
    if not content.startswith(b"PK"):
        raise ValueError("it is no site memory")
    with zipfile.ZipFile(BytesIO(content)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES} bytes")
    with np.load(BytesIO(content), allow_pickle=False) as file:
        return {"metadata": file["metadata"]} | {name: file[name].astype(_TYPES[name]) for name in _COLUMNS}


def _joined(arrays: list[Any], name: str) -> Any:
    if arrays:
        return np.concatenate(arrays)
    return np.zeros((0, 2) if name == "holders" else 0, _TYPES[name])


def _digest(names: list[Any], arrays: Mapping[str, Any]) -> str:
    digest = sha256(json.dumps(names).encode())
    for column in _COLUMNS:
        digest.update(np.ascontiguousarray(arrays[column], _TYPES[column]).data)
    return digest.hexdigest()
