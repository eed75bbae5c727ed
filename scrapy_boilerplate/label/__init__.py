"""Labelling pages in the browser: label files, their folder, and the server of the labelling page."""
