"""Outputs that a killed run can continue: JSON lines, or a folder of Parquet files."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from ..extras import require
from .cleaning import Row
from .columns import arrow_schema

_SECONDS_BETWEEN_COMMITS = 2.0
_MOST_ROW_BYTES = 32_000_000  # in a Parquet file, as JSON
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Mark:
    """A checkpoint: how much of the output is safe on disk, and a digest to detect changes."""

    size: int = 0  # bytes of a file, or files of a folder
    digest: str = sha256().hexdigest()


class Output(Protocol):
    """An output at a path.

    Continuing from a mark truncates what comes after it. Raises ValueError if what comes before has changed.
    """

    def write(self, rows: Sequence[Row]) -> None: ...

    def commit(self, *, final: bool = False) -> Mark | None:
        """Flush to disk and return a mark, or None if it is too early for that."""

    def close(self) -> None: ...


class JsonLines:
    """JSON lines: one row a line."""

    def __init__(self, path: Path, mark: Mark) -> None:
        self._digest = sha256()
        if mark.size:
            self._read_again(path, mark)
        self._file = path.open("r+b" if mark.size else "wb")
        self._file.truncate(mark.size)
        self._file.seek(mark.size)
        self._committed = time.monotonic()

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
            self._digest.update(line)
            self._file.write(line)

    def commit(self, *, final: bool = False) -> Mark | None:
        if time.monotonic() - self._committed < _SECONDS_BETWEEN_COMMITS and not final:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._committed = time.monotonic()
        return Mark(self._file.tell(), self._digest.hexdigest())

    def close(self) -> None:
        self._file.close()

    def _read_again(self, path: Path, mark: Mark) -> None:
        left = mark.size
        with path.open("rb") as file:
            while left and (piece := file.read(min(left, _PIECE))):
                self._digest.update(piece)
                left -= len(piece)
        if left or self._digest.hexdigest() != mark.digest:
            raise ValueError(f"{path} has changed since it was written; --restart begins anew")


class ParquetFolder:
    """A folder of Parquet files, as Spark, pandas and DuckDB read them."""

    def __init__(self, path: Path, mark: Mark, columns: Sequence[str], site_memory: bool = False) -> None:
        self._arrow, self._parquet = require("pyarrow", "warc"), require("pyarrow.parquet", "warc")
        self._schema = arrow_schema(columns, site_memory)
        self._path = path
        self._number = mark.size
        self._rows: list[Row] = []
        self._size = 0
        self._digest = sha256()
        path.mkdir(exist_ok=True)
        self._read_again(mark)
        for file in path.iterdir():
            if file.name >= self._name(mark.size):
                file.unlink()

    def write(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        self._size += sum(len(json.dumps(row, ensure_ascii=False)) for row in rows)

    def commit(self, *, final: bool = False) -> Mark | None:
        if self._size < _MOST_ROW_BYTES and not final:
            return None
        if self._rows or not self._number:  # one file even without rows, for the columns
            with self._file(self._number).open("wb") as file:
                self._parquet.write_table(self._arrow.Table.from_pylist(self._rows, self._schema), file)
                file.flush()
                os.fsync(file.fileno())
            self._digest.update(self._file(self._number).read_bytes())
            self._number += 1
            self._rows, self._size = [], 0
        return Mark(self._number, self._digest.hexdigest())

    def close(self) -> None:
        pass

    def _read_again(self, mark: Mark) -> None:
        files = [self._file(number) for number in range(mark.size)]
        lost = next((file for file in files if not file.is_file()), None)
        if lost is not None:
            raise ValueError(f"{lost} is gone; --restart begins anew")
        for file in files:
            self._digest.update(file.read_bytes())
        if self._digest.hexdigest() != mark.digest:
            raise ValueError(f"{self._path} has changed since it was written; --restart begins anew")

    def _file(self, number: int) -> Path:
        return self._path / self._name(number)

    @staticmethod
    def _name(number: int) -> str:
        return f"part-{number:06}.parquet"


# By file extension: makes an output from a path, a mark to continue from, the names of columns, and whether there is a
# site memory.
FORMATS: dict[str, Callable[[Path, Mark, Sequence[str], bool], Output]] = {
    ".jsonl": lambda path, mark, *_: JsonLines(path, mark),
    ".parquet": ParquetFolder,
}


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
