"""Tracks that the drive skips and the profile does not know of.

Such a track moves all later addresses of its zone one track on, so that the platter is met at an
angle which jumps by a skew there. The number of slipped tracks so far never falls along a zone: the
likeliest sequence of numbers, given where each request met the platter, is found by dynamic
programming (Viterbi). Skews are tried in whole sectors around the profile's, as on a drive whose
skews are no whole sectors the tracks can be found without this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import SlipPaths, unit_numbers
from platterlab.calibration.buffer.read_completion import BeforeEnd
from platterlab.calibration.platter.regression import Angles, phases, wrapped
from platterlab.calibration.trace.observed import Floats, Whole
from platterlab.calibration.trace.reading import Reading

MOST_SLIPS = 45
"""Of a zone."""

NEAR_TURNS = 0.03
"""Standard deviation of a request's distance from the lattice."""

STRAY_SHARE = 0.15
"""Of requests that lie anywhere."""

SLIP_COST = 4.6
"""Of one more slip, in units of log-likelihood: one in a hundred."""

REACH_SECTORS = (-3, -2, -1, 0, 1, 2, 3)
"""How far skews may be from the profile's."""

FOUND_SECTORS = tuple((head, step) for head in range(-5, 6) for step in (-1, 0, 1))
"""How far those from head to head and from cylinder to cylinder may be from what all requests of a
zone agree on, slipped tracks among them, where the profile states none."""

LEAST_REQUESTS = 40
"""Of a zone, to look for slips there."""

LIKELY, LIKELIEST = 16, 3
"""So many skews are looked at coarsely, and so many of them closely."""

OFFSETS = 24
"""Of a zone's first track that are tried at first, evenly over a turn."""

CELLS = 1 << 12
"""Of a turn, in which a likelihood is the same."""


@dataclass(frozen=True)
class Track:
    """Where a zone's tracks begin, under one hypothesis.

    Attributes:
        head, step: turns of a head step and of a cylinder.
        offset: of the first track, in turns.
        score: mean log-likelihood of a request.
        counts: slips so far, by request in the order of their tracks.
    """

    head: float
    step: float
    offset: float
    score: float
    counts: Whole


@dataclass(frozen=True)
class _Met:
    """Requests and the track on which each met the platter, and at which angle in turns."""

    zone: Whole
    track: Whole
    per_track: Whole
    turns: Floats


@dataclass(frozen=True)
class _Zone:
    """A zone's requests in the order of their tracks, and where each met the platter."""

    number: int
    per_track: int
    tracks: Whole
    turns: Floats


@dataclass(frozen=True)
class Slips:
    """Tracks that the drive skips.

    Attributes:
        tracks: as `[cylinder, surface]`; none where the requests do not bear them out.
        away: by zone, by how many sectors its track and cylinder skews differ from the profile's.
    """

    tracks: list[list[int]]
    away: dict[int, tuple[int, int]]


def find_slips(
    reading: Reading,
    stated: dict[str, Any],
    found: Angles,
    angles: Angles | None = None,
    before: Slips | None = None,
) -> Slips:
    """Slipped tracks, as far as the requests bear them out.

    Args:
        reading: the trace on the layout without them.
        stated: the profile as its file states it.
        found: skews on the layout without them, for zones of which the profile states none.
        angles: as known so far: period, drift and how completions follow.
        before: what was found with less known; only its skews are tried then.
    """
    seen, surfaces = reading.seen, reading.seen.surfaces
    met = _met(reading) if angles is None else _met_after(reading, angles)
    zones = [_zone(met, number) for number in range(seen.zones)]
    usable = [zone for zone in zones if len(zone.tracks) >= LEAST_REQUESTS]
    if not usable:
        return Slips([], {})
    plans = {zone.number: _plan(zone, stated["zone"][zone.number], found) for zone in usable}
    best = {zone.number: _best(zone, plans[zone.number], surfaces, before) for zone in usable}
    # What most zones deviate by from the profile, the others probably do as well.
    common = _common([best[zone.number][0] for zone in usable])
    slipped = []
    for zone in usable:
        away, track = best[zone.number]
        plan = plans[zone.number]
        if away != common and plan.is_stated:
            skews = _angles(zone, plan, common, surfaces)
            offset, _ = _coarse(zone, *skews, surfaces)
            other = _likeliest(zone, *skews, surfaces, offset)
            track = other if other.score > track.score - 0.3 else track
        slipped += _places(zone, track, stated["zone"][zone.number], surfaces)
    return Slips(slipped, {number: away for number, (away, _) in best.items()})


