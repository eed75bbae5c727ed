"""The memory of all hosts, bounded, mergeable, saved to and read from a file."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from os import PathLike

from .file import read_hosts, write_hosts
from .host import Evidence, Host, Look, first_page, look_at
from .merging import merged
from .texts import PageTexts, host_of

MOST_HOSTS = 20_000
MOST_TEXTS = 2_500  # of a host: 35 kB, and its pages take 6
MOST_BYTES = 100_000_000


class SiteMemory:
    """The texts that the pages of each host hold, as far as they were learned.

    Given to `extract(page, url=..., site=memory)`, it drops the blocks of a page that other pages of its host hold,
    too, and then learns the page. With `learns=False` it stays as it is.

    It is bounded: the hosts that were not seen for the longest time go first, and of a host the rarest texts.
    """

    def __init__(
        self,
        *,
        learns: bool = True,
        most_hosts: int = MOST_HOSTS,
        most_texts: int = MOST_TEXTS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        for name, value in (("most_hosts", most_hosts), ("most_texts", most_texts), ("most_bytes", most_bytes)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a whole number, 1 or more, not {value!r}")
        self.learns = learns
        self._most_hosts, self._most_texts, self._most_bytes = most_hosts, most_texts, most_bytes
        self._hosts: OrderedDict[str, Host] = OrderedDict()  # the latest last
        self._bytes = 0
        self._look: tuple[Host, PageTexts, Look] | None = None  # the latest one: what is judged is often learned next

    @classmethod
    def load(cls, path: str | PathLike[str], *, learns: bool = True) -> SiteMemory:
        """Read what `save()` wrote. Raises ValueError for a file that is damaged, or of another version."""
        memory = cls(learns=learns)
        for name, host in read_hosts(path):
            memory._put(name, host)
        return memory

    def save(self, path: str | PathLike[str]) -> None:
        """Write the memory to a file, which is replaced when the new one is complete."""
        write_hosts(path, self._hosts)

    def learn(self, page: PageTexts | None) -> None:
        """Count the texts of a page, `Document.page_texts`. A page that is learned again counts once."""
        if page is None:
            return
        host = self._hosts.get(page.host)
        if host is None:
            self._put(page.host, first_page(page, self._most_texts))
            return
        look = self._look[2] if self._look is not None and self._look[0] is host and self._look[1] is page else None
        self._put(page.host, host.with_page(page, self._most_texts, look))

    def evidence(self, page: PageTexts) -> Evidence | None:
        """What the other pages of its host say about each block of a page; None if there are none."""
        host = self._hosts.get(page.host)
        if host is None:
            return None
        self._look = host, page, look_at(host, page)
        return host.evidence(page, self._look[2])

    def merge(self, other: SiteMemory) -> None:
        """Learn what another memory knows. Pages that both know count once."""
        for name, host in other._hosts.items():
            ours = self._hosts.get(name)
            self._put(name, host if ours is None else merged(ours, host, self._most_texts))

    def only(self, url: str) -> SiteMemory:
        """A memory of the host of this address alone, to be sent to another process."""
        memory = SiteMemory(learns=False, most_texts=self._most_texts)
        name = host_of(url)
        if name in self._hosts:
            memory._put(name, self._hosts[name])
        return memory

    def pages_of(self, host: str) -> int:
        """How many pages of a host were learned."""
        return self._hosts[host].seen if host in self._hosts else 0

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return self._bytes

    def __iter__(self) -> Iterator[str]:
        """The hosts, the latest last."""
        return iter(self._hosts)

    def __len__(self) -> int:
        return len(self._hosts)

    def __repr__(self) -> str:
        return f"<SiteMemory of {len(self)} hosts, {self.nbytes / 1000:.0f} kB>"

    def _put(self, name: str, host: Host) -> None:
        before = self._hosts.pop(name, None)
        self._hosts[name] = host
        self._bytes += host.nbytes - (before.nbytes if before is not None else 0)
        while len(self._hosts) > self._most_hosts or (self._bytes > self._most_bytes and len(self._hosts) > 1):
            self._bytes -= self._hosts.popitem(last=False)[1].nbytes
