"""The pictures of where tracks lie: the path over surfaces, and angles over addresses."""

import numpy as np
import pytest

from platterlab._core import Profile, track_orders, tracks
from platterlab.measure.samples import Run
from platterlab.measure.track_angles import angles
from platterlab.measure.track_path import path

DRIVE = """
id = "small"
name = "Small"
[source]
kind = "assumed"
from = "made up"
[geometry]
surfaces = 2
cylinders = 60
[[zone]]
cylinders = [0, 59]
sectors_per_track = 40
track_skew_sectors = {skew}
cylinder_skew_sectors = 11
[spindle]
speed_rpm = 6000
[seek]
kind = "linear"
single_ms = 1
full_ms = 5
"""
ROTATION_MS = 10.0


def layout(word: str | None, surfaces: float | None, width: float | None, others=()):
    finding = {"value": word, "status": "ok" if word else "ambiguous", "alternatives": list(others)}
    counts = {"surfaces": surfaces, "serpentine_cylinders": width}
    estimates = {
        key: {"value": of, "status": "ok" if of else "ambiguous"} for key, of in counts.items()
    }
    return {"order": finding, **estimates}


def turns_of(found) -> list[tuple[int, int]]:
    return [(row["cylinder"], row["surface"]) for row in found]


def test_a_path_turns_where_the_order_does():
    about, found = path(layout("hybrid-serpentine", 2.0, 5.0))
    assert "5 cylinders a pass" in about
    first = [(0, 0), (4, 0), (0, 1), (4, 1), (5, 0), (9, 0), (5, 1), (9, 1)]
    assert turns_of(found) == first
    _, found = path(layout("alternating-hybrid-serpentine", 2.0, 5.0))
    assert turns_of(found) != first
    _, found = path(layout("cylinder-serpentine", 3.0, None))
    assert turns_of(found)[:4] == [(0, 0), (0, 2), (1, 2), (1, 0)]


@pytest.mark.parametrize("word", [word for word in track_orders() if word != "listed"])
def test_every_order_has_a_path(word):
    about, found = path(layout(word, 4.0, None))
    assert word in about
    assert len(turns_of(found)) > 4
    assert ("How wide a pass is" in about) == track_orders()[word]


def test_a_path_says_what_else_it_may_be_and_none_is_drawn_of_the_unknown():
    about, _ = path(layout(None, 2.0, 5.0, ["hybrid-serpentine", "traditional"]))
    assert "may as well be" in about
    for unknown in (None, layout("traditional", None, None), layout(None, 2.0, None)):
        assert path(unknown) is None


def run_of(profile: Profile, lbas: list[int], drift: float = 1.0) -> Run:
    """Each of these sectors once, a turn later than the one before."""
    turns = tracks(profile, lbas)["angle_turns"] % 1.0 + np.arange(len(lbas))
    completed_ps = ((turns * drift + 0.37) * ROTATION_MS * 1e9).astype(np.int64)
    return Run(
        {"probe": "tracks"}, "complete", None, {"lba": np.array(lbas), "completed_ps": completed_ps}
    )


def distances(text: str, runs: list[Run]) -> np.ndarray:
    found = angles(text, 2, ROTATION_MS, runs)
    true = tracks(Profile.parse(text, "small.toml"), [read["lba"] for read in found.reads])
    off = np.array([read["turns"] for read in found.reads]) - true["angle_turns"]
    return np.abs((off + 0.5) % 1.0 - 0.5)


def test_angles_lie_on_the_profile_that_is_the_drives_and_on_no_other():
    text = DRIVE.format(skew=7)
    drive = Profile.parse(text, "small.toml")
    runs = [run_of(drive, list(range(0, 200, 4))), run_of(drive, list(range(1, 60, 2)))]
    assert distances(text, runs).max() < 0.01
    assert distances(DRIVE.format(skew=15), runs).max() > 0.1
    assert angles(text, 2, ROTATION_MS, [run_of(drive, [4000, 4100])]) is None
