"""Stored crawls: cleans WARC archives and Scrapy's HTTP cache into one file, or on Spark."""
