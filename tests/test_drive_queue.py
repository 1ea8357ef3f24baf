"""A drive's own queue: what it knows, one estimate for all policies, and what is noted."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from platterlab import experiment, library
from platterlab._core import Experiment
from test_disksim_policies import ONE_DRIVE, SATF, SPCTF, SPTF, completions, write
from test_disksim_values import SYSTEMS
from test_drives_in_both_spellings import System

DEEP = 32


def mean_ms(profile: str, host: str, in_drive: str, depth: int) -> float:
    """Of reads at random, of which so many wait or are served at any time."""
    text = (
        f'seed = 5\n[stop]\nrequests = 2000\n[host.scheduler]\nkind = "{host}"\n[[drive]]\n'
        f'profile = "{profile}"\ndepth = {depth}\nscheduler = {{ kind = "{in_drive}" }}\n'
        f'[[workload]]\nkind = "closed"\npopulation = {DEEP}\n'
        'pattern = { read_share = 1.0, size_sectors = { kind = "constant", value = 8 } }\n'
    )
    plan = Experiment.parse(text, "made up", Path.cwd(), {})
    return float(plan.start(1, False).finish()["runs"][0]["report"]["response_ms"]["mean_ms"])


@pytest.mark.parametrize(
    ("profile", "overhead_ms"), [("hp-97560", 2.2), ("hitachi-7k1000c", 0.3), ("mock", 2.0)]
)
def test_a_drive_that_chooses_gains_the_overheads_that_are_over(
    profile: str, overhead_ms: float
) -> None:
    # The host chooses by the same times, but its command has its overhead before it still.
    assert profile in library.drives()
    at_host = mean_ms(profile, "sptf", "fcfs", 1)
    in_drive = mean_ms(profile, "fcfs", "sptf", DEEP)
    assert in_drive < at_host - DEEP * overhead_ms / 2


def in_drive(policy: int, weight: int, folder: Path, depth: int = 8) -> tuple[Experiment, System]:
    """A system whose drive chooses by a policy with a weight."""
    system = replace(ONE_DRIVE, depth=depth, in_drive=1)
    write(folder, system)
    stated = "Scheduling policy = 1, Cylinder mapping strategy = 1,\n    Scheduling timeout"
    text = system.disk()
    assert stated in text
    own = stated.replace("= 1, C", f"= {policy}, Timeout time/weight = {weight}, C", 1)
    (folder / "made-up.diskspecs").write_text(text.replace(stated, own), encoding="ascii")
    return experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace"), system


@pytest.mark.parametrize(
    ("policy", "weight", "plain"),
    [(14, 0, SPTF), (15, 0, SPCTF), (16, 0, SATF), (11, 1_000_000, SPTF)],
)
def test_without_age_a_drive_chooses_by_position_alone(
    tmp_path: Path, policy: int, weight: int, plain: int
) -> None:
    aged, _ = in_drive(policy, weight, tmp_path)
    done_ms = completions(aged)
    position, _ = in_drive(plain, 0, tmp_path)
    assert done_ms == completions(position)


@pytest.mark.parametrize("policy", range(8, 17))
def test_a_note_says_what_a_drives_policy_reckons_from(tmp_path: Path, policy: int) -> None:
    plan, _ = in_drive(policy, 1, tmp_path)
    said = [
        note for note in plan.notes if re.search(r"made-up\.diskspecs, line 18\b.*reckon", note)
    ]
    assert len(said) == 1
    assert "at once" in said[0]


def test_a_note_says_what_the_drivers_sptf_reckons_from(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    notes = run(*write(tmp_path, replace(ONE_DRIVE, policy=SPTF)), "--json").json()["notes"]
    said = [note for note in notes if re.search(r"made-up\.parv, line 3\b.*reckoned", note)]
    assert len(said) == 1
    assert "the sector that passed last" in said[0]


def test_a_note_says_that_parity_is_reckoned_as_disksim_does(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    notes = run(*write(tmp_path, SYSTEMS["parity"]), "--json").json()["notes"]
    assert [note for note in notes if "modify-below" in note]


def test_no_note_says_that_a_systems_drive_has_no_queue(tmp_path: Path) -> None:
    plan, _ = in_drive(SPTF, 0, tmp_path)
    assert [note for note in plan.notes if "is not the drive's" in note] == []
