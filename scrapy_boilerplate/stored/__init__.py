"""Crawls that are stored: WARC archives and Scrapy's HTTP cache, cleaned page by page into one file."""
