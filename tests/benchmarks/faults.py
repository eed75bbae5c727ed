"""A server with the faults of real servers; each URL always has the same one."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable
from zlib import crc32

from .server import PageHandler

STALL = 60.0  # seconds; longer than the crawl's timeout
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20


class FaultyHandler(PageHandler):
    """Most pages are correct, some have one of the faults, and server errors come 50 in a row."""

    def do_GET(self) -> None:
        number = int(self.path[1:].partition("?")[0])
        self.path = f"/{number}"
        if number // 50 % 20 == 7:  # 50 in a row
            self.answer(self.page(), status=500)
            return
        fault = FAULTS.get(crc32(b"%d" % number) % 200)
        if fault is None:
            self.answer(self.page())
        else:
            fault(self)

    def cut_off(self) -> None:
        """Close the connection after this response, whatever the client still expects."""
        self.close_connection = True


def reset(handler: FaultyHandler) -> None:
    # With a linger time of 0, closing the connection resets it.
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.cut_off()


def truncate(handler: FaultyHandler) -> None:
    body = handler.page()
    handler.answer(body[: len(body) // 2], Content_Length=str(len(body)))
    handler.cut_off()


def understate_length(handler: FaultyHandler) -> None:
    body = handler.page()
    handler.answer(body, Content_Length=str(len(body) // 2), Connection="close")
    handler.cut_off()


def pause(handler: FaultyHandler) -> None:
    time.sleep(0.2)
    handler.answer(handler.page())


def stall(handler: FaultyHandler) -> None:
    body = handler.page()
    handler.answer(body[:100], Content_Length=str(len(body)))
    time.sleep(STALL)
    handler.cut_off()


def wrong_encoding(handler: FaultyHandler) -> None:
    handler.answer(handler.page(), Content_Type="text/html; charset=utf-16")


def unknown_encoding(handler: FaultyHandler) -> None:
    handler.answer(handler.page() + b"\xff\xfe\xfa", Content_Type="text/html; charset=x-none-of-these")


def false_compression(handler: FaultyHandler) -> None:
    handler.answer(handler.page(), Content_Encoding="gzip")


def picture_as_page(handler: FaultyHandler) -> None:
    handler.answer(PICTURE)


def page_as_picture(handler: FaultyHandler) -> None:
    handler.answer(handler.page(), Content_Type="image/png")


def page_as_json(handler: FaultyHandler) -> None:
    handler.answer(handler.page(), Content_Type="application/json")


def nothing(handler: FaultyHandler) -> None:
    handler.answer(b"")


def circle(handler: FaultyHandler) -> None:
    handler.answer(b"", status=302, Location=f"{handler.path}?{time.monotonic_ns()}")


# Two of 200 pages have each fault; only one stalls, because that holds a connection until the crawl's timeout.
MANY: tuple[Callable[[FaultyHandler], None], ...] = (
    reset,
    truncate,
    understate_length,
    pause,
    wrong_encoding,
    unknown_encoding,
    false_compression,
    picture_as_page,
    page_as_picture,
    page_as_json,
    nothing,
    circle,
)
FAULTS = dict(enumerate((stall, *MANY, *MANY)))
