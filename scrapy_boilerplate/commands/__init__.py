"""`scrapy boilerplate ...`, found by Scrapy through the entry point in pyproject.toml."""
