BOT_NAME = "newsroom"
SPIDER_MODULES = ["newsroom.spiders"]
ROBOTSTXT_OBEY = True
LOG_LEVEL = "INFO"

# The one line that adds main_text and blocks to every item.
ADDONS = {"scrapy_boilerplate.Addon": 100}

# Single articles: of the text that a simple model keeps, only the largest group under one parent.
BOILERPLATE_MODEL = "numwords"
BOILERPLATE_FILTER = "ancestor"
BOILERPLATE_ANCESTOR_DEPTH = 1
