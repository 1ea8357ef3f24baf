"""Two stacks of disks one behind the other in the addresses: the arm goes over its cylinders twice.

No order of tracks that is known has that; what is left of those is not the drive's.
"""

from typing import Any

import pytest

from made_up_drives import made_up
from platterlab._core import Profile
from platterlab.studies.unseen_drives.trial import measured

CYLINDERS, HEADS = 400, 2
TURNED, STEP = 0.12, 0.18
"""From head to head, and from cylinder to cylinder, in turns."""


def drive(stacks: int) -> Profile:
    """Heads of a stack first, then its cylinders, then the next stack."""
    passes: list[dict[str, Any]] = []
    turns = 0.0
    for stack in range(stacks):
        for cylinder in range(CYLINDERS):
            for head in range(HEADS):
                track = {"surface": HEADS * stack + head, "cylinders": [cylinder, cylinder]}
                passes.append(track | {"first_track_skew_turns": round(turns % 1.0, 6)})
                turns += TURNED if head + 1 < HEADS else STEP
    zone = {
        "cylinders": [0, CYLINDERS - 1], "sectors_per_track": 200, "order": "listed",
        "group_cylinders": CYLINDERS, "pass": passes,
    }  # fmt: skip
    return made_up(3).with_overrides(
        {
            "geometry": {"surfaces": HEADS * stacks, "cylinders": CYLINDERS},
            "zone": [zone],
            "spindle": {"rotation_ms": 8.333333},
            "switch": {"head_ms": 0.8},
            "seek": {"kind": "linear", "single_ms": 1.2, "full_ms": 18.0},
            "controller": {"read_ms": 0.3, "write_ms": 0.3},
            "cache": {},
        }
    )


def sure(printed: dict[str, Any]) -> dict[str, Any]:
    """What is printed as sure, by name."""
    return {
        name: one["value"]
        for name, one in printed.items()
        if isinstance(one, dict) and one.get("status") == "ok"
    }


@pytest.mark.parametrize("tracks", [None, "fast"], ids=["characterize", "tracks"])
@pytest.mark.parametrize("stacks", [1, 2])
def test_surfaces_are_known_of_one_stack_alone(stacks: int, tracks: str | None) -> None:
    found = measured(drive(stacks), 7, writes=False, tracks=tracks, time_s=900.0)
    printed: dict[str, Any] = {**(found.track_map() if tracks else found.extraction())}
    layout = sure(printed["layout"])
    if stacks == 1:
        assert (layout["class"], layout["surfaces"]) == ("head-first", HEADS)
    else:
        assert not {"class", "surfaces", "order"} & set(layout)
        assert not {"surfaces", "seek_max_ms"} & set(sure(printed))
