"""Parsing: any kind of page to an lxml tree, with bytes decoded as browsers do."""

from __future__ import annotations

import re
from threading import local
from typing import Any

from lxml import etree

from .. import _core
from ..not_cleaned import NotCleaned
from .attributes import has_too_many_attributes
from .encodings import decoded, encoded
from .recovery import has_hardly_any_text, is_better, without_swallowers

_of_this_thread = local()  # making a parser takes a third of the time of a small page
_BODY_ENDS = re.compile(rb"</(?:body|html|BODY|HTML)\s*>")
_COMMENT = re.compile(rb"<!--[^->].*?(?:-->|\Z)", re.DOTALL)


def read_tree(page: Any) -> etree._Element:
    """Return the root element of a page. Raises NotCleaned if there is nothing to read.

    A page is a str, bytes, an lxml element or tree, anything with such a `root`, as parsel's Selector has, or anything
    with a `body` of bytes and perhaps an `encoding`, as a Scrapy response. A tree is never changed.
    """
    root = _root_of(page)
    if isinstance(root, etree._Element):
        if not isinstance(root.tag, str):  # a comment, a processing instruction, an entity
            raise NotCleaned("not_text", "it is no element")
        return root
    body = _body_of(page)
    if body is not None:
        return _parse(body)
    if isinstance(page, etree._ElementTree):
        raise NotCleaned("empty", "the tree has no root")
    raise TypeError(
        "a page is a str, bytes, a Scrapy response, a parsel Selector of HTML or an lxml element, "
        f"not {type(page).__name__}"
    )


def read_shared_tree(response: Any) -> etree._Element | None:
    """Return the root of a response's own selector, if it has the text that a parse of ours has; otherwise None.

    That needs an untouched tree, of the same characters, of a page that libxml2 reads to its end. Raises NotCleaned.
    """
    if getattr(response, "_cached_selector", response) is not None:  # somebody may have changed its tree
        return None
    text = decoded(response.body, response.encoding)
    is_as_it_came = text is response.body and response.encoding == "utf-8"  # the usual case, where nobody need compare
    if not is_as_it_came and encoded(response.text) != text:
        return None
    body = text.replace(b"\0", b"")
    if not body or body.isspace() or not _is_read_to_its_end(body) or has_too_many_attributes(body):
        return None
    root = response.selector.root
    return None if not isinstance(root, etree._Element) or has_hardly_any_text(root, body) else root


def read_source(page: Any, root: etree._Element) -> bytes:
    """Return the HTML of a page in UTF-8; if it is a tree, as lxml writes it."""
    body = None if _root_of(page) is not None else _body_of(page)
    if body is not None:
        return body
    tree = root.getroottree()
    return encoded(etree.tostring(tree if tree.getroot() is root else root, encoding="unicode", method="html"))


def _root_of(page: Any) -> Any:
    """The root of a tree, or of anything that has one; None for a text, and for the body of a response."""
    if isinstance(page, (str, bytes, bytearray, memoryview)):
        return None
    root = page.getroot() if isinstance(page, etree._ElementTree) else page
    return root if isinstance(root, etree._Element) else getattr(page, "root", None)


def _body_of(page: Any) -> bytes | None:
    """The bytes of a page in UTF-8; None if it has none."""
    if isinstance(page, str):
        return encoded(page)
    if isinstance(page, (bytes, bytearray, memoryview)):
        return decoded(bytes(page))
    if isinstance(getattr(page, "body", None), bytes):
        return decoded(page.body, getattr(page, "encoding", None))
    return None


def to_tree(page: Any) -> etree._Element | None:
    """Return the root element of a page, or None if there is nothing to read."""
    try:
        return read_tree(page)
    except NotCleaned:
        return None


def _without_early_end(body: bytes) -> bytes:
    """Remove closing tags of body and html that are followed by text: browsers read on, libxml2 drops the rest."""
    return _BODY_ENDS.sub(b"", body) if _after_end(body) else body


def _is_read_to_its_end(body: bytes) -> bool:
    """Whether closing tags of body and html don't matter: nothing follows them but comments."""
    end = _BODY_ENDS.search(body) if _after_end(body) else None
    rest = body[end.end() :] if end is not None else b""
    return b"--!>" not in rest and not _BODY_ENDS.sub(b"", _COMMENT.sub(b"", rest)).strip()


def _after_end(body: bytes) -> bytes:
    """What follows the first closing tag of the page."""
    if _core.is_ready():
        end = _core.shim.find_end(body)
    else:
        end = body.find(b"</html")
        end = body.find(b"</HTML") if end < 0 else end
    return body[end:].partition(b">")[2].strip() if end >= 0 else b""


def _parse(body: bytes) -> etree._Element:
    body = _without_early_end(body.replace(b"\0", b""))
    if not body or body.isspace():
        raise NotCleaned("empty")
    if has_too_many_attributes(body):
        raise NotCleaned("too_many_attributes")
    root = _read(body)
    if has_hardly_any_text(root, body) and (repaired := without_swallowers(body)) is not None:
        again = _read(repaired)
        root = again if is_better(again, root) else root
    if root is None:
        raise NotCleaned("not_text", "there is no element in it")
    return root


def _read(body: bytes) -> etree._Element | None:
    # huge_tree lifts libxml2's limit on the length of a text; newer versions still stop at a depth of 2048. Nobody
    # needs comments or the table of ids.
    parser: etree.HTMLParser | None = getattr(_of_this_thread, "parser", None)
    if parser is None:
        parser = _of_this_thread.parser = etree.HTMLParser(
            encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
        )
    return etree.fromstring(body, parser)
