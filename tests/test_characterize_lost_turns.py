"""Bandwidth that is not the media's is labelled as what it is."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

pytestmark = pytest.mark.usefixtures("undrawn")

MOCK = (ROOT / "profiles/mock/mock.toml").read_text()
IN_TIME = {
    "transfer = false": "transfer = true",
    "head_ms = 0.7": "head_ms = 0.6",
    "track_ms = 2.1": "track_ms = 2.0",
    "time_ms = 2.1": "time_ms = 2.0",
}
"""Sectors take their time, and switches are done before the skew is over."""
LATE = {
    "transfer = false": "transfer = true",
    "head_ms = 0.7": "head_ms = 0.8",
    "track_ms = 2.1": "track_ms = 2.2",
    "time_ms = 2.1": "time_ms = 2.2",
}
"""Switches are done when the next track's first sector has passed."""
READS_AHEAD = '[cache]\nsegments = 1\nsegment = "512k"\nread_ahead = "aggressive"\n'
SLOW_BUS = '[bus]\nkind = "rate"\nread_mb_s = 7.5\nwrite_mb_s = 7.5\n'
INNER = """
[[zone]]
cylinders = [1000, 1999]
sectors_per_track = 125
order = "traditional"
track_skew_turns = 0.084
cylinder_skew_turns = 0.252
"""


def media(spt: int = 150, surfaces: int = 15) -> float:
    """What passes under the heads of the mock disk, in MiB/s."""
    turns = surfaces + (surfaces - 1) * 0.084 + 0.252
    return spt * surfaces * 512 / (turns * 60 / 7200) / (1 << 20)


@pytest.fixture
def measured(run, tmp_path: Path):
    """Measures the mock disk with this added."""

    def measured_with(more: str, changes: dict[str, str] = IN_TIME) -> tuple[Any, str, Path]:
        drive = tmp_path / "drive.toml"
        text = MOCK
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        drive.write_text(text + more)
        out = tmp_path / "out"
        ran = run("characterize", drive, "--read-only", "--noise", "off", "--out", out)
        assert ran.code == 0, ran.err
        return run("characterize", out, "--out", tmp_path / "again", "--json").json(), ran.out, out

    return measured_with


def test_a_drive_without_read_ahead_loses_turns_and_it_is_said(measured) -> None:
    said, shown, out = measured("")
    outer = said["values"]["outer_mib_s"]
    assert outer["value"] < 0.95 * media()
    assert outer["note"].startswith(
        f"not the media's, which is {media():.1f} MiB/s: each read, of "
    )
    assert "loses 1" in outer["note"] or "loses a turn" in outer["note"]
    assert "without read-ahead" in outer["note"]
    assert said["values"]["inner_mib_s"]["note"] == outer["note"]
    assert said["zones"][0]["mib_s"]["note"] == outer["note"]
    assert outer["note"] in " ".join(said["warnings"])
    (row,) = [line for line in shown.splitlines() if line.startswith("bandwidth, outer")]
    assert row.rstrip().endswith("ok, not the media's")
    page = (out / "report.html").read_text().replace("&#x27;", "'").replace("&#39;", "'")
    assert outer["note"] in page
    assert ">ok, not the media's<" in page
    assert said["values"]["predicted_outer_mib_s"]["value"] == pytest.approx(media(), rel=0.01)
    profile = tomllib.loads((out / "profile.toml").read_text())
    assert profile["cache"]["read_ahead"] == "none"
    assert profile["cache"]["segments"] == 0, "no cache answered"
    assert profile["bus"]["kind"] == "off"


def test_heads_that_are_late_at_each_track_are_no_interface(measured) -> None:
    said, _, out = measured("", LATE)
    note = said["values"]["outer_mib_s"]["note"]
    assert "about one at each track, as where heads switch later than the skew allows" in note
    profile = tomllib.loads((out / "profile.toml").read_text())
    assert profile["bus"]["kind"] == "off"
    assert profile["cache"]["segments"] == 0


def test_the_medias_bandwidth_needs_no_label(measured) -> None:
    said, shown, out = measured(READS_AHEAD)
    outer = said["values"]["outer_mib_s"]
    assert outer["value"] == pytest.approx(media(), rel=0.03)
    assert outer["note"] == ""
    assert "not the media's" not in shown
    cache = tomllib.loads((out / "profile.toml").read_text())["cache"]
    assert (cache["segments"], cache["read_ahead"]) == (1, "aggressive")


def test_what_one_zone_leaves_open_is_no_lost_turn(measured) -> None:
    said, shown, out = measured(READS_AHEAD + SLOW_BUS)
    note = said["values"]["outer_mib_s"]["note"]
    assert note.startswith("not the media's")
    assert "not the media's" in shown
    assert note.endswith("what limits it does not show")
    assert tomllib.loads((out / "profile.toml").read_text())["bus"]["kind"] == "rate"


def test_zones_of_one_rate_show_the_interface(measured) -> None:
    two = {"cylinders = [0, 1999]": "cylinders = [0, 999]"}
    said, _, out = measured(READS_AHEAD + SLOW_BUS.replace("7.5", "6.0") + INNER, IN_TIME | two)
    assert len(said["zones"]) == 2
    note = said["values"]["outer_mib_s"]["note"]
    assert "the interface, or the host, limits it, as zones of other track lengths are" in note
    assert tomllib.loads((out / "profile.toml").read_text())["bus"]["kind"] == "rate"
