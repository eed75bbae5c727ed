"""One crawl on several machines: a queue in Redis that loses no request if a process is killed.

With scrapy-redis alone, the requests that a process has taken are lost when it is killed. Here a request stays in
Redis, in a list of its process, until its page is done: parsed, its links queued, its items stored. The other processes
requeue the requests in the list of a dead one. So every page is crawled at least once, and twice only if its process
died while the page was in progress, or within a second after it was done.
"""

from __future__ import annotations

from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.serialize import ScrapyJSONEncoder
from scrapy_redis import connection
from scrapy_redis.queue import Base
from scrapy_redis.scheduler import Scheduler

# Both or neither: a URL that is known but not queued would never be crawled.
ADD_UNSEEN = """
if redis.call("SADD", KEYS[1], ARGV[1]) == 1 then
    return redis.call("LPUSH", KEYS[2], ARGV[2])
end
"""


class SharedQueue(Base):
    """A first-in, first-out queue that keeps a popped request until `done()` is called for it."""

    def __init__(self, server: Any, spider: Spider, key: str, serializer: Any = None) -> None:
        super().__init__(server, spider, key, serializer)
        self.name = server.get_connection_kwargs()["client_name"]
        self.names_key = f"{self.key}:processes"
        self.taken: dict[Request, bytes] = {}
        self._add_unseen = server.register_script(ADD_UNSEEN)

    def __len__(self) -> int:
        """Count the requests that are not done, in all processes: each may still add more."""
        return sum(map(self.server.llen, (self.key, *map(self._taken_key, self._names()))))

    def push(self, request: Request) -> None:
        self.server.lpush(self.key, self._encode_request(request))

    def push_unseen(self, request: Request, seen_key: str, fingerprint: str) -> bool:
        """Add the fingerprint to the set, and push the request if the fingerprint is new."""
        return bool(self._add_unseen([seen_key, self.key], [fingerprint, self._encode_request(request)]))

    def pop(self, timeout: int = 0) -> Request | None:
        data = self._take()
        if data is None and self._requeue_from_dead_processes():
            data = self._take()
        if data is None:
            return None
        request: Request = self._decode_request(data)
        self.taken[request] = data
        return request

    def done(self, request: Request) -> None:
        self.server.lrem(self._taken_key(self.name), 1, self.taken.pop(request))

    def clear(self) -> None:
        self.server.delete(self.key, self.names_key, *map(self._taken_key, self._names()))

    def _take(self) -> bytes | None:
        with self.server.pipeline() as pipeline:
            pipeline.sadd(self.names_key, self.name)
            pipeline.lmove(self.key, self._taken_key(self.name), "RIGHT", "LEFT")
            data: bytes | None = pipeline.execute()[-1]
        return data

    def _requeue_from_dead_processes(self) -> int:
        """Requeue the requests of dead processes, and return their number.

        A dead process has no connection to Redis: when it is killed, the operating system closes it.
        """
        alive = {client["name"] for client in self.server.client_list()}
        count = 0
        for name in self._names() - alive:
            while self.server.lmove(self._taken_key(name), self.key, "RIGHT", "RIGHT"):
                count += 1
        if count:
            self.spider.logger.warning("%d requests of processes that died are queued again", count)
        return count

    def _names(self) -> set[str]:
        return {name.decode() for name in self.server.smembers(self.names_key)}

    def _taken_key(self, name: str) -> str:
        return f"{self.key}:taken:{name}"


class SharedScheduler(Scheduler):
    """Tells the queue which requests are done, and adds to queue and duplicate filter in one step."""

    queue: SharedQueue

    def enqueue_request(self, request: Request) -> bool:
        if request.dont_filter:
            self.queue.push(request)
        elif not self.queue.push_unseen(request, self.df.key, self.df.request_fingerprint(request)):
            self.df.log(request, self.spider)
            return False
        return True

    def open(self, spider: Spider) -> None:
        super().open(spider)
        # next_request() isn't called while all download slots are in use, so it can't be the only place for this.
        self._every_second = create_looping_call(self._mark_done)
        self._every_second.start(1, now=False)

    def next_request(self) -> Request | None:
        self._mark_done()
        return self.queue.pop()

    def close(self, reason: str) -> None:
        self._every_second.stop()
        self._mark_done()
        super().close(reason)

    def _mark_done(self) -> None:
        """Mark requests as done that the engine no longer has in progress: their items have passed all pipelines."""
        in_progress = self.spider.crawler.engine._slot.inprogress
        for request in [request for request in self.queue.taken if request not in in_progress]:
            self.queue.done(request)


class SharedItems:
    """Appends each item as JSON to the Redis list `SPIDER:items`; consumers may take items with `LPOP`."""

    def __init__(self, crawler: Crawler) -> None:
        self.server = connection.from_settings(crawler.settings)
        self.key = f"{crawler.spider.name}:items"
        self.to_json = ScrapyJSONEncoder(ensure_ascii=False).encode

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SharedItems:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        self.server.rpush(self.key, self.to_json(item))
        return item