@dataclass(frozen=True)
class _Plan:
    """Track and cylinder skew of a zone in sectors, around which others are tried.

    Attributes:
        track, cylinder: the skews.
        is_stated: whether the profile has them; otherwise all requests of the zone agree on them.
    """

    track: int
    cylinder: int
    is_stated: bool

    def tried(self, surfaces: int) -> list[tuple[int, int]]:
        """By how many sectors more than these skews others are."""
        if self.is_stated:
            return [(head, cylinder) for head in REACH_SECTORS for cylinder in REACH_SECTORS]
        return [(head, step - (surfaces - 1) * head) for head, step in FOUND_SECTORS]


def _plan(zone: _Zone, stated: dict[str, Any], found: Angles) -> _Plan:
    """The skews of the profile, or where it states none those that were found."""
    track, cylinder = _sector_skews(stated)
    number, around = zone.number, zone.per_track
    if track or cylinder or not found.known[number]:
        return _Plan(track, cylinder, True)
    track, step = (int(np.rint(turns[number] * around)) for turns in (found.head, found.step))
    return _Plan(track, step - (len(found.surface) - 1) * track, False)


def _met(reading: Reading) -> _Met:
    """Completions in turns, less the angle of the last sector's end.

    Reads are moved to agree with the writes near them.
    """
    turns, rows = _turns(reading)
    first = reading.seen.first
    return _Met(first.zone[rows], first.track[rows], first.per_track[rows], turns)


def _turns(reading: Reading) -> tuple[Floats, Whole]:
    seen, rotation = reading.seen, reading.period.rotation_ms
    rows = reading.waiting(with_writes=True).which
    first = seen.first
    end = (first.sector[rows] + seen.sectors[rows]) / first.per_track[rows]
    sector_ms = reading.hits.sector_ms if reading.hits else 0.0
    write = seen.write[rows]
    bus = np.where(write, 0.0, sector_ms * seen.sectors[rows])
    turns = (seen.end_ms[rows] - bus) / rotation - end
    order = np.lexsort((first.track[rows], first.zone[rows]))
    left, right = order[:-1], order[1:]
    beside = (first.zone[rows][left] == first.zone[rows][right]) & (
        first.track[rows][left] == first.track[rows][right]
    )
    mixed = beside & (write[left] != write[right])
    if mixed.sum() < 10:
        keep = write if write.sum() > (~write).sum() else ~write
        return turns[keep], rows[keep]
    sign = np.where(write[right[mixed]], -1.0, 1.0)
    apart = sign * (turns[right[mixed]] - turns[left[mixed]])
    shift = float(np.angle(np.exp(2j * np.pi * apart).mean()) / (2 * np.pi))
    return np.where(write, turns, turns - shift), rows


def _met_after(reading: Reading, angles: Angles) -> _Met:
    """The same once it is known how completions follow, and how the platter drifts.

    What ends on another track than it begins on tells of the last one.
    """
    seen, waiting = reading.seen, reading.waiting(with_writes=True)
    nowhere = np.zeros(seen.zones)
    bare = replace(
        angles, offset=nowhere, head=nowhere, step=nowhere, group=nowhere,
        surface=np.zeros(seen.surfaces),
    )  # fmt: skip
    rows, turns = phases_over_tracks(reading, bare)
    first, last, single = seen.first, seen.last, waiting.which
    return _Met(
        np.concatenate([first.zone[single], last.zone[rows]]),
        np.concatenate([first.track[single], last.track[rows]]),
        np.concatenate([first.per_track[single], last.per_track[rows]]),
        np.concatenate([phases(seen, waiting, bare), turns]),
    )


