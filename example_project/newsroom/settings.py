BOT_NAME = "newsroom"
SPIDER_MODULES = ["newsroom.spiders"]
ROBOTSTXT_OBEY = True
LOG_LEVEL = "INFO"

# The one line that adds main_text and blocks to every item.
ADDONS = {"scrapy_boilerplate.Addon": 100}

# The model for single articles. With this threshold it keeps only text that it is rather sure of.
BOILERPLATE_MODEL = "news"
BOILERPLATE_THRESHOLD = 0.6
