"""The size of the buffers that streams need, and the number of streams that a drive carries.

Equation 8 of Gim et al. 2009 with each stream's own media rate, track and switch: the shortest
period in which every stream gets what it plays, where a stream's I/O meets
`(io - gcd(io, track)) / track` track boundaries on average. That is Equation 4 where I/O and track
have little in common, and a whole number of switches, as in Equation 5, where one is a multiple of
the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from platterlab._core import InputError, Profile
from platterlab.av import place, units
from platterlab.av.place import Spot
from platterlab.av.play import BLOCK_BYTES, Played, Serving, Stream, play

Column = NDArray[np.float64]
Sectors = NDArray[np.int64]

LONGEST_PERIOD_MS = 600_000.0
"""A plan with a longer period is none."""

MOST_STREAMS = 4096

FILE_BYTES = 1 << 30
"""Of a stream's file, where the drive has room for several."""


@dataclass(frozen=True)
class Plan:
    """Streams that fit, in the shortest period that Equation 8 gives.

    Attributes:
        spots: where their files lie.
        io_sectors: what each asks for in a period.
        period_ms: what the first stream's I/O plays.
        round_ms: what serving all of them once takes on average.
        overhead_ms: seeks, rotational latencies and the controller's part of it.
        switches: track switches per round on average.
    """

    spots: list[Spot]
    io_sectors: list[int]
    period_ms: float
    round_ms: float
    overhead_ms: float
    switches: float

    def buffer_bytes(self, sector_bytes: int) -> int:
        """Both buffers of all streams."""
        return 2 * sum(self.io_sectors) * sector_bytes


def switches(io_sectors: Sectors | int, track_sectors: Sectors | int) -> Column:
    """Track boundaries that I/Os of contiguous files meet on average."""
    shared = np.gcd(io_sectors, track_sectors)
    return np.asarray((io_sectors - shared) / track_sectors, dtype=np.float64)


@dataclass(frozen=True)
class Places:
    """Places of the streams' files, as columns; see `Spot`."""

    rate_mb_s: Column
    track_sectors: Sectors
    switch_ms: Column

    @classmethod
    def of(cls, spots: Sequence[Spot]) -> "Places":
        """Those of some spots."""
        return cls(
            np.array([spot.rate_mb_s for spot in spots]),
            np.array([spot.track_sectors for spot in spots], dtype=np.int64),
            np.array([spot.switch_ms for spot in spots]),
        )

    def round_ms(self, overhead_ms: float, io_sectors: Sectors, sector_bytes: int) -> float:
        """Equation 7: what serving every stream once takes on average."""
        media_ms = io_sectors * float(sector_bytes) / (self.rate_mb_s * 1e3)
        met = switches(io_sectors, self.track_sectors)
        return overhead_ms + float(sum((media_ms + met * self.switch_ms).tolist()))


