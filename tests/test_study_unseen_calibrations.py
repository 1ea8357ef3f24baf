"""The study of unseen calibrations: its drives are physical, its model of them stands alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from platterlab._core import Profile
from platterlab.studies.unseen_calibrations import THIRDS, alarms, draw, host, profile, sheet
from platterlab.studies.unseen_calibrations import workload as workloads
from platterlab.studies.unseen_calibrations.drive import Bus
from platterlab.studies.unseen_calibrations.outcome import Figures, Trial
from platterlab.studies.unseen_calibrations.platter import Platter
from platterlab.studies.unseen_calibrations.rows import rows
from platterlab.studies.unseen_calibrations.trial import predicted_ms

RIGHT = Trial(
    seed=1,
    drive=["listed"],
    sheet=[],
    host={"grain_ms": 0.001},
    workload="mixed",
    beyond=[],
    reachable=0.99,
    modelled=0.99,
    exit_code=0,
    start=Figures(1.0, 1.0, 0.2),
    result=Figures(0.1, 0.1, 0.97),
)
"""A trial of which nothing is to be said against the calibration."""


def test_the_thirds_are_apart_and_together_all_seeds() -> None:
    assert sorted(seed for third in THIRDS.values() for seed in third) == list(range(300))


def test_a_profile_of_a_drive_has_its_addresses_and_every_sheet_can_be_read() -> None:
    # A zone of 444 has no spare left.
    for seed in [*range(0, 300, 9), 444]:
        drive = draw.draw(seed)
        built = Profile.parse(profile.text(drive, None), f"drive {seed}")
        assert built.capacity_sectors == Platter(drive).capacity, seed
        Profile.parse(profile.text(drive, sheet.draw(drive)), f"sheet {seed}")


def test_two_models_of_a_drive_that_share_nothing_agree(tmp_path: Path) -> None:
    # Orders, spares and caches of several kinds; bursts by count (17), a listed order (20).
    for seed in (3, 10, 12, 16, 17, 20, 25):
        drive, seen_by = draw.draw(seed), host.draw(seed)
        platter = Platter(drive)
        seen = workloads.measure(drive, platter, seen_by, workloads.draw(seed), 600)
        trace = tmp_path / f"{seed}.trace"
        trace.write_text(workloads.trace_text(seen, seen_by.gap))
        path = tmp_path / f"{seed}.toml"
        path.write_text(profile.text(drive, None))
        predicted = predicted_ms(path, trace, seen_by.gap)
        apart = np.abs(predicted - np.array(workloads.replay_ms(drive, platter, seen)))
        # Where the one misses a sector by a picosecond and the other does not, a turn lies between.
        assert np.mean(apart <= 0.01) >= 0.985, seed


def test_the_same_seed_is_the_same_trace() -> None:
    def text() -> str:
        drive, mix = draw.draw(7), workloads.draw(7)
        seen = workloads.measure(drive, Platter(drive), host.draw(7), mix, 50)
        return workloads.trace_text(seen, "after")

    assert text() == text()


def test_what_is_wrong_is_counted_in_its_row() -> None:
    def verdicts(trial: Trial) -> dict[str, bool]:
        found = rows([RIGHT] * 40 + [trial])
        return {row.id: row.within is not False or row.is_undecided for row in found}

    assert all(verdicts(RIGHT).values())
    low = replace(RIGHT, result=Figures(0.1, 0.1, 0.85), off=["reads"])
    for row, bad in {
        "failed": replace(RIGHT, exit_code=2, start=None, result=None),
        "worse": replace(RIGHT, result=Figures(1.01, 0.1, 0.97)),
        "undetermined": low,
        "overstated": replace(RIGHT, said={"judged": {"result": {"within_0.25_ms": 0.999}}}),
    }.items():
        assert verdicts(bad)[row] is False, row
    shares = {row.id: row for row in rows([replace(low, alarms=["track_end"])] * 40)}
    assert shares["good_share"].within is False
    assert shares["good_share"].why == "of those that miss 40 have tracks in a listed order"
    assert shares["false_alarms"].is_unexplained


def test_a_warning_is_right_where_what_it_names_can_be_missing() -> None:
    low = replace(RIGHT, result=Figures(0.1, 0.1, 0.85), drive=["4 segments"], sheet=["no slips"])

    def right(text: str, trial: Trial = low) -> bool | None:
        return alarms.right_warning(replace(trial, said={"warnings": [text]}))

    slips = "40% of them, and 5% of the others. Likeliest missing: sectors that slipped"
    assert right(slips)
    assert right("Likeliest missing: how far it reads ahead")
    assert right(slips.replace("40%", "7%")) is False
    assert right("Likeliest missing: seeks that scatter") is False
    assert right("Likeliest missing: how far it reads ahead", replace(low, drive=[])) is False
    assert right("nothing", replace(RIGHT, result=Figures(0.1, 0.1, 0.9))) is None


def test_a_drive_or_host_out_of_reach_is_told_apart() -> None:
    assert RIGHT.kind == "reachable"
    assert replace(RIGHT, reachable=0.8).kind == "beyond the host"
    assert replace(RIGHT, modelled=0.8).kind == "beyond the model"


def test_a_mechanism_that_a_drive_has_is_no_false_alarm() -> None:
    drive = replace(draw.draw(0), bus=Bus(0.05, 0.05))
    text = "[bus]\nburst_sectors = 8\n[cache]\nread_ahead_hold_ms = 0.5\n"
    assert alarms.false_alarms(drive, text) == ["read_ahead_hold", "burst"]
    bursts = replace(drive, bus=Bus(0.05, 0.05, burst=8))
    assert alarms.false_alarms(bursts, text) == ["read_ahead_hold"]
