"""Calls to a stepper, kept so that another process brings one into the same state."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

Handed = tuple[int, int, int, int, int, int]
"""The instant to which time had come, that of the arrival, volume, address, length, and whether it
writes."""

_ROW = struct.Struct("<QQQQII")
_PART_BYTES = _ROW.size << 14
"""That are kept as they are before they are packed: to some ten bytes for each request."""
_BITS = 64
_LOW = (1 << _BITS) - 1


class Journal:
    """The requests of a stepper in the order in which they were handed in."""

    def __init__(self) -> None:
        self._packed: list[tuple[int, bytes]] = []
        self._since_ps = 0
        self._open = bytearray()

    def note(self, now_ps: int, at_ps: int, volume: int, lba: int, sectors: int, way: int) -> None:
        """Adds a request: what `Handed` has."""
        passed, ahead = now_ps - self._since_ps, at_ps - now_ps
        if passed > _LOW or len(self._open) >= _PART_BYTES:
            # Instants have more bits than a number of a row.
            self._packed.append((self._since_ps, _pack(self._open)))
            self._open, self._since_ps, passed = bytearray(), now_ps, 0
        word = volume << 1 | way
        self._open += _ROW.pack(passed, ahead & _LOW, ahead >> _BITS, lba, sectors, word)

    def copy(self) -> Journal:
        """Another one with the same requests."""
        twin = Journal()
        twin._packed, twin._since_ps = list(self._packed), self._since_ps
        twin._open = bytearray(self._open)
        return twin

    def __iter__(self) -> Iterator[Handed]:
        for since_ps, packed in self._packed:
            yield from _rows(since_ps, _unpack(packed))
        yield from _rows(self._since_ps, bytes(self._open))


def _rows(since_ps: int, rows: bytes) -> Iterator[Handed]:
    for passed, ahead, above, lba, sectors, word in _ROW.iter_unpack(rows):
        now_ps = since_ps + passed
        yield now_ps, now_ps + (ahead | above << _BITS), word >> 1, lba, sectors, word & 1


def _pack(rows: bytearray) -> bytes:
    """The first bytes of all rows, then the second ones, ...: most are alike."""
    turned = np.frombuffer(rows, np.uint8).reshape(-1, _ROW.size).T
    return zlib.compress(turned.tobytes(), 1)


def _unpack(packed: bytes) -> bytes:
    turned = np.frombuffer(zlib.decompress(packed), np.uint8)
    return turned.reshape(_ROW.size, -1).T.tobytes()