def phases_over_tracks(reading: Reading, angles: Angles) -> tuple[Whole, Floats]:
    """Requests on several tracks, and by how many turns each is later than the last one has it."""
    seen = reading.seen
    over = reading.over_tracks(angles.sector_ms, with_reads=isinstance(angles.reads, BeforeEnd))
    on_last = replace(seen, first=seen.last, sectors=seen.on_last)
    return over.which, phases(on_last, over, angles)


def _zone(met: _Met, number: int) -> _Zone:
    here = np.flatnonzero(met.zone == number)
    here = here[np.argsort(met.track[here], kind="stable")]
    per_track = int(met.per_track[here[0]]) if len(here) else 1
    return _Zone(number, per_track, met.track[here], met.turns[here])


def _sector_skews(zone: dict[str, Any]) -> tuple[int, int]:
    """Track and cylinder skew as the profile has them, in sectors."""
    per_track = zone["sectors_per_track"]

    def sectors(name: str) -> int:
        if f"{name}_sectors" in zone:
            return int(zone[f"{name}_sectors"])
        turns = float(zone.get(f"{name}_turns", zone.get(f"{name}_deg", 0.0) / 360.0))
        return int(np.rint(turns * per_track))

    return sectors("track_skew"), sectors("cylinder_skew")


def _angles(zone: _Zone, plan: _Plan, away: tuple[int, int], surfaces: int) -> tuple[float, float]:
    head, cylinder = plan.track + away[0], plan.cylinder + away[1]
    step = (surfaces - 1) * head + cylinder
    return head / zone.per_track, step / zone.per_track


def _best(
    zone: _Zone, plan: _Plan, surfaces: int, before: Slips | None
) -> tuple[tuple[int, int], Track]:
    """The best skews of a zone: first the cylinder's turn by near pairs, then all that have it.

    Of those that were found before, or of any.
    """
    away = plan.tried(surfaces)
    if before is not None and zone.number in before.away:
        alike = [_common(list(before.away.values()))] if plan.is_stated else []
        away = sorted({before.away[zone.number], *alike})
    skews = {one: _angles(zone, plan, one, surfaces) for one in away}
    strengths = {one: _near_strength(zone, *skews[one], surfaces) for one in away}
    likely = sorted(strengths, key=lambda one: -strengths[one])[:LIKELY]
    coarse = {one: _coarse(zone, *skews[one], surfaces) for one in likely}
    likely = sorted(likely, key=lambda one: -coarse[one][1])[:LIKELIEST]
    tried = {one: _likeliest(zone, *skews[one], surfaces, coarse[one][0]) for one in likely}
    best = max(tried, key=lambda one: tried[one].score)
    return best, tried[best]


