"""A resumable run over stored crawls."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from .. import __version__
from ..site import SiteMemory
from .cleaning import TRUNCATED, PageCleaner, Row, clean_in_order
from .counting import PageCounter, whole_memory, with_memory
from .http_cache import cache_size, read_cache
from .output import FORMATS, Mark, remove
from .pages import Damage, Record, Skipped, StoredPage
from .warc import read_warc

_CHUNK_PAGES, _CHUNK_RECORDS, _CHUNK_BYTES = 16, 1000, 1_000_000


@dataclass(slots=True)
class _Chunk:
    """Consecutive records of a source, and the position after them."""

    source: int
    records: int  # of the source so far
    bytes_read: int = 0  # of the source so far
    pages: list[StoredPage] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    damages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _State:
    """The state of a run: the output up to `mark` has the rows of the input up to `records`."""

    source: int = 0
    records: int = 0  # of that source
    mark: Mark = field(default_factory=Mark)
    counts: Counter[str] = field(default_factory=Counter)


class StoredCrawls:
    """Cleans WARC files and folders of Scrapy's HTTP cache into one output.

    Until the last row is written, the output is OUT.part, and OUT.state records the progress. After a kill the same
    command continues from there: rows written since are truncated and cleaned again.
    """

    def __init__(
        self, sources: Sequence[Path], output: Path, cleaner: PageCleaner, *, site_memory: bool = False
    ) -> None:
        self._sources = sources
        self._output = output
        self._part = output.with_name(output.name + ".part")
        self._state = output.with_name(output.name + ".state")
        self._new_state = output.with_name(output.name + ".state.new")  # renamed when it is complete
        self._cleaner = cleaner
        self._site_memory = site_memory
        self.sizes = [cache_size(source) if source.is_dir() else source.stat().st_size for source in sources]
        # A run can only be continued if this is equal.
        self._identity = {
            "version": __version__,
            "sources": [[str(source.resolve()), size] for source, size in zip(sources, self.sizes, strict=True)],
            "options": asdict(cleaner.options),
            "fields": list(cleaner.fields),
            "site_memory": site_memory,
        }

    def restart(self) -> None:
        """Delete the files of earlier runs."""
        for path in (self._new_state, self._state, self._part, self._output):
            remove(path)

    @property
    def work(self) -> int:
        """The bytes to read, in all passes."""
        return sum(self.sizes) * (1 + self._site_memory)

    def run(self, jobs: int, advance: Callable[[int], None], warn: Callable[[str], None]) -> Counter[str]:
        """Write all rows; return the numbers of pages cleaned, failed, skipped and unreadable."""
        state = self._read_state()
        memory = self._counted(jobs, advance) if self._site_memory else None
        counted = self.work - sum(self.sizes)

        def pages_of(chunk: _Chunk) -> list[StoredPage]:
            return chunk.pages if memory is None else [with_memory(page, memory) for page in chunk.pages]

        output = FORMATS[self._output.suffix](self._part, state.mark, self._cleaner.columns, self._site_memory)
        counts = state.counts
        try:
            chunks = self._chunks(state.source, state.records)
            for chunk, rows in clean_in_order(chunks, pages_of, self._cleaner, jobs):
                counts["truncated"] += sum(row.pop(TRUNCATED, False) for row in rows)
                output.write(rows)
                _count(counts, chunk, rows)
                for damage in chunk.damages:
                    warn(damage)
                mark = output.commit()
                if mark is not None:
                    self._write_state(_State(chunk.source, chunk.records, mark, counts))
                advance(counted + sum(self.sizes[: chunk.source]) + chunk.bytes_read)
            output.commit(final=True)
        finally:
            output.close()
        self._part.replace(self._output)
        for path in (self._new_state, self._state):
            path.unlink(missing_ok=True)
        return counts

    def _counted(self, jobs: int, advance: Callable[[int], None]) -> SiteMemory:
        """The memory of all pages, which are learned in their order whatever the number of processes."""
        memory, counter = whole_memory(), PageCounter(self._cleaner.options)
        for chunk, pages in clean_in_order(self._chunks(0, 0), lambda chunk: chunk.pages, counter, jobs):
            for page in pages:
                memory.learn(page)
            advance(sum(self.sizes[: chunk.source]) + chunk.bytes_read)
        return memory

    def _chunks(self, first: int, records: int) -> Iterator[_Chunk]:
        for number, source in enumerate(self._sources[first:], first):
            chunk = _Chunk(number, records)
            size = 0
            for record, bytes_read in islice(self._read(source), records, None):
                chunk.records += 1
                chunk.bytes_read = bytes_read
                size += _put(record, chunk, source)
                full = len(chunk.pages) == _CHUNK_PAGES or size > _CHUNK_BYTES
                if full or chunk.records - records == _CHUNK_RECORDS:
                    yield chunk
                    records = chunk.records
                    chunk, size = _Chunk(number, records, bytes_read), 0
            chunk.bytes_read = self.sizes[number]
            yield chunk
            records = 0

    def _read(self, source: Path) -> Iterator[tuple[Record, int]]:
        read = read_cache if source.is_dir() else read_warc
        try:
            yield from read(source, self._cleaner.options.most_bytes)
        except OSError as error:  # the disk fails, or permission is missing
            yield Damage(str(error.strerror)), 0

    def _read_state(self) -> _State:
        """The last checkpoint, or the start. Raises ValueError if the run can't continue."""
        if self._output.exists():
            raise ValueError(f"{self._output} is there already; --restart writes it anew")
        if not self._state.exists() or not self._part.exists():
            return _State()
        try:
            run, state = self._recorded()
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            message = f"{self._state} can't be read or has changed since it was written; --restart begins anew"
            raise ValueError(message) from None
        if run != self._identity:
            raise ValueError(
                f"{self._part} was begun with other files, options or another version; --restart begins anew"
            )
        return state

    def _recorded(self) -> tuple[Any, _State]:
        """Parse the state file; raises various exceptions if it was changed."""
        if not self._state.is_file():
            raise ValueError
        record = json.loads(self._state.read_bytes())
        if record.pop("digest") != _digest_of(record):
            raise ValueError
        counts = Counter(record["counts"])
        return record["run"], _State(record["source"], record["records"], Mark(**record["mark"]), counts)

    def _write_state(self, state: _State) -> None:
        place = {"source": state.source, "records": state.records, "mark": asdict(state.mark), "counts": state.counts}
        record = {"run": self._identity, **place}
        with self._new_state.open("w", encoding="utf-8") as file:
            json.dump({**record, "digest": _digest_of(record)}, file)
            file.flush()
            os.fsync(file.fileno())
        self._new_state.replace(self._state)


def _digest_of(record: Mapping[str, Any]) -> str:
    return sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _put(record: Record, chunk: _Chunk, source: Path) -> int:
    """Add a record to the chunk; return its size in bytes."""
    if isinstance(record, StoredPage):
        chunk.pages.append(record)
        return len(record.body)
    if isinstance(record, Skipped):
        chunk.skipped[record.reason] += 1
    else:
        chunk.damages.append(f"{source}: {record.message}")
    return 0


def _count(counts: Counter[str], chunk: _Chunk, rows: Sequence[Row]) -> None:
    failed = Counter(row["error"].partition(":")[0] for row in rows if row["error"])
    counts["pages"] += len(rows) - failed.total()
    counts["unreadable"] += len(chunk.damages)
    counts.update({f"failed/{reason}": number for reason, number in failed.items()})
    counts.update({f"skipped/{reason}": number for reason, number in chunk.skipped.items()})
