"""What a result says of a drive that is not so, and whether a warning names what is off."""

import re
import tomllib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .drive import Drive
from .outcome import Trial
from .workload import Seen

FEW = 0.90
"""Below this share within reach a calibration has to say what is off."""

PIECES = {
    # What a warning may say is missing, by words of its text.
    "seek": r"scatter|seek curve|curve of",
    "buffer": r"read-ahead|reads? ahead|behind|cache|buffer|segment",
    "place": r"slip|spare|skew|zone|tracks? begin|layout|surface|angle|sectors per track",
    "bus": r"\bbus|burst",
    "host": r"clock|grain|tick|resol|host|late\b|tail|noise",
}
SHARES = re.compile(r"([\d.]+) ?% of them, and ([\d.]+) ?% of the others")
APART = 1.5
"""How many times as often a class has to be off as the others are, for it to show anything."""


def false_alarms(drive: Drive, text: str) -> list[str]:
    """Mechanisms of the profile `text` that were seen on single drives, and this one has not."""
    found = tomllib.loads(text)
    cache, bus = found.get("cache", {}), found.get("bus", {})
    alarms = {
        "write_fence_slow": "write_fence_slow" in cache,
        "track_end": "track_end" in found.get("controller", {}),
        "read_ahead_hold": cache.get("read_ahead_hold_ms", 0) > 0,
        "read_ahead_abandoned": cache.get("read_ahead_abandoned", 0) > 0,
        "burst": bool(bus.get("burst_sectors")) and not drive.bus.burst,
        "reconnect_before_end": bool(bus.get("reconnect_before_end")) and not drive.bus.burst,
        "release_at_track_end": bool(bus.get("release_at_track_end")),
        "slips": bool(found.get("defect")) and not drive.slips,
        "seek scatter": (
            "seek_scatter" in found and drive.seek.scatter is None and not drive.seek.noise_ms
        ),
    }
    return [name for name, there in alarms.items() if there]


def classes_off(rows: Sequence[Seen], off: NDArray[np.bool_]) -> list[str]:
    """The classes of requests that are off at least as often as all of them."""
    every = float(np.mean(off))
    if not every:
        return []
    members = {
        "reads": [row.asked.read for row in rows],
        "writes": [not row.asked.read for row in rows],
        "buffer": [row.how != "media" for row in rows],
        "media": [row.how == "media" for row in rows],
    }
    shares = {name: off[np.array(each)] for name, each in members.items() if any(each)}
    return [name for name, each in shares.items() if float(np.mean(each)) >= every]


def missing(trial: Trial) -> set[str]:
    """The pieces of `PIECES` that the result can lack, from what is known of drive and host."""
    has = " ".join(trial.drive)
    lacks = " ".join(trial.sheet)
    kept = trial.said.get("verdict") == "kept-start"
    there = {
        # A data sheet's curve is wrong by itself.
        "seek": kept
        or any(f"seek {word}" in has for word in ("scatter", "ripple", "noise", "back")),
        "buffer": "segments" in has or "writes" in has,
        "place": kept
        or any(word in lacks for word in ("skews", "slips", "spares"))
        or "listed" in has,
        "bus": "bursts" in has,
        "host": trial.host["grain_ms"] >= 0.1 or trial.reachable < FEW,
    }
    return {name for name, so in there.items() if so}


def right_warning(trial: Trial) -> bool | None:
    """Whether what was warned of is so; None where nothing had to be said.

    One warning has to name a class that is off more often than others, if it counts classes, and a
    piece that can be missing; and what it names may not be something that there is not.
    """
    if trial.result is None or trial.result.within >= FEW:
        return None
    return any(_right(str(warning), missing(trial)) for warning in trial.said.get("warnings", ()))


def _right(text: str, pieces: set[str]) -> bool:
    shares = SHARES.search(text)
    if shares and float(shares[1]) < APART * float(shares[2]):
        return False
    said = text.partition("Likeliest missing:")[2] or text
    return any(re.search(PIECES[name], said, re.IGNORECASE) for name in pieces)
