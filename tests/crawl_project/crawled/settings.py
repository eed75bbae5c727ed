BOT_NAME = "crawled"
SPIDER_MODULES = ["crawled.spiders"]
ADDONS = {"scrapy_boilerplate.Addon": 100}
BOILERPLATE_MODEL = "numwords"
ITEM_PIPELINES = {"crawled.pipelines.DropsSome": 300, "crawled.pipelines.FailsForSome": 400}
TELNETCONSOLE_ENABLED = False
ROBOTSTXT_OBEY = True
RETRY_TIMES = 2
