"""Sectors that the drive skips and the profile does not know of.

Each moves all later addresses on by one sector, as far as its spares reach: to the end of its zone,
or of the drive. Where skews are found without it, the few sectors hide in the zone's first angle,
and only requests that have moved over the end of a track miss the platter: the median request says
nothing, the tail does. So the shift of each zone is looked for with its first angle left free, and
then the likeliest sequence of shifts (`shift_path`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from platterlab._core import InputError, Profile, runs
from platterlab.calibration.overrides import skew_turns
from platterlab.calibration.platter.regression import Angles, Completed
from platterlab.calibration.platter.shift_path import (
    LEAST_IN_ZONE,
    LEAST_NOISE_TURNS,
    Shifted,
    bins_of,
    likeliest,
)
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import TAIL, Layout, near_by_zone, near_share
from platterlab.calibration.trace.observed import (
    HEADS_FIRST,
    Flags,
    Floats,
    Observed,
    Places,
    Whole,
    places_of,
    stated_of,
)
from platterlab.calibration.trace.rotation_period import Waiting

MOST_SHIFT = 240
"""Sectors, where the profile does not say how many are spare."""

STEP_COST = 4.6
"""Of a shift that grows, in units of log-likelihood."""

LEAST_TELLING = 2
"""Where shifts end soon, one request that lies anywhere looks like one: so many have to tell."""

ROUNDS = 4

MOST_OF_PASS = 4
"""Sectors that slip on the way of a pass, in the mean of a zone."""

LESS_NOISE = 0.4
"""From one try to the next, of the noise that is left once slips are known."""

LEAST_MORE = 9.0
"""So many more requests have to be near the lattice: three standard errors of that number."""


def with_slipped_sectors(plain: Layout) -> Layout:
    """The same with slipped sectors, if more requests are explained by them."""
    most = near_share(plain.reading, plain.angles)
    domains = _domains(plain.stated)
    if most > 1 - TAIL or not domains:
        return plain
    best, known, slips = plain, plain.angles, list[list[int]]()
    for number in range(ROUNDS):
        places = _find(plain, known, domains, fresh=number == 0)
        # Where the same are found again, all further rounds find them, too.
        found = _on(plain, places) if places != slips else None
        if found is None:
            break
        kept = _nearer(best, slips, found, places)
        if kept != places:
            found, places = _on(plain, kept) if kept != slips else None, kept
        if found is None:
            break
        share = near_share(found.reading, found.angles)
        if (share - most) * len(found.angles.off_turns) < (LEAST_MORE if best is plain else 0.0):
            break
        best, known, most, slips = found, found.angles, share, places
    return best


def _nearer(
    best: Layout, slips: list[list[int]], found: Layout, places: list[list[int]]
) -> list[list[int]]:
    """Of each zone the slips with which no fewer of its requests are near the lattice.

    Those of one zone may be wrong, and the others are none the worse for it.
    """
    ends = np.array([zone["cylinders"][1] for zone in best.stated["zone"]])
    own, other = (near_by_zone(one.reading, one.angles, len(ends)) for one in (best, found))
    anew = other >= own

    def told_anew(at: list[int]) -> bool:
        return bool(anew[np.searchsorted(ends, at[0])])

    return sorted([*(at for at in slips if not told_anew(at)), *filter(told_anew, places)])


@dataclass(frozen=True)
class _Domain:
    """Zones over which a shift goes on.

    Attributes:
        zones: their numbers.
        most: how far a shift can grow, in sectors.
        restarts: whether there are more sets of spares than one, and a shift ends at each.
    """

    zones: list[int]
    most: int
    restarts: bool = False


def _domains(stated: dict[str, Any]) -> list[_Domain]:
    """The domains of a profile; none where it is not known how a shift goes on."""
    spares = [zone.get("sparing", {"kind": "none"}) for zone in stated["zone"]]
    if all(spare["kind"] == "none" for spare in spares):
        return [_Domain(list(range(len(spares))), MOST_SHIFT)]
    # Behind the last zone nothing begins, so that no spares are needed for a shift to end there.
    own = stated["zone"][:-1] if spares[-1]["kind"] == "none" else stated["zone"]
    if not all(map(_ends_shifts, own)):
        return []
    most = [min(spare.get("sectors", MOST_SHIFT), MOST_SHIFT) for spare in spares]
    return [
        _Domain([at], most[at], spare["kind"] not in ("zone", "none"))
        for at, spare in enumerate(spares)
    ]


def _ends_shifts(zone: dict[str, Any]) -> bool:
    """Whether a zone has spares that follow what they stand in for, at even places."""
    spare = zone.get("sparing", {})
    if spare.get("kind") == "cylinder":
        return zone.get("order", "traditional") in HEADS_FIRST
    if spare.get("kind") == "cylinders":
        return not spare.get("front") and not spare.get("remaps_only")
    return spare.get("kind") in ("zone", "track")


def _sets(stated: dict[str, Any], places: Places) -> Whole:
    """A number for each set of spares, the same for all places that share it."""
    zones = [(zone["cylinders"][0], zone.get("sparing", {})) for zone in stated["zone"]]
    first = np.array([first for first, _ in zones])[places.zone]
    kind = np.array([spare.get("kind", "none") for _, spare in zones])[places.zone]
    width = np.array([spare.get("cylinders", 1) for _, spare in zones])[places.zone]
    within = np.where(
        kind == "track",
        places.track,
        np.where(np.isin(kind, ("cylinder", "cylinders")), (places.cylinder - first) // width, 0),
    )
    within = np.asarray(within, dtype=np.int64)
    return np.where(kind == "none", 0, places.zone * (1 << 32) + within)


def _on(plain: Layout, places: list[list[int]]) -> Layout | None:
    """The layout with slipped sectors; None where it has no room for the trace's requests."""
    slips = [{"kind": "slipped", "at": at} for at in places]
    found = {"defect": [*plain.stated.get("defect", []), *slips]}
    try:
        profile = plain.profile.with_overrides(found)
        reading = plain.reading.under(profile)
    except InputError:
        return None
    stated = stated_of(profile)
    angles = angles_of(reading, stated)
    return Layout(profile, stated, reading, angles, plain.overrides | found)


