"""Types of page inputs, and how web-poet stores them in fixtures and caches."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any
from weakref import WeakKeyDictionary

from web_poet.serialization import register_serialization

from ..clean import clean
from ..document import Document
from ..metadata import Metadata
from ..models import load_model
from ..not_cleaned import NotCleaned
from ..options import PAGE_OPTIONS, Options

_Files = dict[str, bytes]


class MainText(str):
    """The text of the kept blocks."""

    __slots__ = ()


class Markdown(str):
    """The kept blocks as Markdown."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Source:
    """The page that a document was made of, and how."""

    body: bytes
    encoding: str | None
    url: str | None
    options: Options

    def document(self) -> Document:
        try:
            return clean(self, self.options)
        except NotCleaned:
            return Document(None, load_model(self.options.model), self.options, self.url)


# A document doesn't hold the bytes of its page. Those that a crawl has provided can be stored for as long as they live.
_sources: WeakKeyDictionary[Document, Source] = WeakKeyDictionary()


def remember_source(document: Document, source: Source) -> None:
    _sources[document] = source


def _write_document(document: Document) -> _Files:
    source = _sources.get(document)
    if source is None:
        raise ValueError("only a document that scrapy-poet has provided can be stored, because its page is needed")
    options = {name: getattr(source.options, name) for name in PAGE_OPTIONS}
    facts = {"url": source.url, "encoding": source.encoding, "options": options}
    return {"page.html": source.body, "info.json": _json(facts)}


def _read_document(cls: type[Document], files: _Files) -> Document:  # noqa: ARG001  web-poet calls it with the class
    facts = json.loads(files["info.json"])
    # An older fixture may lack an option, and have one that is gone.
    known = {name: value for name, value in facts["options"].items() if name in PAGE_OPTIONS}
    source = Source(files["page.html"], facts["encoding"], facts["url"], Options().for_page(known))
    document = source.document()
    remember_source(document, source)
    return document


def _write_main_text(text: MainText) -> _Files:
    return {"text.txt": text.encode("utf-8")}


def _read_main_text(cls: type[MainText], files: _Files) -> MainText:
    return cls(files["text.txt"].decode("utf-8"))


def _write_markdown(text: Markdown) -> _Files:
    return {"text.md": text.encode("utf-8")}


def _read_markdown(cls: type[Markdown], files: _Files) -> Markdown:
    return cls(files["text.md"].decode("utf-8"))


def _write_metadata(metadata: Metadata) -> _Files:
    return {"metadata.json": _json(asdict(metadata))}


def _read_metadata(cls: type[Metadata], files: _Files) -> Metadata:
    stored = json.loads(files["metadata.json"])
    known = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
    values: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
    return cls(**values)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).encode("utf-8")


# web-poet finds the functions by the type of their first argument.
register_serialization(_write_document, _read_document)
register_serialization(_write_main_text, _read_main_text)
register_serialization(_write_markdown, _read_markdown)
register_serialization(_write_metadata, _read_metadata)
