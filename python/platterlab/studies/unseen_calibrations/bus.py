"""The way of a read's data to the host: when its last sector has gone over the bus."""

from .drive import Bus
from .mechanism import Passed


def when_in(pieces: list[Passed], index: int) -> float:
    """When the sector of this number has passed, counted from 0, in ms."""
    for piece in pieces:
        if index < piece.count:
            return piece.start + (index + 1) * piece.sector
        index -= piece.count
    return pieces[-1].end


def read_done(bus: Bus, pieces: list[Passed], free: float) -> float:
    """When all of a read is with the host, if nothing goes over the bus before `free`, in ms."""
    count = sum(piece.count for piece in pieces)
    if bus.burst:
        return (
            _drained(bus, pieces, count, free) if bus.drains else _burst(bus, pieces, count, free)
        )
    fence = min(count, max(1, bus.fence, int(bus.fence_share * count)))
    begin = max(free, when_in(pieces, fence - 1) + bus.reconnect_ms)
    end = begin + count * bus.read_ms
    before = 0
    for piece in pieces:
        # The bus can run dry at the first and the last sector of a piece, and nowhere else.
        end = max(end, piece.start + piece.sector + (count - before) * bus.read_ms)
        before += piece.count
        end = max(end, piece.end + (count - before + 1) * bus.read_ms)
    return end


def _burst(bus: Bus, pieces: list[Passed], count: int, free: float) -> float:
    """Bursts of `bus.burst` sectors, each when all of it is there."""
    time, sent = free, 0
    connected = False
    while sent < count:
        size = min(bus.burst, count - sent)
        ready = when_in(pieces, sent + size - 1)
        if not (connected and ready <= time):
            time = max(time, ready + bus.reconnect_ms)
        time += size * bus.read_ms
        sent += size
        connected = True
    return time


def _drained(bus: Bus, pieces: list[Passed], count: int, free: float) -> float:
    """The buffer fills to a level, is emptied while more comes in, and the drive lets go."""
    time, sent = free, 0
    while sent < count:
        ready = when_in(pieces, min(sent + bus.burst, count) - 1)
        time = max(time, ready + bus.reconnect_ms)
        while sent < count and when_in(pieces, sent) <= time:
            time += bus.read_ms
            sent += 1
    return time
