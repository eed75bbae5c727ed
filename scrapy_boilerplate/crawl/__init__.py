"""The Scrapy components: add-on, middlewares, pipeline and what they share."""
