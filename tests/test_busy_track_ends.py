"""Tracks of a drive whose controller holds back what ends near a track's end."""

import pytest

from platterlab._core import Measurement, Profile
from platterlab.measure.run import measure_all
from platterlab.studies.unseen_drives import drive, host, profile, truth


# Reads that end near a track's end wait for the controller, and are all complete at once.
@pytest.mark.parametrize("busy", [False, True])
def test_what_a_busy_controller_holds_back_is_no_track(busy: bool) -> None:
    drawn = drive.draw(6265)
    text = profile.text(drawn)
    if busy:
        text += "\n[controller.track_end]\nread_before_ms = 0.4\nafter_ms = 0.3\n"
    for tracks in ("fast", None):
        measurement = Measurement.simulated(
            Profile.parse(text, "busy"), host=host.draw(6265).figures(), seed=6265, writes=False,
            tracks=tracks, time_s=900.0,
        )  # fmt: skip
        measure_all(measurement)
        if tracks:
            found = measurement.track_map()
            assert found["status"] == ("ambiguous" if busy else "ok"), found["note"]
            assert ("the drive is busy there" in found["note"]) == busy
        else:
            verdicts = truth.judge(drawn, {**measurement.extraction()})
            assert "wrong" not in verdicts.values(), verdicts
