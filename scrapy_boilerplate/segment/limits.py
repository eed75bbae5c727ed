"""How much of a page is looked at: far more than pages have, so that no page can fill the memory or stop a crawl."""

# What is found of a page is kept in rows of numbers for its blocks and its elements, some kilobytes for each block.
MOST_BLOCKS = 20_000
MOST_ELEMENTS = 200_000
