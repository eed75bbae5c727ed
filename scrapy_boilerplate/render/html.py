"""Kept blocks to small, clean HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..page import Page
from .outline import Node, outline
from .runs import BREAK, Element, Path, Run, shared


def to_html(
    page: Page,
    numbers: Sequence[int],
    *,
    headline: str | None = None,
    links: bool = True,
    images: bool = False,
    formulas: bool = True,
    base_url: str | None = None,
) -> str:
    r"""Return these blocks as HTML of known tags, with no attributes but href, src, alt and start.

    The options are those of Markdown; formulas stand between `\(` and `\)`, or `\[` and `\]`.
    """
    options = {"links": links, "images": images, "formulas": formulas}
    body = outline(page, numbers, headline=headline, base_url=base_url, **options)
    return "\n".join(map(_block, body.children))


def _block(node: Node) -> str:
    tag = node.tag
    if tag == "pre":
        return f"<pre><code>{_inline(node.runs)}</code></pre>"
    if not node.children:
        return f"<{tag}>{_inline(node.runs)}</{tag}>"
    if tag == "table":
        return _table(node)
    if tag in ("li", "dt", "dd", "figcaption"):
        return f"<{tag}>{_item(node.children)}</{tag}>"
    first = node.children[0].number if tag == "ol" else 1
    start = f' start="{first}"' if first != 1 else ""
    return f"<{tag}{start}>\n{_blocks(node.children)}\n</{tag}>"


def _blocks(nodes: Iterable[Node]) -> str:
    return "\n".join(map(_block, nodes))


def _item(children: Sequence[Node]) -> str:
    """Return what an item holds; its text needs no paragraph if it has no other."""
    first, *others = children
    if first.tag == "p" and all(child.tag in ("ul", "ol") for child in others):
        return "\n".join([_inline(first.runs), *map(_block, others)])
    return _blocks(children)


def _table(node: Node) -> str:
    is_head = node.children[0].is_head
    head, body = node.children[:is_head], node.children[is_head:]
    parts = [(name, rows) for name, rows in (("thead", head), ("tbody", body)) if rows]
    groups = [f"<{name}>\n{chr(10).join(map(_row, rows))}\n</{name}>" for name, rows in parts]
    return "\n".join(["<table>", *groups, "</table>"])


def _row(row: Node) -> str:
    return f"<tr>{''.join(f'<{cell.tag}>{_inline(cell.runs)}</{cell.tag}>' for cell in row.children)}</tr>"


def _inline(runs: Iterable[Run]) -> str:
    pieces: list[str] = []
    around: Path = ()
    for path, part in [*runs, ((), "")]:
        if path != around:
            depth = shared(path, around)
            pieces += (f"</{tag}>" for tag, _ in reversed(around[depth:]))
            pieces += map(_opening, path[depth:])
            around = path
        pieces.append(_escaped(part) if isinstance(part, str) else _element(part))
    return "".join(pieces)


def _opening(style: tuple[str, str]) -> str:
    tag, address = style
    return f'<a href="{_quoted(address)}">' if tag == "a" else f"<{tag}>"


def _element(element: Element) -> str:
    if element is BREAK:
        return "<br>"
    if element.tag == "img":
        return f'<img src="{_quoted(element.address)}" alt="{_quoted(element.text)}">'
    begin, end = (r"\[", r"\]") if element.address == "display" else (r"\(", r"\)")
    return f"{begin}{_escaped(element.text)}{end}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\u00a0", "&nbsp;")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', "&quot;")
