"""A web server in a process of its own, so that its processor time is not counted as the crawl's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection


class PageHandler(BaseHTTPRequestHandler):
    """Answers /0, /1, ... with the pages, and starts again after the last one."""

    pages: list[bytes]
    protocol_version = "HTTP/1.1"  # connections stay open
    disable_nagle_algorithm = True  # otherwise each body waits until its header is acknowledged

    def do_GET(self) -> None:
        self.answer(self.page())

    def page(self) -> bytes:
        return self.pages[self.number() % len(self.pages)]

    def number(self) -> int:
        return int(self.path[1:])

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        headers = {"Content_Type": "text/html", "Content_Length": str(len(body))} | headers
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def serving(pages: list[bytes], handler: type[PageHandler] = PageHandler) -> Iterator[str]:
    """Run a server with these pages, and yield its address."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(pages, handler, sender), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{receiver.recv()}"
    finally:
        process.terminate()
        process.join()


def serve(pages: list[bytes], handler: type[PageHandler], sender: Connection) -> None:
    """Send the port to `sender`, and serve until the process is terminated."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignore errors: clients may close their connections."""

    with Server(("127.0.0.1", 0), type("Handler", (handler,), {"pages": pages})) as server:
        sender.send(server.server_port)
        server.serve_forever()
