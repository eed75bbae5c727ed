"""A server for the Harbour Gazette, the example news site, on the loopback address."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

SITE = Path(__file__).parent / "site"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


def start_server() -> ThreadingHTTPServer:
    """Serve the site in the background, on a free port; call `shutdown()` to stop."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    return server
