"""The tables of the papers whose models and filters are part of the package. See `python -m tests.papers --help`."""
