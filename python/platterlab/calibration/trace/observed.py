"""What a trace says of a drive, beside where the requests lie on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile, Requests, runs

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Places:
    """The tracks on which requests begin (or end), one entry a request.

    Attributes:
        zone: number of the zone.
        cylinder, surface: of the track, over the whole drive.
        head: steps from the cylinder's first track, in the order of addresses.
        step: cylinder steps from the zone's first track.
        track: the track's number in the zone.
        sector: of the first sector there, counted from the track's logical sector zero.
        per_track: sectors around the track.
        turns: angle of that sector under the profile's own skews.
    """

    zone: Whole
    cylinder: Whole
    surface: Whole
    head: Whole
    step: Whole
    track: Whole
    sector: Whole
    per_track: Whole
    turns: Floats


@dataclass(frozen=True)
class Observed:
    """A trace of one drive, request by request, in the order in which the drive got them.

    Times are in milliseconds on the trace's clock.

    Attributes:
        requests: the same for the core.
        lba, sectors: the extent.
        write: whether it is a write.
        issue_ms, service_ms, gap_ms: when the drive got it, how long it took, and how long the
            drive had been idle.
        first, last: where the request's first run of sectors lies, and its last one.
        on_last: sectors in the last run.
        pieces: runs the request is cut into.
        surfaces, zones: of the drive.
    """

    requests: Requests
    lba: Whole
    sectors: Whole
    write: Flags
    issue_ms: Floats
    service_ms: Floats
    gap_ms: Floats
    first: Places
    last: Places
    on_last: Whole
    pieces: Whole
    surfaces: int
    zones: int

    def __len__(self) -> int:
        return len(self.lba)

    @property
    def end_ms(self) -> Floats:
        """When each request was complete."""
        return self.issue_ms + self.service_ms

    @property
    def after_write(self) -> Flags:
        """Whether the request before was a write."""
        return np.concatenate([[False], self.write[:-1]])

    @property
    def sequential(self) -> Flags:
        """Whether the request begins where the one before ended."""
        end = self.lba + self.sectors
        return np.concatenate([[False], self.lba[1:] == end[:-1]])

    @property
    def seek_cylinders(self) -> Whole:
        """Cylinders from the end of the request before, signed."""
        return np.concatenate([[0], self.first.cylinder[1:] - self.last.cylinder[:-1]])

    @property
    def same_surface(self) -> Flags:
        """Whether the request begins under the head that the one before ended under."""
        return np.concatenate([[True], self.first.surface[1:] == self.last.surface[:-1]])


def observe(profile: Profile, requests: Requests, surfaces: int) -> Observed:
    """A trace set beside a profile's layout.

    Raises:
        InputError: a request lies beyond the drive, which then is not the trace's.
    """
    columns = requests.columns()
    queued = np.nan_to_num(columns["queued_ms"])
    table = runs(profile, columns["lba"], columns["sectors"])
    pieces = np.bincount(table["request"], minlength=len(requests))
    end = np.cumsum(pieces)
    issue = columns["arrival_ms"] + queued
    done = issue + columns["service_ms"]
    return Observed(
        requests=requests,
        lba=columns["lba"].astype(np.int64),
        sectors=columns["sectors"].astype(np.int64),
        write=columns["operation"] == 1,
        issue_ms=issue,
        service_ms=columns["service_ms"],
        gap_ms=np.concatenate([[0.0], issue[1:] - done[:-1]]),
        first=_places(table, end - pieces, surfaces),
        last=_places(table, end - 1, surfaces),
        on_last=table["sectors"][end - 1],
        pieces=pieces,
        surfaces=surfaces,
        zones=int(table["zone"].max()) + 1,
    )


def places_of(profile: Profile, lba: Whole, surfaces: int) -> Places:
    """Where single sectors lie on a profile's layout."""
    table = runs(profile, lba.astype(np.uint64), np.ones(len(lba), dtype=np.uint64))
    return _places(table, np.arange(len(lba)), surfaces)


def _places(table: dict[str, NDArray[np.int64]], at: Whole, surfaces: int) -> Places:
    track, step = table["track"][at], table["cylinder_steps"][at]
    return Places(
        zone=table["zone"][at],
        cylinder=table["cylinder"][at],
        surface=table["surface"][at],
        head=track - step * surfaces,
        step=step,
        track=track,
        sector=table["sector"][at],
        per_track=table["sectors_per_track"][at],
        turns=np.asarray(table["angle_turns"][at], dtype=np.float64),
    )
