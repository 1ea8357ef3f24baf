"""The scene that the page draws: the rows of a simulation, with the place of the head for each."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from platterlab import _core, results
from platterlab._core import Profile
from platterlab.documents import Json

SPANS = tuple(_core.service_parts())
"""In the order in which they pass."""
_MOST_SECTORS = 2000
"""A drive with no more is drawn sector by sector."""
_ALIKE_TURNS = 1e-3


def scene(profile: Profile, columns: Mapping[str, Any], words: Mapping[str, Any]) -> Json:
    """Everything that is drawn.

    Args:
        profile: the drive.
        columns: its rows, as `Replay.next` gives them.
        words: what else the page says.
    """
    order = np.argsort(columns["issue_ms"], kind="stable")
    rows = {name: np.asarray(values)[order] for name, values in columns.items()}
    facts = profile.facts()["derived"]
    places = _core.tracks(profile, rows["lba"].tolist())
    rotation_ms = float(words.get("rotation_ms", facts["rotation_ms"]))
    requests = list(_requests(rows, places))
    phase, told, alike = _phase(requests, rotation_ms)
    return {
        **words,
        "drive": profile.name,
        "cylinders": int(facts["cylinders"]),
        "surfaces": int(facts["surfaces"]),
        "rotation_ms": rotation_ms,
        "phase_turns": phase,
        "phase_told_by": told,
        "phase_alike": alike,
        "zones": _zones(profile),
        "sectors": _sectors(profile),
        "spans": SPANS,
        "requests": requests,
        "arm": list(_arm(profile, rows, requests)),
    }


def _requests(rows: Mapping[str, Any], places: Mapping[str, Any]) -> Iterator[Json]:
    labels = _core.row_labels()
    numbers = range(len(rows["lba"]))
    for index in numbers:
        at = float(rows["issue_ms"][index])
        times = [float(rows["arrival_ms"][index]), at]
        for span in SPANS:
            at += float(rows[f"{span}_ms"][index])
            times.append(at)
        # The last sum is the completion but for what floating point does to it.
        done = float(rows["completion_ms"][index])
        times = [min(time, done) for time in times[:-1]] + [done]
        yield {
            "times_ms": times,
            "lba": int(rows["lba"][index]),
            "sectors": int(rows["sectors"][index]),
            "operation": labels["operation"][int(rows["operation"][index])],
            "cache": labels["cache"][int(rows["cache"][index])],
            "cylinder": int(places["cylinder"][index]),
            "surface": int(places["surface"][index]),
            "angle_turns": float(places["angle_turns"][index]),
            "sweep_turns": int(rows["sectors"][index]) / int(places["sectors_per_track"][index]),
            "crossed": int(rows["seek_distance_cylinders"][index]),
        }


def _phase(requests: list[Json], rotation_ms: float) -> tuple[float | None, int, int]:
    """Where the platter is at 0, how many of the rows speak of it, and how many of them alike.

    The head meets a request's first sector where the rotation that it waited for ends. None for the
    place if fewer than half of them agree.
    """
    spoken = [
        (one["angle_turns"] - one["times_ms"][5] / rotation_ms) % 1
        for one in requests
        if one["times_ms"][5] > one["times_ms"][4]
    ]
    if not spoken:
        return None, 0, 0
    around = np.exp(2j * np.pi * np.array(spoken))
    best, alike = 0.0, 0
    for start in around[:: max(1, len(around) // 64)]:
        near = np.abs(np.angle(around / start)) < 2 * np.pi * _ALIKE_TURNS
        if near.sum() > alike:
            mean = np.angle(around[near].mean()) / (2 * np.pi)
            best, alike = float(mean % 1), int(near.sum())
    return (best if 2 * alike > len(spoken) else None), len(spoken), alike


def _arm(
    profile: Profile, rows: Mapping[str, Any], requests: list[Json]
) -> Iterator[tuple[float, int, bool]]:
    """Where the arm is known to be: time, cylinder, and whether its way there is in the rows.

    A seek begins that number of cylinders from where it ends; between requests a drive that reads
    ahead or writes back moves the arm as well, and the rows say of it where the next seek begins.
    """
    ends = rows["lba"] + rows["sectors"] - 1
    last = _core.tracks(profile, ends.tolist())["cylinder"]
    arm: int | None = None
    for one, end in zip(requests, last.tolist(), strict=True):
        begin, sought, moved = one["times_ms"][3], one["times_ms"][4], one["times_ms"][6]
        if moved == begin:
            continue
        away, there = one["crossed"], one["cylinder"]
        sides = [side for side in (there - away, there + away) if side >= 0]
        start = min(sides, key=lambda side: abs(side - (there if arm is None else arm)))
        yield begin, start, arm is None or start == arm
        yield sought, there, True
        yield moved, end, True
        arm = end


def _zones(profile: Profile) -> list[tuple[int, int, int]]:
    """First and last cylinder and sectors per track of each zone."""
    values = {one["key"]: one["value"] for one in profile.facts()["values"]}
    zones: list[tuple[int, int, int]] = []
    while (cylinders := values.get(f"zone[{len(zones)}].cylinders")) is not None:
        per_track = int(values[f"zone[{len(zones)}].sectors_per_track"])
        zones.append((int(cylinders[0]), int(cylinders[1]), per_track))
    return zones


def _sectors(profile: Profile) -> list[tuple[int, float, int]]:
    """Cylinder, angle and sectors of the track of each sector of a small disk of one surface."""
    facts = profile.facts()["derived"]
    if profile.capacity_sectors > _MOST_SECTORS or facts["surfaces"] > 1:
        return []
    places = _core.tracks(profile, list(range(profile.capacity_sectors)))
    columns = (places["cylinder"], places["angle_turns"], places["sectors_per_track"])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def joined(chunks: list[results.Rows]) -> Json:
    """The columns of some chunks as those of one."""
    return {name: np.concatenate([one[name] for one in chunks]) for name in chunks[0]}
