"""Sets of DiskSim's parameters from their documented ranges serve, or are refused for a reason."""

import re
from pathlib import Path

import numpy as np
import pytest

import disksim_parameter_sets as sets
from platterlab import _core
from platterlab._core import InputError, Profile, Requests

REASONS = {
    "seek": r"seek",
    "settling": r"write settling delay` of -[\d.]+ ms takes more than all of the shortest",
    "slow": r"the clock ends a command at 26",
    "slips": r"sector \d+ of cylinder \d+, surface \d+ holds no data",
}
"""What a refusal has to say, by what in a set does not fit together."""


def verdict(seed: int, folder: Path) -> str | None:
    """What is wrong with the answer to a set; None where nothing is."""
    drawn = sets.draw(seed)
    try:
        drive, _, _ = _core.disksim_import(str(drawn.write(folder)), None, [], approximate=False)
    except InputError as error:
        said = str(error)
        holds = any(re.search(REASONS[odd], said) for odd in drawn.odd)
        placed = re.search(r"drawn\.\w+, line \d+", said)
        return None if holds and placed else f"seed {seed}: refused: {said}"
    number = served(drive)
    return (
        None if number == 3 else f"seed {seed}: {number} reads of {drive.capacity_sectors} blocks"
    )


def served(drive: Profile) -> int:
    """How many reads it serves of three: at its first sectors, within, and at its last."""
    end, no_time = drive.capacity_sectors, np.full(3, np.nan)
    reads = Requests.given(
        np.array([0, end // 3, end - 8], np.uint64), np.full(3, 8, np.uint32),
        np.zeros(3, np.uint8), np.zeros(3), no_time, no_time, np.ones(3),
        sector_bytes=drive.sector_bytes, shown="reads",
    )  # fmt: skip
    return len(reads.replay(drive, timing="closed")["service_ms"])


def wrong(seeds: range, folder: Path) -> list[str]:
    return [said for seed in seeds if (said := verdict(seed, folder))]


def test_sets_from_the_documented_ranges_import(tmp_path: Path) -> None:
    assert wrong(range(120), tmp_path) == []


def test_most_sets_have_nothing_that_could_be_refused() -> None:
    assert sum(not sets.draw(seed).odd for seed in range(200)) >= 100


def test_a_value_out_of_its_range_is_refused_by_name(tmp_path: Path) -> None:
    # The same sets with one value that the reference does not accept: each is refused, and named.
    for seed, (name, value) in enumerate(
        {
            "Head switch time": "-0.1",
            "Percent error in rpms": "100.5",
            "Preseeking level": "3",
            "Buffer continuous read": "5",
            "High (read) water mark": "1.5",
            "Read-ahead over requested": "-2",
        }.items()
    ):
        drawn = sets.draw(next(at for at in range(50 * seed, 10_000) if not sets.draw(at).odd))
        for file, text in drawn.files.items():
            drawn.files[file] = re.sub(
                rf"^{re.escape(name)} = .*?(,?)$", rf"{name} = {value}\1", text, flags=re.M
            )
        with pytest.raises(InputError, match=re.escape(name)):
            _core.disksim_import(str(drawn.write(tmp_path)), None, [], approximate=False)


@pytest.mark.soak
def test_a_thousand_sets_import(tmp_path: Path) -> None:
    assert wrong(range(1000), tmp_path) == []
