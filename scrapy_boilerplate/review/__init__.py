"""Views of pages with their blocks marked, to see why a block was kept or dropped; and the report of a crawl."""
