"""Systems from the documented ranges of DiskSim's parameters run, or are refused for a reason."""

import re
from pathlib import Path

import pytest

import disksim_system_sets as sets
from platterlab import experiment
from platterlab._core import InputError
from test_same_by_other_ways import outcome

REASONS = {
    "period": r"a periodic flush needs a period",
    "measured": r"`Constant access time` below 0 takes access or queue times from the trace",
}
"""What a refusal has to say, by what in a system asks for it."""


def verdict(seed: int, folder: Path) -> str | None:
    """What is wrong with the answer to a system; None where nothing is."""
    drawn = sets.draw(seed)
    folder.mkdir()
    path, trace = drawn.write(folder)
    try:
        system = experiment.disksim(path, trace=trace)
        served = outcome(system)["served"]
    except InputError as error:
        said = str(error)
        holds = any(re.search(REASONS[odd], said) for odd in drawn.odd)
        return None if holds else f"seed {seed}: refused: {said}"
    return None if served else f"seed {seed}: nothing served"


def wrong(seeds: range, folder: Path) -> list[str]:
    return [said for seed in seeds if (said := verdict(seed, folder / str(seed)))]


def test_systems_from_the_documented_ranges_run(tmp_path: Path) -> None:
    assert wrong(range(40), tmp_path) == []


@pytest.mark.soak
def test_five_hundred_systems_run(tmp_path: Path) -> None:
    assert wrong(range(500), tmp_path) == []
