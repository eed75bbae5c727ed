"""Limits of the blocks and elements that are read: far above real pages, so that no page fills the memory."""

# What is found of a page is kept in rows of numbers for its blocks and its elements, some kilobytes for each block.
MOST_BLOCKS = 20_000
MOST_ELEMENTS = 200_000
