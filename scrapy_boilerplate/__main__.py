"""`python -m scrapy_boilerplate`: the command, where no script is installed."""

from .commands.console import main

main()
