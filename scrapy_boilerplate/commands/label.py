"""`scrapy boilerplate label`: label blocks of pages as content or boilerplate, in the browser."""

from __future__ import annotations

import signal
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse

from ..clean import extract
from ..label.server import LabelServer
from ..label.store import FolderPage, LabelFolder
from ..models import MODELS
from ..parse.files import pages_in, read_bytes
from ..review.sheets import sheets_beside
from .fetch import Fetched
from .mistakes import reason_of, usage
from .progress import progress
from .project import Project
from .urls import url_of

SYNTAX = "label <url-or-file-or-folder> ... [options]"

_PORT = 8765


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--output", metavar="FOLDER", default="labels", help="folder for pages and labels (default: labels)"
    )
    parser.add_argument(
        "--model", metavar="NAME", help=f"the model that suggests labels: one of {', '.join(MODELS)}, or a file"
    )
    parser.add_argument("--port", type=int, default=_PORT, metavar="N", help=f"port (default: {_PORT}, or another one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.add_argument("--spider", metavar="NAME", help="fetch with the settings of this spider")


def run(args: list[str], opts: Namespace) -> int:
    """Store the pages, and serve the labelling page until the user ends it. Return the exit code."""
    options = opts.project.options()
    if not args:
        raise usage(SYNTAX, "no page is named")
    if not 0 <= opts.port < 65536:
        raise UsageError(f"--port must be from 0 to 65535, not {opts.port}", print_help=False)
    try:
        folder = LabelFolder(opts.output, options.model)
    except OSError as error:
        raise UsageError(f"can't use --output {opts.output}: {error.strerror}", print_help=False) from None
    pages = _collect(args, folder, opts.project)
    if not pages:
        print("no page to label", file=sys.stderr)
        return 1
    with LabelServer(folder, pages, options, opts.port) as server:
        if opts.port not in (0, server.server_port):
            print(f"port {opts.port} is taken; using {server.server_port}", file=sys.stderr)
        print(f"{len(pages)} page{'s' if len(pages) > 1 else ''} to label; labels go into {folder.folder}")
        print(f"open {server.url}  (Ctrl-C ends it)", flush=True)
        if not opts.no_browser:
            webbrowser.open(server.url)
        _serve(server)
    done = [page for page in pages if folder.progress(page).done]
    print(f"\n{len(done)} of {len(pages)} pages are labelled, in {folder.folder}")
    return 0


def _serve(server: LabelServer) -> None:
    # An earlier crawl leaves its signal handlers, which would stop a reactor that has ended already.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(KeyboardInterrupt):
        server.serve_forever(poll_interval=0.2)


def _collect(args: Sequence[str], folder: LabelFolder, project: Project) -> list[FolderPage]:
    """Return the pages of all arguments, in order. Errors are printed, and their pages left out."""
    urls = [url for url in map(url_of, args) if url]
    fetched = dict(zip(urls, project.fetch(urls, with_sheets=True), strict=True))
    sources = [source for argument in args for source in _sources(argument)]
    pages: dict[Path, FolderPage] = {}
    with progress(len(sources), "pages") as advance:
        for number, source in enumerate(sources, start=1):
            try:
                page = _store(source, fetched.get(str(source)), folder)
            except (OSError, ValueError) as error:
                reason = reason_of(error) if isinstance(error, OSError) else str(error)
                print(reason if reason.startswith(f"{source}: ") else f"{source}: {reason}", file=sys.stderr)
                continue
            if page.lost:
                texts = ", ".join(f"{block.text[:40]!r}" for block in page.lost)
                print(f"{page.name}: labels of an earlier version that match no block: {texts}", file=sys.stderr)
            pages.setdefault(page.path, page)
            advance(number)
    return list(pages.values())


def _sources(argument: str) -> list[Path | str]:
    """Return the URL, the files, or else the argument itself, which is neither."""
    url = url_of(argument)
    return [url] if url else [*_files(Path(argument))] or [argument]


def _files(path: Path) -> list[Path]:
    """Return the file itself, or the pages of a folder."""
    try:
        return pages_in(path) if path.is_dir() else [path] if path.is_file() else []
    except OSError:  # the name is too long, or the folder not readable
        return []


def _store(source: Path | str, fetched: Fetched | None, folder: LabelFolder) -> FolderPage:
    if isinstance(fetched, tuple):
        response, sheets = fetched
        _check_text(response)
        url, encoding = response.url, response.encoding
        return folder.add(response.body, url, url=url, encoding=encoding, sheets=sheets)
    if isinstance(source, Path):
        body = read_bytes(source)
        _check_text(body)
        if source.resolve().parent == folder.folder and source.suffix.lower() != ".gz":
            return folder.open(source)
        return folder.add(body, source.name.removesuffix(".gz"), sheets=sheets_beside(body, source))
    raise ValueError(fetched or "neither a URL nor a file")


def _check_text(page: HtmlResponse | bytes) -> None:
    if not extract(page, model="numwords").blocks:
        raise ValueError("it has no text, or is not an HTML page")
