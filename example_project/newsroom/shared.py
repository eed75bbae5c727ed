"""One crawl on several machines: a queue in Redis from which no request is lost, whichever process dies when.

scrapy-redis alone forgets the requests that a process has taken when that process is killed. Here a request stays in
Redis, in a list of its process, until its page is done: parsed, its links queued, its items stored. The other processes
put back what the list of a dead one holds. So every page is crawled at least once, and twice only if a process died
with the page in its hands, or within a second after it was done.
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
    """First in, first out; a request that was popped is kept until it is `done`."""

    def __init__(self, server: Any, spider: Spider, key: str, serializer: Any = None) -> None:
        super().__init__(server, spider, key, serializer)
        self.name = server.get_connection_kwargs()["client_name"]
        self.names_key = f"{self.key}:processes"
        self.taken: dict[Request, bytes] = {}
        self._add_unseen = server.register_script(ADD_UNSEEN)

    def __len__(self) -> int:
        """How many requests are not done, whoever has them: as long as there are any, more may come."""
        return sum(map(self.server.llen, (self.key, *map(self._taken_key, self._names()))))

    def push(self, request: Request) -> None:
        self.server.lpush(self.key, self._encode_request(request))

    def push_unseen(self, request: Request, seen_key: str, fingerprint: str) -> bool:
        """Push a request unless its fingerprint is in the set, where it is from now on."""
        return bool(self._add_unseen([seen_key, self.key], [fingerprint, self._encode_request(request)]))

    def pop(self, timeout: int = 0) -> Request | None:
        data = self._take()
        if data is None and self._put_back_from_the_dead():
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

    def _put_back_from_the_dead(self) -> int:
        """Redis knows who is alive: the connection of a killed process is closed by its operating system."""
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
        # The engine asks for no request, which would do, while all its downloads are under way.
        self._every_second = create_looping_call(self._forget_what_is_done)
        self._every_second.start(1, now=False)

    def next_request(self) -> Request | None:
        self._forget_what_is_done()
        return self.queue.pop()

    def close(self, reason: str) -> None:
        self._every_second.stop()
        self._forget_what_is_done()
        super().close(reason)

    def _forget_what_is_done(self) -> None:
        """What the engine no longer has in progress has gone all the way through the pipelines."""
        in_progress = self.spider.crawler.engine._slot.inprogress
        for request in [request for request in self.queue.taken if request not in in_progress]:
            self.queue.done(request)


class SharedItems:
    """Puts each item as JSON into the list `SPIDER:items`, from where a consumer may take it with `LPOP`."""

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