def _find(plain: Layout, known: Angles, domains: list[_Domain], fresh: bool) -> list[list[int]]:
    """Where sectors slip, as `[cylinder, surface, sector]`.

    Args:
        plain: the layout without them.
        known: the angles so far.
        domains: zones over which shifts go on.
        fresh: whether their zones' first angles are those of the layout without them.
    """
    most = max(domain.most for domain in domains)
    whole = _whole(known, plain.stated)
    ways = [known, whole, *_of_passes(whole, plain), *(_stated(known, plain) if fresh else [])]
    tried, around = [], [zone["sectors_per_track"] for zone in plain.stated["zone"]]
    for way, shifted in _shifted(plain, ways, most):
        score, places = 0.0, []
        for domain in domains:
            own = shifted.of_zones(domain.zones, domain.most)
            if own.late.shape[1] < LEAST_IN_ZONE:
                continue
            cost = STEP_COST * (LEAST_TELLING if domain.restarts else 1)
            likelihood, shifts = likeliest(
                own, domain.zones, around, cost, fresh or way is not known
            )
            score += likelihood
            places += _steps(own, shifts)
        tried.append((score, places))
    return _sectors(plain.profile, max(tried, key=lambda one: one[0])[1])


def _whole(angles: Angles, stated: dict[str, Any]) -> Angles:
    """The same with whole sectors from head to head and from cylinder to cylinder.

    What slips now and then, far on looks as if each were turned by a little more.
    """
    around = np.array([zone["sectors_per_track"] for zone in stated["zone"]], dtype=np.float64)
    around = around[: len(angles.step)]
    head, step = (np.round(turns * around) / around for turns in (angles.head, angles.step))
    return replace(angles, head=head, step=step)


def _of_passes(whole: Angles, plain: Layout) -> Iterator[Angles]:
    """The same by passes that turn by fewer sectors, each as much as slips on the way of one.

    What slips from pass to pass looks as if each were turned by more, to some whole sectors.
    """
    own, zones = plain.reading.seen.own, plain.stated["zone"][: len(whole.head)]
    if own.free and not own.legs:
        around = np.array([zone["sectors_per_track"] for zone in zones], dtype=np.float64)
        for slipped in range(MOST_OF_PASS + 1):
            head = whole.head - slipped / around
            yield replace(whole, head=head, surface=0 * whole.surface)


