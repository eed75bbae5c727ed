"""A web server in a process of its own, so that its work is not counted as the crawl's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection


@contextmanager
def serving(pages: list[bytes]) -> Iterator[str]:
    """The address below which /0, /1, ... are the pages, over and over."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(pages, sender), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{receiver.recv()}"
    finally:
        process.terminate()
        process.join()


def serve(pages: list[bytes], sender: Connection) -> None:
    """Serve until the process is ended; the port goes to `sender`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open
        disable_nagle_algorithm = True  # or each body would wait until its header has been acknowledged

        def do_GET(self) -> None:
            body = pages[int(self.path[1:]) % len(pages)]
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        sender.send(server.server_port)
        server.serve_forever()
