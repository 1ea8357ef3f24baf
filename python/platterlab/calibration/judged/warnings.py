"""What a user of a calibration should beware of: requests that are off, and values no drive has."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from platterlab.calibration.job import Calibration
from platterlab.calibration.judged.missing import LEAST_SHARE, missing
from platterlab.calibration.judged.undetermined import (
    undetermined_of_overhead,
    why_not_farther,
    why_not_locked,
)
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.platter.positioning_fit import LONGEST_OVERHEAD_MS
from platterlab.calibration.trace.buffer_hits import smallest_step_ms
from platterlab.calibration.trace.observed import Flags, Floats, observe

NEAR_MS = 0.25
"""So far off a request counts as predicted."""

ENOUGH, NEARLY_ALL = 0.9, 0.95
"""A lower share of requests within that is warned of; of one between it is said how the others are
off."""

MANY_MORE = 0.1
"""Of the requests: with so many more near ones what was found is named though it is not kept."""

LEAST_IN_CLASS = 40
"""Requests in a class that is named."""

CLASSES = 5
"""Into which sizes, distances, gaps and positions are cut, evenly."""

APART = 1.5
"""So many times as many of a class have to be off for it to be named."""

LARGEST_SWITCH_TURNS = 0.5
"""A head switch of half a turn and more would make every skew longer than that."""

LONGEST_RECONNECT_MS = 2.0
"""Of drives that were measured, none took longer than 1.85 ms."""

FALL_MS = 0.05
"""A seek curve that falls by more, from one point to the next, does so for another reason."""

LIKELIEST = {
    "writes": "what writes cost: settling before them, when they are reported, or how much of "
    "their data they wait for",
    "reads": "when a read's data is on the bus: how much of it is in the buffer when that starts, "
    "transfers in bursts, or reads that take sectors as they pass",
    "size": "the bus: its rate, transfers in bursts, or how much is in the buffer when it starts",
    "distance": "seeks that scatter, or a seek curve of another form",
    "zone": "where tracks begin there: skews, another first cylinder, spare or slipped sectors the "
    "profile does not have",
    "gap": "what the drive does meanwhile: how far and how long it reads ahead, or writes behind",
    "position in the track": "what happens at a track's end, reads that take sectors as they "
    "pass, or slipped sectors",
}
"""The likeliest missing piece, by what tells the requests that are off from the others; said where
how they are off does not tell."""

EVERYWHERE = "what each command costs: overheads by what came before, or the bus"
"""The same where requests of all classes are off, and by too little to tell of anything else."""


@dataclass(frozen=True)
class _Class:
    """Some requests that have something in common."""

    kind: str
    words: str
    which: Flags


def warnings(found: Calibration, part: Part) -> list[str]:
    """A line for each thing to beware of."""
    return [*_off(found, part), *_not_kept(found, part), *_symptoms(found)]


def _off(found: Calibration, part: Part) -> list[str]:
    """Which requests are off, where more than a tenth are."""
    simulated = part.simulated(found.profile)["service_ms"]
    off = np.abs(np.asarray(simulated) - part.measured_ms)
    known = np.isfinite(off)
    share = float(np.mean(off[known] <= NEAR_MS))
    if share >= ENOUGH:
        return _off_media(found, part, off) or _off_few(found, part, off)
    lines = f"{share:.1%} of the requests not fitted on are within {NEAR_MS} ms"
    if (tick_ms := smallest_step_ms(part.measured_ms[known])) > NEAR_MS:
        lines = f"{lines}; its times are whole ticks of {tick_ms:g} ms, "
        # What is right is off by less than a tick, at its issue and at its end.
        if (far := float(np.mean(off[known] > tick_ms))) <= 1 - ENOUGH:
            return [f"{lines}and nothing is known closer"]
        lines = f"{lines}but {far:.1%} are off by more"
    wrong = known & (off > max(NEAR_MS, tick_ms))
    if found.angles is None:
        worst, how = _worst(found, part, known, wrong)
        where = f"; {how}" if worst else ""
        return [f"{lines}, for the platter was not found: {_why_not(found)}{where}"]
    strange = known & _in_strange_zones(found, part)
    more = strange.sum() > LEAST_IN_CLASS and np.mean(strange[wrong]) > LEAST_SHARE
    if more and wrong[strange].mean() > APART * wrong[~strange].mean():
        return [
            f"{lines}; {np.mean(strange[wrong]):.0%} of the others lie in zones that hardly any "
            "request was fitted on, so that nothing is known of where their tracks begin"
        ]
    return _in_classes(lines, found, part, known, wrong)


def _not_kept(found: Calibration, part: Part) -> list[str]:
    """That the start is kept though single requests are far nearer with what was found."""
    if found.kept is not None or found.angles is None:
        return []
    profiles = found.profile, list(found.stages.values())[-1][0]
    off = [np.abs(part.simulated(one)["service_ms"] - part.measured_ms) for one in profiles]
    own, other = (float(np.mean(each[np.isfinite(each)] <= NEAR_MS)) for each in off)
    if other < own + MANY_MORE:
        return []
    return [
        f"with what was found {other:.1%} would be within {NEAR_MS} ms; it is not kept, for the "
        "distribution of all times or their median is not surely as near with it as with the start"
    ]


def _in_classes(
    lines: str, found: Calibration, part: Part, known: Flags, wrong: Flags
) -> list[str]:
    """How some of known requests are off, and in which class most are, behind what is said."""
    how = missing(found, part, wrong)
    if not found.reading.writes_wait:
        # The buffer answers all writes: that reads alone are off tells nothing of reads.
        known = known & ~part.write
    worst, which = _worst(found, part, known, wrong)
    said, what = f"{lines}; {which}", LIKELIEST[worst.kind] if worst else EVERYWHERE
    return [said, *how] if how else [f"{said}. Likeliest missing: {what}"]


def _worst(found: Calibration, part: Part, known: Flags, wrong: Flags) -> tuple[_Class | None, str]:
    """The class in which most of known requests are off, if there is one, and what to say of it."""
    told = [(_gain(wrong[known], one.which[known]), one) for one in _classes(found, part)]
    gain, worst = max(told, key=lambda one: one[0])
    if gain <= 0:
        return None, "those that are off have nothing in common"
    inside, outside = (float(np.mean(wrong[known & some])) for some in (worst.which, ~worst.which))
    if inside < APART * outside:
        return None, "of every operation, size, distance, zone and gap about as many are off"
    words = f"{inside:.0%} of them, and {outside:.0%} of the others"
    return worst, f"most are off among {worst.words}: {words}"


def _off_media(found: Calibration, part: Part, off: Floats) -> list[str]:
    """Whether answers of the buffer, which are most, hide that the others are off."""
    reading, columns = found.reading, part.reading.requests.columns()
    sectors = np.asarray(columns["sectors"][part.rows], dtype=np.int64)
    media = np.isfinite(off)
    for line, some in ((reading.hits, ~part.write), (reading.reported, part.write)):
        if line is not None:
            media &= ~(some & line.below(part.measured_ms, sectors))
    if media.sum() < LEAST_IN_CLASS or (share := float(np.mean(off[media] <= NEAR_MS))) >= ENOUGH:
        return []
    lines = (
        f"of those that the buffer did not answer, {np.mean(media):.0%} of the requests not fitted "
        f"on, {share:.1%} are within {NEAR_MS} ms"
    )
    return _in_classes(lines, found, part, media, media & (off > NEAR_MS))


def _off_few(found: Calibration, part: Part, off: Floats) -> list[str]:
    """How requests are off where more than a twentieth are, if they tell."""
    known, wrong = np.isfinite(off), off > NEAR_MS
    if (share := float(np.mean(wrong[known]))) <= 1 - NEARLY_ALL or found.angles is None:
        return []
    if smallest_step_ms(part.measured_ms[known]) > NEAR_MS:
        return []
    lines = f"{share:.1%} of the requests not fitted on are off by more than {NEAR_MS} ms"
    return _in_classes(lines, found, part, known, wrong)


def _in_strange_zones(found: Calibration, part: Part) -> Flags:
    """Which requests lie in zones that too few were fitted on to tell where tracks begin."""
    requests, surfaces = found.reading.requests, found.reading.seen.surfaces
    zone = observe(found.profile, requests, surfaces).first.zone
    fitted = np.bincount(zone[: found.fitted], minlength=int(zone.max()) + 1)
    return np.asarray(fitted[zone[part.rows]] < LEAST_IN_CLASS)


def _why_not(found: Calibration) -> str:
    """Why the platter was not found."""
    reading = found.reading
    return why_not_farther(reading) if reading.period.is_locked else why_not_locked(reading)


def _gain(wrong: Flags, inside: Flags) -> float:
    """How much better a guess is that knows the class (log likelihood), if more are off in it."""
    counts = int(inside.sum()), int((~inside).sum())
    if min(counts) < LEAST_IN_CLASS or wrong[inside].mean() <= wrong[~inside].mean():
        return 0.0
    parts = [_entropy(float(wrong[some].mean())) * some.sum() for some in (inside, ~inside)]
    return float(_entropy(float(wrong.mean())) * len(wrong) - sum(parts))


def _entropy(share: float) -> float:
    if share in (0.0, 1.0):
        return 0.0
    return float(-(share * np.log(share) + (1 - share) * np.log(1 - share)))


def _classes(found: Calibration, part: Part) -> list[_Class]:
    requests = found.reading.requests
    seen = observe(found.profile, requests, found.reading.seen.surfaces)
    write = seen.write[part.rows]
    classes = [_Class("writes", "writes", write), _Class("reads", "reads", ~write)]
    zone = seen.first.zone[part.rows]
    classes += [
        _Class("zone", f"those in zone {number}", zone == number) for number in np.unique(zone)
    ]
    position = seen.first.sector / seen.first.per_track
    for kind, values, form in (
        ("size", seen.sectors.astype(np.float64), "those of {:.0f} to {:.0f} sectors"),
        ("distance", np.abs(seen.seek_cylinders).astype(np.float64),
         "those {:.0f} to {:.0f} cylinders away"),
        ("gap", seen.gap_ms, "those {:.3g} to {:.3g} ms after the one before"),
        ("position in the track", position, "those {:.2f} to {:.2f} turns behind a track's start"),
    ):  # fmt: skip
        classes += _cut(kind, values[part.rows], form)
    return classes


def _cut(kind: str, values: Floats, form: str) -> list[_Class]:
    """Classes of about as many requests each."""
    known = values[np.isfinite(values)]
    if not len(known):
        return []
    edges = np.unique(np.quantile(known, np.linspace(0, 1, CLASSES + 1)))
    classes = []
    for number, (low, high) in enumerate(pairwise(edges)):
        last = number == len(edges) - 2
        which = (values >= low) & ((values <= high) if last else (values < high))
        classes.append(_Class(kind, form.format(low, high), which))
    return classes


def _symptoms(found: Calibration) -> list[str]:
    """Values that no drive has: what they stand for is something that the profile lacks.

    Where the start is kept, of what had been found.
    """
    values, said = found.overrides or list(found.stages.values())[-1][1], []
    controller, switch = values.get("controller", {}), values.get("switch", {})
    for name in ("read_ms", "write_ms"):
        if controller.get(name, 0.0) > LONGEST_OVERHEAD_MS:
            said.append(
                f"controller.{name} = {controller[name]:.2f} ms: no controller takes so long over "
                "a command"
            )
        elif controller.get(name, 1.0) + switch.get(f"resettle_{name}", 0.0) <= 0.0:
            said.append(f"controller.{name} = 0: a command takes some time on any controller")
    largest_ms = LARGEST_SWITCH_TURNS * found.reading.period.rotation_ms
    for name in ("head_ms", "head_write_ms"):
        if switch.get(name, 0.0) > largest_ms:
            said.append(f"switch.{name} = {switch[name]:.2f} ms: half a turn and more for a switch")
    bus = values.get("bus", {})
    if bus.get("reconnect_ms", 0.0) > LONGEST_RECONNECT_MS:
        said.append(
            f"bus.reconnect_ms = {bus['reconnect_ms']:.2f} ms: no drive takes so long to have its "
            "bus again"
        )
    if bus.get("kind") == "rate":
        write, sectors = found.reading.seen.write, found.reading.seen.sectors
        said += [
            f"bus.{name} = 0: a sector takes some time on any bus"
            for name, some in (("read_sector_ms", ~write), ("write_sector_ms", write))
            # Of requests of one size it is a part of their overhead.
            if bus.get(name, 1.0) <= 0.0 and len(np.unique(sectors[some])) > 1
        ]
    times = found.positioning
    if times is not None:
        more_ms, whole_ms = times.effects["read_continued"], times.effects["read"]
        if more_ms < -max(whole_ms, 0.0):
            said.append(
                f"a read that goes on from the one before takes {-more_ms:.2f} ms less, and the "
                f"whole overhead is {whole_ms:.2f} ms"
            )
    # What the arm has not the overhead has, where only the sum is told.
    open_overhead = times is not None and bool(undetermined_of_overhead(times, found.profile))
    for name in ("seek", "seek_back"):
        points = values.get(name, {}).get("points", [])
        if points and points[0][1] <= 0.0 and not open_overhead:
            said.append(f"{name}: no time to the next cylinder, and no arm moves in none")
        falls = [a for a, b in pairwise(points) if b[1] < a[1] - FALL_MS]
        if falls:
            said.append(f"{name}: the curve falls with distance after {falls[0][0]} cylinders")
    lines = [f"{line}; it stands for something that the profile lacks" for line in said]
    return (
        lines if found.overrides else [f"of what was found and is not kept, {it}" for it in lines]
    )