def _stated(angles: Angles, plain: Layout) -> list[Angles]:
    """The same with the skews that the profile states, if it does: what slips has no part in them.

    Around a few places of a zone other skews explain what slips between them.
    """
    own, zones = plain.reading.seen.own, plain.stated["zone"][: len(angles.head)]
    # What slips from pass to pass, each under one head, turns the surfaces alike.
    level = replace(angles, surface=0 * angles.surface)
    if own.zones.all():
        return [level]
    head, cylinder, passes = (
        np.array([skew_turns(zone, name) for zone in zones])
        for name in ("track", "cylinder", "serpentine")
    )
    if own.free and not own.legs:
        on = passes + (own.passes[: len(zones)] - 1) * cylinder
        is_said = np.all((passes != 0.0) | (cylinder != 0.0))
        return [replace(level, head=on, step=cylinder)] if is_said else []
    surfaces = plain.reading.seen.surfaces
    orders = {zone.get("order", "traditional") for zone in zones}
    if not orders <= set(HEADS_FIRST) or not np.all((head != 0.0) | (cylinder != 0.0)):
        return []
    return [replace(angles, head=head, step=cylinder + (surfaces - 1) * head)]


def _shifted(plain: Layout, ways: list[Angles], most: int) -> Iterator[tuple[Angles, Shifted]]:
    """Every request that waited for the platter, under shifts up to `most` sectors.

    By each of some angles that are known of the same zones. What slips is a part of how far
    requests are from the lattice so far: what is left may be any part of that.
    """
    reading, seen = plain.reading, plain.reading.seen
    waits: Flags = ~reading.is_hit & np.isfinite(seen.service_ms)
    if not reading.writes_wait:
        waits &= ~seen.write
    rows = np.flatnonzero(waits)
    rows = rows[ways[0].known[seen.first.zone[rows]]]
    rows = rows[np.argsort(seen.lba[rows], kind="stable")]
    sets = _sets(plain.stated, seen.first)[rows]
    some = _some(seen, rows)
    late = [_late(some, plain.profile, ways, shift) for shift in range(most + 1)]
    for angles, each in zip(ways, zip(*late, strict=True), strict=True):
        noise, own = 1.4826 * float(np.median(np.abs(angles.off_turns))), np.stack(each)
        shifted = Shifted(seen.lba[rows], seen.first.zone[rows], sets, own, bins_of(own), noise)
        yield angles, shifted
        while (noise := noise * LESS_NOISE) > LEAST_NOISE_TURNS:
            yield angles, replace(shifted, noise=noise)


def _late(some: Observed, profile: Profile, ways: list[Angles], shift: int) -> list[Floats]:
    """By how many turns requests are late under one shift, by each of some angles."""
    end = some.lba + some.sectors - 1 + shift
    fits: Flags = end < profile.capacity_sectors
    first, last = (
        places_of(profile, np.where(fits, lba, 0), some.surfaces, some.own)
        for lba in (some.lba + shift, end)
    )
    single = fits & (first.cylinder == last.cylinder) & (first.surface == last.surface)
    waiting = Waiting(np.arange(len(some)), some.end_ms, first.from_zero)
    completed = Completed(replace(some, first=first), waiting)
    return [
        np.where(single & angles.known[first.zone], completed.late(angles), np.nan)
        for angles in ways
    ]


def _some(seen: Observed, rows: Whole) -> Observed:
    """Some requests of a trace; their places are those of all."""
    return replace(
        seen, lba=seen.lba[rows], sectors=seen.sectors[rows], write=seen.write[rows],
        issue_ms=seen.issue_ms[rows], service_ms=seen.service_ms[rows], gap_ms=seen.gap_ms[rows],
    )  # fmt: skip


def _steps(shifted: Shifted, shifts: Whole) -> list[tuple[int, int]]:
    """The addresses of a layout without slips where the shift grows, and by how much.

    Half-way between the requests that tell of it, or at the first request of a set of spares.
    """
    steps = []
    at = zip(shifted.lba.tolist(), shifted.set.tolist(), shifts.tolist(), strict=True)
    for (left, left_set, before), (right, right_set, after) in pairwise([(0, -1, 0), *at]):
        if left_set != right_set and after:
            steps.append((right, after))
        elif left_set == right_set and after > before:
            steps.append(((left + right) // 2 + before, after - before))
    return steps


def _sectors(profile: Profile, steps: list[tuple[int, int]]) -> list[list[int]]:
    """The sectors that slip where the shift grows."""
    lbas = [first + number for first, count in steps for number in range(count)]
    if not lbas:
        return []
    table = runs(profile, np.array(lbas, dtype=np.uint64), np.ones(len(lbas), dtype=np.uint64))
    names = ("cylinder", "surface", "sector")
    found = {tuple(at) for at in np.stack([table[name] for name in names]).T.tolist()}
    return [list(at) for at in sorted(found)]
