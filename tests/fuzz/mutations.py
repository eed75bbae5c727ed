"""Reproducible random mutations of inputs: for the tests, and for fuzzing without atheris."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

_BYTES = (0, 1, 0x0A, 0x20, 0x3C, 0x3E, 0x7F, 0x80, 0xFF)


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], count: int, seed: int = 0) -> Iterator[bytes]:
    """Yield `count` inputs: the seeds, and then mutations of them."""
    yield from seeds[:count]
    random = Random(seed)
    for _ in range(count - len(seeds)):
        data = bytearray(random.choice(seeds))
        for _ in range(random.choice((1, 1, 2, 4, 16))):
            _change(data, seeds, words, random)
        yield bytes(data)


def _change(data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], random: Random) -> None:
    start = random.randrange(len(data) + 1)
    end = min(start + random.choice((0, 1, 2, 8, 64, 512)), len(data))
    other = random.choice(seeds)
    place = random.randrange(len(other) + 1)
    data[start:end] = random.choice(
        (
            b"",
            random.choice(words),
            random.choice(words) * random.choice((2, 50, 500)),
            bytes([random.choice(_BYTES)]),
            random.randbytes(end - start),
            other[place : place + random.choice((4, 64, 512))],
            bytes(data[start:end]) * 3,
        )
    )
