"""The limit of a simulated system: the sentence above the first picture of its report."""

from collections.abc import Sequence
from dataclasses import dataclass

from platterlab.answers import Report

FULL = 0.9
"""A part that is taken for so much of the time limits the system."""
EASY = 0.5
"""Below this, requests that come at random wait less than they are served (M/M/1)."""


_ONE = {"devices": "device", "buses": "bus", "streams": "stream", "volumes": "volume"}


@dataclass(frozen=True)
class Part:
    """A device or a bus."""

    name: str
    kind: str
    utilisation: float
    """Share of the whole run in which it was taken."""
    over_time: Sequence[float] | None
    """The same for each bin; None where it was not kept."""


def parts(report: Report, names: dict[str, Sequence[str]]) -> list[Part]:
    """Every device and bus of a system's report, devices first.

    Args:
        report: the figures of a run, as the simulator gives them.
        names: of `devices` and `buses`, in their order; numbers stand for those that have none.
    """
    over_time = report["over_time"]
    devices = {one["device"]: one["utilisation"] for one in over_time["devices"]}
    found = []
    for index, device in enumerate(report["devices"]):
        name = name_of(names, "devices", index)
        found.append(Part(name, "device", device["utilisation"], devices.get(index)))
    for index, bus in enumerate(report["buses"]):
        name = name_of(names, "buses", index)
        found.append(Part(name, "bus", bus["utilisation"], over_time["buses"][index]))
    return found


def name_of(names: dict[str, Sequence[str]], kind: str, index: int) -> str:
    """The name of a part, or its number."""
    known = names.get(kind, ())
    return known[index] if index < len(known) else f"{_ONE[kind]} {index}"


def sentence(found: Sequence[Part]) -> str:
    """What limits the system, in words."""
    if not found:
        return "There is nothing here that could limit anything."
    busiest = max(found, key=lambda part: part.utilisation)
    share = busiest.utilisation
    full = [part for part in found if part.utilisation >= FULL]
    if len(full) > 1:
        kinds = {part.kind for part in full}
        what = _plural(kinds.pop()) if len(kinds) == 1 else "parts"
        return (
            f"{len(full)} of {len(found)} parts limit this system: the {what} "
            f"{_listed([part.name for part in full])} were at work at least {FULL:.0%} of the time."
        )
    if full:
        return (
            f"{busiest.name} limits this system: it was at work {share:.0%} of the time"
            f"{_beside(busiest, found)}."
        )
    if share >= EASY:
        return (
            f"{busiest.name} would be the first to limit this system: it was at work {share:.0%} "
            f"of the time{_beside(busiest, found)}. {1 / share:.1f} times the load would fill it."
            f"{_filled(busiest)}"
        )
    return (
        f"Nothing limits this system for long: its busiest part, {busiest.name}, was at work "
        f"{share:.0%} of the time.{_filled(busiest)}"
    )


def _beside(busiest: Part, found: Sequence[Part]) -> str:
    """How the others of its kind fare."""
    others = [part.utilisation for part in found if part.kind == busiest.kind and part != busiest]
    if not others:
        return ""
    mean = sum(others) / len(others)
    uneven = ", so the load is uneven" if mean < 0.5 * busiest.utilisation else ""
    return f"; the other {_plural(busiest.kind)}, {mean:.0%} on the average{uneven}"


def _filled(part: Part) -> str:
    """For how much of the run a part that has room on the average had none."""
    bins = part.over_time or ()
    share = sum(value >= FULL for value in bins) / max(len(bins), 1)
    return f" For {share:.0%} of the run it was full all the same." if share >= 0.01 else ""


def _plural(kind: str) -> str:
    return {"bus": "buses"}.get(kind, f"{kind}s")


def _listed(names: Sequence[str]) -> str:
    most = 6
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return f"{', '.join(names[:-1])} and {names[-1]}"
