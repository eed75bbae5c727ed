"""The command `scrapy boilerplate`, which Scrapy finds by the entry point in pyproject.toml."""