def plan(
    profile: Profile,
    rates_bit_s: Sequence[int],
    at: Sequence[Fraction],
    unit_bytes: int = BLOCK_BYTES,
) -> Plan:
    """The shortest period for streams of these rates at these diameters.

    Raises:
        InputError: they do not fit; the text says by how much.
    """
    unit = max(1, unit_bytes // profile.sector_bytes)
    room = profile.capacity_sectors // (4 * len(at))
    file_sectors = min(FILE_BYTES // profile.sector_bytes, room)
    spots = place.spots(profile, at, file_sectors)
    check_rates(profile, spots, rates_bit_s)
    turn_ms = place.rotation_ms(profile)
    each_ms = turn_ms / 2 + place.overhead_ms(profile)
    overhead_ms = sum(place.seeks_ms(profile, spots)) + each_ms * len(spots)
    places, rates = Places.of(spots), np.array(rates_bit_s, dtype=np.float64)
    duration_ms = overhead_ms
    while duration_ms < LONGEST_PERIOD_MS:
        units_each = np.ceil(rates * duration_ms / (8e3 * profile.sector_bytes * unit))
        sizes = unit * units_each.astype(np.int64)
        needed_ms = places.round_ms(overhead_ms, sizes, profile.sector_bytes)
        lasts_ms = float(np.min(8e3 * sizes * float(profile.sector_bytes) / rates))
        if needed_ms <= lasts_ms:
            met = sum(switches(sizes, places.track_sectors).tolist())
            return Plan(spots, sizes.tolist(), lasts_ms, needed_ms, overhead_ms, met)
        duration_ms = needed_ms
    raise InputError(
        f"{len(spots)} streams need a period above {LONGEST_PERIOD_MS / 1e3:.0f} s: their rates "
        "add up to what the media deliver with track switches; ask for fewer or slower ones"
    )


def check_rates(profile: Profile, spots: Sequence[Spot], rates_bit_s: Sequence[int]) -> None:
    """Refuses streams whose data alone takes longer than it plays."""
    shares = []
    for number, (spot, rate) in enumerate(zip(spots, rates_bit_s, strict=True), start=1):
        rate_mb_s = rate / 8e6
        if rate_mb_s >= spot.rate_mb_s:
            raise InputError(
                f"stream {number}: {rate_mb_s:.2f} MB/s are {rate_mb_s - spot.rate_mb_s:.2f} MB/s "
                f"more than the {spot.rate_mb_s:.2f} MB/s that the media deliver there"
            )
        track_ms = spot.track_sectors * profile.sector_bytes / (spot.rate_mb_s * 1e3)
        per_track_ms = track_ms + spot.switch_ms
        shares.append(rate / 8e3 * per_track_ms / (spot.track_sectors * profile.sector_bytes))
    if sum(shares) >= 1.0:
        raise InputError(
            f"{len(spots)} streams do not fit: their transfers and track switches take "
            f"{100 * sum(shares):.1f} % of the time, {100 * (sum(shares) - 1):.1f} % too much; ask "
            "for fewer or slower ones"
        )


def most_streams(
    profile: Profile,
    rates_bit_s: Sequence[int],
    unit_bytes: int,
    buffer_bytes: int | None = None,
) -> int:
    """The largest number of streams, evenly spread, that Equation 8 lets fit.

    Their rates are those listed, in turn. `buffer_bytes` bounds the buffers of all streams
    together.
    """

    def fits(count: int) -> bool:
        rates = [rates_bit_s[number % len(rates_bit_s)] for number in range(count)]
        try:
            found = plan(profile, rates, units.spread(count), unit_bytes)
        except InputError:
            return False
        return buffer_bytes is None or found.buffer_bytes(profile.sector_bytes) <= buffer_bytes

    # Slow streams all fit, and each halving on the way there would be of nearly as many.
    if fits(MOST_STREAMS):
        return MOST_STREAMS
    most, too_many = 0, MOST_STREAMS
    while too_many - most > 1:
        middle = (most + too_many) // 2
        most, too_many = (middle, too_many) if fits(middle) else (most, middle)
    return most


def simulate(
    profile: Profile,
    rates_bit_s: Sequence[int],
    found: Plan,
    *,
    ios: int,
    seed: int,
    host_spread_ms: float,
) -> Played:
    """The plan on the simulated drive, `ios` periods long.

    All files play for as long: a drive that serves what is left of some would be idle.
    """
    asked = list(zip(found.spots, rates_bit_s, found.io_sectors, strict=True))
    lasts_ms = [8e3 * io * profile.sector_bytes / rate for _, rate, io in asked]
    periods = float(ios)
    for number, ((spot, _, io), each_ms) in enumerate(zip(asked, lasts_ms, strict=True), start=1):
        room = (profile.capacity_sectors - spot.lba) // io
        if room < 2:
            raise InputError(
                f"stream {number}: there is no room for two I/Os where its file starts"
            )
        periods = min(periods, room * each_ms / found.period_ms)
    streams = [
        Stream(spot.lba, rate, io, ios=max(2, int(periods * found.period_ms / each_ms)))
        for (spot, rate, io), each_ms in zip(asked, lasts_ms, strict=True)
    ]
    equal = len(set(rates_bit_s)) == 1
    serving = Serving(
        period_ms=None if equal else found.period_ms,
        buffers=2 if equal else 3,
        # Unequal I/Os fit no common period: a round ahead takes up what they differ by.
        start_after=1 if equal else 2,
        allocator="extent",
        host_spread_ms=host_spread_ms,
        seed=seed,
    )
    return play(profile, streams, serving)
