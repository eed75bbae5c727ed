"""Files of other kinds, such as PDFs and images, that are served as pages."""

from __future__ import annotations

import re

_SAMPLE_BYTES = 1024  # looked at, from the start
_CONTROL_BYTES = bytes({*range(0x01, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})
_MOST_CONTROL_BYTES = 0.05  # a share above this in the first bytes: an image or an archive, not a page
_MOST_NULS = 0.1
_TAG = re.compile(rb"<[!/?A-Za-z]")
# Signatures of files; most others are recognized by their control characters.
_OTHER_FILE = re.compile(
    rb"""\s*%PDF-\d | %!PS-Adobe | \{\\rtf\d
      | \x89PNG\r\n | GIF8[79]a | \xff\xd8\xff | RIFF....(?:WEBP|WAVE|AVI[ ]) | II\*\0 | MM\0\* | \0\0\0.ftyp
      | PK(?:\x03\x04|\x05\x06) | \x1f\x8b\x08 | BZh[1-9]1AY&SY | \xfd7zXZ\0 | 7z\xbc\xaf | Rar!\x1a | \x28\xb5\x2f\xfd
      | \x7fELF | MZ[^<]{0,62}\0 | \xca\xfe\xba\xbe | \0asm | \xd0\xcf\x11\xe0 | SQLite[ ]format[ ]3
      | OggS\0 | ID3[\x02-\x04] | fLaC\0 | wOF[F2] | OTTO\0 | \0\x01\0\0\0""",
    re.VERBOSE | re.DOTALL,
)


def is_other_file(body: bytes) -> bool:
    """Whether this is a file of another kind and no page."""
    beginning = body[:_SAMPLE_BYTES]
    if _OTHER_FILE.match(beginning):
        return True
    sample = beginning.replace(b"\0", b"")
    # UTF-16 and UTF-32 without a byte order mark are half NULs or more, but a page has tags.
    if len(beginning) - len(sample) > _MOST_NULS * len(beginning) and not _TAG.search(sample):
        return True
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > _MOST_CONTROL_BYTES * len(sample)
