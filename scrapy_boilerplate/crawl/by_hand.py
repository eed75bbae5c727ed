"""The selectors of a crawl that have not matched yet."""

from __future__ import annotations

from collections.abc import Iterator

from ..options import PREFIX, Options

_NAMES = ("keep", "drop")


class SelectorsInUse:
    """Which selectors of `keep` and `drop` found something, and which ones nothing."""

    def __init__(self, options: Options) -> None:
        self._unmatched: dict[str, str] = dict(_selectors_of(options))  # with the settings that they are from
        self._matched: set[str] = set()
        self._of_crawl = options
        self._pages = 0

    def note(self, options: Options, matched: frozenset[str]) -> None:
        """Note which selectors found something in a page that was cleaned with these options."""
        self._pages += 1
        self._matched |= matched
        if options is not self._of_crawl:
            self._unmatched.update(_selectors_of(options))
        for selector in matched:
            self._unmatched.pop(selector, None)

    def unmatched(self) -> list[tuple[str, str]]:
        """The selectors that matched nothing on any page, with their settings; none if there were no pages."""
        rest = [(selector, name) for selector, name in self._unmatched.items() if selector not in self._matched]
        return rest if self._pages else []


def _selectors_of(options: Options) -> Iterator[tuple[str, str]]:
    for name in _NAMES:
        for selectors in (getattr(options, name) or {}).values():
            for selector in selectors:
                yield selector, PREFIX + name.upper()
