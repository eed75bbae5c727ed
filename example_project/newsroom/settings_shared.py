"""One crawl on several machines: `SCRAPY_PROJECT=shared scrapy crawl news -a url=https://...` on each of them."""

from uuid import uuid4

from newsroom.settings import *  # noqa: F403

REDIS_URL = "redis://127.0.0.1:6379"
REDIS_PARAMS = {"client_name": f"crawler-{uuid4().hex}"}  # the name tells the other processes whether this one is alive

SCHEDULER = "newsroom.shared.SharedScheduler"
SCHEDULER_QUEUE_CLASS = "newsroom.shared.SharedQueue"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
# The queue outlives each process. A new crawl begins with `-s SCHEDULER_FLUSH_ON_START=True` on the first one.
SCHEDULER_PERSIST = True

# Items go to Redis, before their page is done. A feed would lose the lines in its buffer if the process is killed.
ITEM_PIPELINES = {"newsroom.shared.SharedItems": 300}
