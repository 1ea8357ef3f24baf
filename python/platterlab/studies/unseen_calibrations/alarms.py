"""What a result says of a drive that is not so, and whether a warning names what is off."""

import re
import tomllib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .drive import Drive
from .outcome import Trial
from .workload import Seen

FEW = 0.90
"""Below this share within reach a calibration has to say what is off."""

CAUSES = {
    # What the made-up drive or its host has, and words one of which a right warning has.
    "clock": r"clock|grain|tick|resol|steps of|multiples",
    "host": r"host|late|noise|scatter|interrupt|tail",
    "seek": r"seek|distance|arm|revolution|turn",
    "bus": r"bus|burst|transfer|size|length",
    "slips": r"slip|spare|sector|offset|zone|layout|defect",
    "layout": r"angle|pass|skew|layout|zone|surface|head|track",
    "reads": r"read",
    "writes": r"write",
    "buffer": r"buffer|cache|hit|ahead|segment",
    "media": r"media|platter|seek|rotat|revolution|turn|zone|track|skew|cylinder|distance",
}


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
        "seek scatter": _scatters(found) and drive.seek.scatter is None and not drive.seek.noise_ms,
    }
    return [name for name, there in alarms.items() if there]


def _scatters(found: dict[str, Any]) -> bool:
    tables = (found.get("seek", {}), found.get("seek_back", {}))
    return any(value for table in tables for key, value in table.items() if "scatter" in key)


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


def causes(trial: Trial) -> list[str]:
    """What is known to hide the drive or to be beyond its profile, and what is off."""
    found = []
    if trial.host["grain_ms"] >= 0.1:
        found.append("clock")
    if trial.reachable < FEW:
        found.append("host")
    beyond = " ".join(trial.beyond)
    found += [name for name in ("seek", "burst") if name in beyond]
    if any("slips" in each or "spares" in each for each in trial.sheet):
        found.append("slips")
    if "listed" in trial.drive:
        found.append("layout")
    return ["bus" if each == "burst" else each for each in found] + trial.off


def right_warning(trial: Trial) -> bool | None:
    """Whether what was warned of is so; None where nothing had to be said."""
    if trial.result is None or trial.result.within >= FEW:
        return None
    words = "|".join(CAUSES[each] for each in causes(trial))
    return bool(words) and any(
        re.search(words, _text(warning), re.IGNORECASE)
        for warning in trial.said.get("warnings", ())
    )


def _text(warning: Any) -> str:
    return warning if isinstance(warning, str) else str(warning)
