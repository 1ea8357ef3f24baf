"""Drives unlike each other are found from data sheets: buses, caches and sectors of other kinds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import UNSTATED, fitted, made_up, traced, without_skews
from platterlab import data, library
from platterlab._core import InputError, Profile, disksim_import
from platterlab.calibration.buffer.read_completion import Streamed
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.trace.buffer_hits import find_floor
from platterlab.calibration.trace.reading import stated_write_share

HEAD_TURNS, CYLINDER_TURNS = 0.187, 0.2461


def _found(truth: Profile, folder: Path) -> Calibration:
    """What is found of a drive from a data sheet and a trace of it."""
    trace = traced(truth, folder / "drive.trace", read_share=0.6, think_ms=35.0, seed=12)
    rough = truth.with_overrides(UNSTATED | {"zone": without_skews(truth)})
    return fitted(Job(trace, rough, rough=True, seed=3))


def _drive(base: Profile, own: dict[str, Any]) -> Profile:
    skews = {"track_skew_turns": HEAD_TURNS, "cylinder_skew_turns": CYLINDER_TURNS}
    zones = [
        zone | skews | {"first_track_skew_turns": 0.1 * number % 1.0}
        for number, zone in enumerate(without_skews(base))
    ]
    return base.with_overrides(own | {"zone": zones})


def test_a_bus_faster_than_some_zones_and_slower_than_others(tmp_path: Path) -> None:
    own = {
        "controller": {"read_ms": 0.35, "write_ms": 0.5, "hit": {"read_ms": 0.13}},
        "cache": {"segments": 16, "segment": 65536, "read_ahead": "track"},
        "bus": {"kind": "rate", "read_sector_ms": 0.085, "write_sector_ms": 0.04},
    }
    found = _found(_drive(library.load("seagate-hawk"), own), tmp_path)
    assert found.angles is not None
    assert found.angles.reads == Streamed()
    figures = findings(found).judged["by themselves"]
    assert figures["within_0.25_ms"] > 0.96
    assert figures["median_abs_error_ms"] < 0.04


def test_a_buffer_that_only_writes_end_in(tmp_path: Path) -> None:
    own = {
        "controller": {"read_ms": 0.6, "write_ms": 0.33},
        "cache": {"segments": 4, "segment": 65536, "read_ahead": "none", "write_report": "buffer"},
        "bus": {"kind": "rate", "read_sector_ms": 0.11, "write_sector_ms": 0.07},
    }
    found = _found(_drive(library.load("seagate-barracuda-st15150w"), own), tmp_path)
    assert found.reading.hits is None
    assert found.cache is not None
    assert found.overrides["cache.write_report"] == "buffer"
    assert found.overrides["bus"]["write_sector_ms"] == pytest.approx(0.07, abs=0.002)
    assert found.overrides["bus"]["read_sector_ms"] == pytest.approx(0.11, abs=0.002)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.96


BURST = {"kind": "rate", "read_sector_ms": 0.05, "write_sector_ms": 0.05, "reconnect_ms": 0.2}


@pytest.mark.parametrize("burst", in_soak(23, None))
def test_a_bus_that_works_in_bursts(burst: int | None, tmp_path: Path) -> None:
    own = {
        "controller": {"read_ms": 0.6, "write_ms": 0.9, "hit": {"read_ms": 0.3}},
        "cache": {"segments": 16, "segment": 65_536, "read_ahead": "track"},
        "bus": BURST | ({"burst_sectors": burst} if burst else {}),
    }
    found = _found(_drive(library.load("seagate-hawk"), own), tmp_path)
    assert found.overrides["bus"].get("burst_sectors") == burst
    assert any("in bursts of" in line for line in findings(found).choices) == bool(burst)
    figures = findings(found).judged["by themselves"]
    assert figures["within_0.25_ms"] > 0.95
    assert figures["median_abs_error_ms"] < 0.05


def test_writes_whose_data_comes_faster_than_that_of_reads(tmp_path: Path) -> None:
    own = {
        "controller": {"read_ms": 1.4, "write_ms": 0.9},
        "cache": {},
        "switch": {"settle_write_ms": 0.9},
        "bus": {"kind": "rate", "read_sector_ms": 0.09, "write_sector_ms": 0.04},
    }
    found = _found(_drive(library.load("hp-97560"), own), tmp_path)
    figures = findings(found).judged["by themselves"]
    assert figures["slipped_revolution"] < 0.02
    assert figures["within_0.25_ms"] > 0.96


def test_sectors_that_are_not_the_traces(tmp_path: Path) -> None:
    own = {
        "switch": {"head_ms": 1.5},
        "controller": {"read_ms": 1.1, "write_ms": 2.4, "hit": {"read_ms": 0.5}},
        "cache": {"segments": 2, "segment": 32768, "read_ahead": "track"},
        "bus": {"kind": "rate", "read_sector_ms": 0.2, "write_sector_ms": 0.2},
    }
    base = library.load("hp-c2200a")
    assert base.sector_bytes == 256
    found = _found(_drive(base, own), tmp_path)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.96
    other = base.with_overrides({"geometry.sector_bytes": 4096, "cache": {}})
    with pytest.raises(InputError, match=r"line 1: .* not whole sectors of the drive"):
        fitted(Job(tmp_path / "drive.trace", other))


@pytest.mark.parametrize(
    ("name", "least"), [("cheetah9LP", 0.9), ("hp_c2249a", 0.95), ("ibm18es", 0.9)]
)
def test_zones_with_skews_of_their_own(name: str, least: float, tmp_path: Path) -> None:
    file = (data.folder() or Path()) / f"disksim/{name}.diskspecs"
    if not file.is_file():
        pytest.skip(f"no {file.name}: PLATTERLAB_DATA names no folder that has it")
    truth, _, _ = disksim_import(str(file), None, [], True)
    found = _found(truth, tmp_path)
    assert found.angles is not None
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > least


def test_a_slow_bus_that_nothing_else_tells_of(tmp_path: Path) -> None:
    # Without a cache, and five sectors pass in the bus time of one.
    truth = made_up(50_007).with_overrides({"cache": {}})
    found = _found(truth, tmp_path)
    assert found.angles is not None
    assert found.angles.sector_ms == pytest.approx(0.1102, abs=0.002)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.96


def test_a_buffer_on_a_clock_of_a_millisecond() -> None:
    rng = np.random.default_rng(4)
    sectors = rng.integers(1, 64, 2_000)
    exact = 0.8 + 0.1 * sectors + np.where(rng.random(2_000) < 0.5, 0.0, rng.uniform(8, 20, 2_000))
    begun = rng.uniform(0.0, 1e6, 2_000)
    line = find_floor(np.floor(begun + exact) - np.floor(begun), sectors, 13.3)
    assert line is not None
    assert line.sector_ms == pytest.approx(0.1, abs=0.01)
    assert line.share == pytest.approx(0.5, abs=0.05)


def test_a_writes_bus_is_to_a_reads_as_the_profile_says() -> None:
    assert stated_write_share({"bus": {"read_mb_s": 1.0, "write_mb_s": 1.25}}) == 0.8
    assert stated_write_share({"bus": {"read_sector_ms": 0.2, "write_sector_ms": 0.1}}) == 0.5
    assert stated_write_share({"bus": {"kind": "off"}}) == 1.0


@pytest.mark.parametrize("late_ms", [0.01, 0.1])
@pytest.mark.parametrize("sizes", [[16], [8, 16, 32]])
def test_few_answers_of_a_host_that_is_late(late_ms: float, sizes: list[int]) -> None:
    rng = np.random.default_rng(5)
    sectors, answered = rng.choice(sizes, 3_000), rng.random(3_000) < 0.04
    media_ms = rng.uniform(4.0, 25.0, 3_000)
    service_ms = np.where(answered, 1.2 + 0.05 * sectors, media_ms) + late_ms * rng.random(3_000)
    line = find_floor(service_ms, sectors, 13.3, 0.05 if len(sizes) == 1 else None)
    assert line is not None
    assert (line.below(service_ms, sectors) == answered).mean() > 0.999
    assert line.sector_ms == pytest.approx(0.05, abs=0.0 if len(sizes) == 1 else 0.005)
    # Without them there is no line.
    assert find_floor(service_ms[~answered], sectors[~answered], 13.3, 0.05) is None


def test_answers_that_nothing_follows_within_reach() -> None:
    rng = np.random.default_rng(6)
    sectors = rng.integers(1, 64, 1_000)
    answered = rng.random(1_000) < 0.8
    # On a coarse clock answers are spread, and the media comes late.
    service_ms = np.where(answered, 1.9 + 0.036 * sectors, rng.uniform(10.0, 50.0, 1_000)).round(1)
    line = find_floor(service_ms, sectors, 8.3, 0.036)
    assert line is not None
    assert np.array_equal(line.below(service_ms, sectors), answered)


@pytest.mark.parametrize("cached", [False, True])
def test_no_answer_comes_before_its_data_is_over_the_bus(cached: bool) -> None:
    rng = np.random.default_rng(580)
    sectors, think_ms = rng.choice([4, 8, 16, 32, 64, 128], 512), rng.exponential(12.0, 512)
    # Reads in order, whose sector is on its way meanwhile, on a clock of a tenth of a millisecond.
    media_ms = 0.2 + (-think_ms - 0.2) % 8.3 + 0.04 * sectors
    service_ms = np.where(cached & (rng.random(512) < 0.5), 0.3 + 0.03 * sectors, media_ms).round(1)
    line = find_floor(service_ms, sectors, 8.3)
    assert (line is not None) == cached
    assert line is None or line.sector_ms == pytest.approx(0.03, abs=0.003)


@pytest.mark.parametrize("bus_ms", [0.0049, 0.0067, 0.0111, 0.05])
@pytest.mark.parametrize("stated", [None, 0.84, 1.19])
def test_the_rate_of_a_bus_by_answers_of_two_sizes(bus_ms: float, stated: float | None) -> None:
    rng = np.random.default_rng(599)
    sectors, answered = rng.choice([8, 16], 3_000), rng.random(3_000) < 0.25
    media_ms = rng.uniform(4.0, 25.0, 3_000) + rng.exponential(0.01, 3_000)
    answer_ms = 0.27 + bus_ms * sectors + rng.exponential(0.005, 3_000)
    service_ms = np.where(answered, answer_ms, media_ms).round(2)
    expected_ms = stated * bus_ms if stated else None
    line = find_floor(service_ms, sectors, 8.0, expected_ms)
    assert line is not None
    assert line.sector_ms == pytest.approx(bus_ms, abs=0.0002)
    # What reads have told is not asked again of the fewer writes.
    same = find_floor(service_ms, sectors, 8.0, line.sector_ms, is_measured=True)
    assert same is not None
    assert same.sector_ms == line.sector_ms


@pytest.mark.parametrize("waits", [False, True])
def test_answers_at_two_costs_are_all_answers_where_nothing_waits_for_the_platter(
    waits: bool,
) -> None:
    rng = np.random.default_rng(7)
    sectors, other = rng.choice([8, 16, 32], 1_000), rng.random(1_000) < 0.3
    # After a write another costs a little more, or has to go to the media.
    more_ms = rng.uniform(0.0, 8.3, 1_000) if waits else 0.26
    service_ms = 1.6 + 0.08 * sectors + rng.uniform(0.0, 0.2, 1_000) + np.where(other, more_ms, 0.0)
    line = find_floor(service_ms, sectors, 8.3, 0.08, is_measured=True)
    assert line is not None
    assert line.share == pytest.approx(0.72 if waits else 1.0, abs=0.03)