def _near_strength(zone: _Zone, head: float, step: float, surfaces: int) -> float:
    """How well requests a few cylinders from each other agree."""
    start = head * (zone.tracks % surfaces) + step * (zone.tracks // surfaces)
    total, count = 0j, 0
    for apart in range(1, 40):
        near = zone.tracks[apart:] - zone.tracks[:-apart] <= 3 * surfaces
        if not near.any():
            break
        late = (zone.turns - start)[apart:][near] - (zone.turns - start)[:-apart][near]
        total += unit_numbers(2 * np.pi * late).sum()
        count += int(near.sum())
    return abs(total) / max(1, count)


def _common(found: list[tuple[int, int]]) -> tuple[int, int]:
    return max(sorted(set(found)), key=found.count)


def _likeliest(zone: _Zone, head: float, step: float, surfaces: int, offset: float) -> Track:
    """The likeliest numbers of slips, and offset near a coarse one, under given skews."""
    paths = _paths(zone, head, step, surfaces)
    fine = offset + np.linspace(-0.03, 0.03, 11)
    offset = float(fine[int(np.argmax(paths.likelihoods(fine)))])
    total, counts = _path(paths, offset)
    # Whole cylinders skipped before the first request are another angle of the first track, and the
    # requests do not tell them apart.
    cylinders = int(counts[0]) // surfaces
    counts = counts - cylinders * surfaces
    total += SLIP_COST * cylinders * surfaces
    offset += step * cylinders
    return Track(head, step, offset, total / len(zone.tracks), counts)


def _paths(zone: _Zone, head: float, step: float, surfaces: int) -> SlipPaths:
    """A zone's requests under each number of slips."""
    beside = np.diff(zone.tracks, prepend=-1) == 0
    cost: Floats = SLIP_COST * np.arange(MOST_SLIPS, dtype=np.float64)
    return SlipPaths(_late(zone, head, step, surfaces), beside, _LIKELY, cost)


def _late(zone: _Zone, head: float, step: float, surfaces: int) -> Floats:
    """By how many turns each request is later than each number of slips has it, without offset."""
    places = zone.tracks[:, None] + np.arange(MOST_SLIPS)
    late = zone.turns[:, None] - head * (places % surfaces) - step * (places // surfaces)
    return np.asarray(late, dtype=np.float64)


def _coarse(zone: _Zone, head: float, step: float, surfaces: int) -> tuple[float, float]:
    """The likeliest of a few offsets, and its log-likelihood."""
    offsets = np.arange(OFFSETS) / OFFSETS
    scores = _paths(zone, head, step, surfaces).likelihoods(offsets)
    best = int(scores.argmax())
    return float(offsets[best]), float(scores[best])


def _by_cell() -> Floats:
    """The log-likelihood of being so late, for each part of a turn."""
    late = wrapped(np.arange(CELLS) / CELLS)
    near = np.exp(-0.5 * (late / NEAR_TURNS) ** 2) / (NEAR_TURNS * np.sqrt(2 * np.pi))
    return np.asarray(np.log((1 - STRAY_SHARE) * near + STRAY_SHARE), dtype=np.float64)


_LIKELY = _by_cell()


def _path(paths: SlipPaths, offset: float) -> tuple[float, Whole]:
    """The likeliest sequence of numbers that never falls, and its log-likelihood."""
    best, came = paths.traced(offset)
    return float(best.max()), followed(best, list(came.reshape(-1, MOST_SLIPS)))


def followed(best: Floats, came: Sequence[NDArray[np.uint32]]) -> Whole:
    """The numbers that lead to the likeliest one behind the last request.

    Args:
        best: how likely each number is behind it.
        came: from which each one came, request by request.
    """
    found, at = np.zeros(len(came), dtype=np.int64), int(best.argmax())
    for request in range(len(came) - 1, -1, -1):
        found[request] = at
        at = int(came[request][at])
    return found


def _places(zone: _Zone, track: Track, stated: dict[str, Any], surfaces: int) -> list[list[int]]:
    """Where the slipped tracks are: half-way between the requests that tell of them."""
    spare = stated.get("sparing", {})
    if spare.get("kind") != "tracks" or stated.get("order", "traditional") != "traditional":
        return []
    before, count = 0, 0
    found = []
    for at, number in zip(zone.tracks, track.counts, strict=True):
        for one in range(count, int(number)):
            found.append((before + int(at) + 1) // 2 + one)
        before, count = int(at), int(number)
    found = found[: spare["tracks"]]
    taken: set[int] = set()
    for place in found:
        while place in taken:
            place += 1
        taken.add(place)
    first = stated["cylinders"][0]
    return [[first + place // surfaces, place % surfaces] for place in sorted(taken)]
