"""A made-up drive at work: one command after the other, as in Ruemmler and Wilkes.

Commands come one at a time. What the drive does between them (reading on, putting written data
down) continues until a command needs the arm.
"""

from dataclasses import dataclass
from random import Random

from .bus import read_done, when_in
from .drive import Drive
from .mechanism import Mechanism, Passed
from .platter import Platter


@dataclass
class Segment:
    """Addresses from `start` up to `end` that the memory holds."""

    start: int
    end: int


@dataclass
class Ahead:
    """Reading on behind a request: up to `limit`, from `start` of its segment."""

    segment: Segment
    next: int
    limit: int
    time: float
    pieces: list[tuple[int, Passed]]
    """First address and piece, as far as was looked."""


@dataclass(frozen=True)
class Answer:
    """When a command was done, in ms, and what served it."""

    done: float
    how: str


class Machine:
    """The state of one drive."""

    def __init__(self, drive: Drive, platter: Platter, chance: Random | None = None) -> None:
        self.drive = drive
        self.platter = platter
        self.arm = Mechanism(drive, platter, chance)
        self.segments: list[Segment] = []
        """The one used last comes last."""
        self.ahead: Ahead | None = None
        self.busy = 0.0
        """When the arm is done with what was written."""
        self.after_write = False
        self.after_read = True
        self.last_end = -1

    def serve(self, time: float, *, read: bool, lba: int, count: int) -> Answer:
        """One command that arrives when the one before it is done."""
        answer = self._read(time, lba, count) if read else self._write(time, lba, count)
        self.after_write, self.last_end = not read, lba + count
        return answer

    def _read(self, time: float, lba: int, count: int) -> Answer:
        costs, bus = self.drive.costs, self.drive.bus
        end = lba + count
        self._advance(time)
        for segment in reversed(self.segments):
            if segment.start <= lba and end <= segment.end:
                done = time + costs.read_hit + count * bus.read_ms + costs.read_done
                self._use(segment)
                self._go_on(segment, lba, end, done)
                return Answer(done, "hit")
        ahead = self.ahead
        if ahead is not None and self.drive.buffer.hits_in_flight:
            under_way = ahead.segment.end < ahead.limit
            if under_way and ahead.segment.start <= lba <= ahead.segment.end:
                return self._join(ahead, time, lba, count)
        cost = costs.read_after_write if self.after_write else costs.read
        begin = self._stop(max(time + cost, self.busy))
        pieces = self.arm.transfer(lba, count, begin, write=False)
        done = read_done(bus, pieces, time + cost) + costs.read_done
        self._keep(lba, end, pieces[-1].end)
        return Answer(done, "media")

    def _join(self, ahead: Ahead, time: float, lba: int, count: int) -> Answer:
        """A read of what is being read ahead: it waits for the rest."""
        costs, bus = self.drive.costs, self.drive.bus
        end = lba + count
        self._extend(ahead, lba, end)
        last = self._when(ahead, end - 1)
        begin = time + costs.read_hit
        done = max(begin + count * bus.read_ms, last + bus.read_ms) + costs.read_done
        self._use(ahead.segment)
        return Answer(done, "joined")

    def _write(self, time: float, lba: int, count: int) -> Answer:
        drive = self.drive
        costs, bus, buffer = drive.costs, drive.bus, drive.buffer
        end = lba + count
        early = buffer.report == "buffer" or (
            buffer.report == "immediate" and (self.after_read or lba == self.last_end)
        )
        if early:
            cost = costs.write_hit
        else:
            cost = costs.write_after_write if self.after_write else costs.write
        self.after_read = False
        begin = time + cost
        sent = begin + count * bus.write_ms
        self.segments = [s for s in self.segments if end <= s.start or s.end <= lba]
        there = max(begin, self.busy)
        there = self._stop(there)
        fence = min(count, max(1, buffer.write_fence))
        pieces = self.arm.transfer(
            lba, count, there, write=True, data=max(begin + fence * bus.write_ms, there)
        )
        self.busy = max(pieces[-1].end, sent)
        if buffer.hits_on_written and buffer.segments:
            self._add(Segment(lba, end))
        if early:
            return Answer(sent + costs.write_done, "reported")
        return Answer(self.busy + costs.write_done, "media")

    def _add(self, segment: Segment) -> None:
        self.segments.append(segment)
        del self.segments[: -self.drive.buffer.segments]

    def _use(self, segment: Segment) -> None:
        if segment in self.segments:
            self.segments.remove(segment)
            reading_on = self.ahead is not None and self.ahead.segment is segment
            if self.drive.buffer.keep_after_hit or reading_on:
                self.segments.append(segment)

    def _keep(self, lba: int, end: int, time: float) -> None:
        """Remembers what was read, and reads on."""
        self.after_read = True
        buffer = self.drive.buffer
        if not buffer.segments:
            return
        segment = Segment(lba, end)
        self._add(segment)
        if buffer.read_ahead == "none":
            return
        self.ahead = Ahead(segment, end, self._limit(lba, end), time, [])

    def _limit(self, lba: int, end: int) -> int:
        """How far is read on behind a request."""
        buffer = self.drive.buffer
        most = (end if buffer.over_requested else lba) + buffer.segment
        far = most
        if buffer.read_ahead == "track":
            far = self.platter.track_end(end - 1)
        elif buffer.read_ahead == "cylinder":
            far = self.platter.cylinder_end(end - 1)
        return max(end, min(far, most, self.platter.capacity))

    def _go_on(self, segment: Segment, lba: int, end: int, time: float) -> None:
        """What a hit does to read-ahead of the same segment."""
        ahead = self.ahead
        self.after_read = True
        if ahead is None or ahead.segment is not segment:
            return
        if self.drive.buffer.on_hit == "extend":
            self._extend(ahead, lba, end)
        self._advance(time)

    def _extend(self, ahead: Ahead, lba: int, end: int) -> None:
        """Moves the limit for a request that read-ahead serves."""
        extends = self.drive.buffer.on_hit == "extend"
        ahead.limit = max(ahead.limit, end, self._limit(lba, end) if extends else 0)

    def _when(self, ahead: Ahead, lba: int) -> float:
        """When this address will have been read ahead."""
        while not ahead.pieces or ahead.pieces[-1][0] + ahead.pieces[-1][1].count <= lba:
            self._look(ahead)
        for first, piece in ahead.pieces:
            if first <= lba < first + piece.count:
                return when_in([piece], lba - first)
        return ahead.time

    def _look(self, ahead: Ahead) -> None:
        """Follows read-ahead by one more piece."""
        run = self.platter.runs(ahead.next, min(256, ahead.limit - ahead.next))[0]
        piece = self.arm.take(run, ahead.time, write=False)
        ahead.pieces.append((ahead.next, piece))
        ahead.next += run.count
        ahead.time = piece.end

    def _advance(self, time: float) -> None:
        """Credits read-ahead with what has passed by now."""
        ahead = self.ahead
        if ahead is None:
            return
        while ahead.next < ahead.limit and ahead.time < time:
            self._look(ahead)
        for first, piece in ahead.pieces:
            got = min(piece.count, int((time - piece.start) / piece.sector + 1e-9))
            if got > 0:
                ahead.segment.end = max(ahead.segment.end, first + got)
        size = self.drive.buffer.segment
        ahead.segment.start = max(ahead.segment.start, ahead.segment.end - size)
        ahead.pieces = [each for each in ahead.pieces if each[1].end > time]

    def _stop(self, time: float) -> float:
        """Breaks read-ahead off, and says when the arm is free.

        It is where it has come by then; a switch to the next track that has begun is ended.
        """
        ahead = self.ahead
        if ahead is None:
            return time
        self._advance(time)
        for _, piece in ahead.pieces[:1]:
            self.arm.cylinder, self.arm.surface = piece.cylinder, piece.surface
            time = max(time, piece.there)
        self.ahead = None
        return time
