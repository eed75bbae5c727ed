"""The labelling page: its files, its folder and its server."""
