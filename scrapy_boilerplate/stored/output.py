"""Rows to a file that a killed run can go on with: JSON lines, or a folder of Parquet files."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..training._imports import require
from .cleaning import Row

_SECONDS_BETWEEN_COMMITS = 2.0
_MOST_ROW_BYTES = 32_000_000  # in a Parquet file, as JSON


class Output(Protocol):
    """What is written grows at `path`; whatever lies behind a mark is cut off when a run goes on from it."""

    def write(self, rows: Sequence[Row]) -> None: ...

    def commit(self, *, final: bool = False) -> int | None:
        """Make safe what was written and return the mark for it; None: not yet."""

    def close(self) -> None: ...


class JsonLines:
    """A row a line; the mark is the length of the file."""

    def __init__(self, path: Path, mark: int) -> None:
        if mark and path.stat().st_size < mark:
            raise ValueError(f"{path} is shorter than it was; --restart begins anew")
        self._file = path.open("r+b" if mark else "wb")
        self._file.truncate(mark)
        self._file.seek(mark)
        self._committed = time.monotonic()

    def write(self, rows: Sequence[Row]) -> None:
        self._file.writelines(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)

    def commit(self, *, final: bool = False) -> int | None:
        if time.monotonic() - self._committed < _SECONDS_BETWEEN_COMMITS and not final:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._committed = time.monotonic()
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


class ParquetFolder:
    """Files of some thousand rows in a folder, as Spark, pandas and DuckDB read them; the mark is their number."""

    def __init__(self, path: Path, mark: int, with_blocks: bool) -> None:
        self._arrow, self._parquet = require("pyarrow", "warc"), require("pyarrow.parquet", "warc")
        self._schema = self._make_schema(with_blocks)
        self._path = path
        self._number = mark
        self._rows: list[Row] = []
        self._size = 0
        path.mkdir(exist_ok=True)
        if any(not (path / self._name(number)).exists() for number in range(mark)):
            raise ValueError(f"{path} has lost a file; --restart begins anew")
        for file in path.iterdir():
            if file.name >= self._name(mark):
                file.unlink()

    def write(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        self._size += sum(len(json.dumps(row, ensure_ascii=False)) for row in rows)

    def commit(self, *, final: bool = False) -> int | None:
        if self._size < _MOST_ROW_BYTES and not final:
            return None
        if self._rows or not self._number:  # a folder without any file would have no columns
            with (self._path / self._name(self._number)).open("wb") as file:
                self._parquet.write_table(self._arrow.Table.from_pylist(self._rows, self._schema), file)
                file.flush()
                os.fsync(file.fileno())
            self._number += 1
            self._rows, self._size = [], 0
        return self._number

    def close(self) -> None:
        pass

    @staticmethod
    def _name(number: int) -> str:
        return f"part-{number:06}.parquet"

    def _make_schema(self, with_blocks: bool) -> Any:
        arrow = self._arrow
        text, number = arrow.string(), arrow.float64()
        fields = {"url": text, "date": text, "title": text, "main_text": text, "score": number}
        if with_blocks:
            block = {"text": text, "score": number, "is_content": arrow.bool_()}
            fields["blocks"] = arrow.list_(arrow.struct({**block, "tag": text, "xpath": text, "kind": text}.items()))
        return arrow.schema({**fields, "error": text}.items())


# By the ending of the file's name: an output for a path that goes on from a mark, with blocks or without.
FORMATS: dict[str, Callable[[Path, int, bool], Output]] = {
    ".jsonl": lambda path, mark, _: JsonLines(path, mark),
    ".parquet": ParquetFolder,
}


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
