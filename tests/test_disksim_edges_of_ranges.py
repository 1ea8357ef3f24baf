"""Values at the edge of their documented range mean what DiskSim's reference says.

Over the made-up systems of `test_disksim_values`: the same requests under one value and under its
opposite.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from platterlab import experiment
from platterlab._core import Experiment, InputError, Requests, disksim_import
from test_disksim_values import REQUESTS, SYSTEMS, with_value
from test_same_by_other_ways import outcome

CONTROLLER = "disksim_ctlr CTLR { type = 1, Scale for delays = 0.0"
DRIVER = "disksim_iodriver DRIVER { type = 1, Constant access time = 0.0"


def simulated(folder: Path, kind: str, text: str, disk: str | None = None) -> tuple[Any, list[str]]:
    """What a system answers, and the notes of its import."""
    system = SYSTEMS[kind]
    texts = {"diskspecs": disk or system.disk(), "trace": system.trace, "parv": text}
    for suffix, content in texts.items():
        (folder / f"made-up.{suffix}").write_text(content, encoding="ascii")
    read = experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace")
    return outcome(read), read.notes


def parv(kind: str, *changes: tuple[str, str]) -> str:
    """The text of a system with other words in place of some."""
    text = with_value(kind, "type", 1)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def disk(*changes: tuple[str, str]) -> str:
    text = SYSTEMS["queue"].disk()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def profile_of(folder: Path, text: str) -> tuple[Any, list[str]]:
    (folder / "made-up.diskspecs").write_text(text, encoding="ascii")
    drive, _, notes = disksim_import(str(folder / "made-up.diskspecs"), None, [], approximate=False)
    return drive, notes


def service_ms(folder: Path, drive: Any) -> Any:
    """Single reads far apart, of one track and of several."""
    places = ((0, 8), (60_000, 8), (8, 8), (30_000, 8), (30_384, 200))
    rows = "".join(f"{5e5 * at} 0 {lba} {size} 1\n" for at, (lba, size) in enumerate(places))
    (folder / "few.trace").write_text(rows, encoding="ascii")
    requests = Requests.load(folder / "few.trace", "disksim-ascii", device=0, options={})
    return requests.on(drive).replay(drive, timing="open")["service_ms"]


@pytest.mark.parametrize("constant", [0.0, 0.1, 7.0])
def test_a_constant_access_time_is_that_of_every_access(tmp_path: Path, constant: float) -> None:
    moves = "Access time type = trackSwitchPlusRotation,"
    stated = f"Access time type = constant, Constant access time = {constant},"
    drive, notes = profile_of(tmp_path, disk((moves, stated)))
    times = service_ms(tmp_path, drive)
    # What a read costs beside it: its overhead, after a read, and the bus.
    beside = 0.4 + 0.11 * np.array([8, 8, 8, 8, 200])
    assert times == pytest.approx(constant + beside, abs=1e-4)
    assert any("`Access time type` is `constant`" in note for note in notes)
    drive, _ = profile_of(tmp_path, disk())
    assert np.ptp(service_ms(tmp_path, drive)[:4]) > 1.0


def test_a_constant_access_time_has_to_be_stated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs `Constant access time`"):
        profile_of(tmp_path, disk(("= trackSwitchPlusRotation", "= constant")))


def test_one_turn_a_minute(tmp_path: Path) -> None:
    # Half a turn, on average, before each of them.
    slow = disk(("= trackSwitchPlusRotation", "= averageRotation"), ("= 6000", "= 1"))
    drive, _ = profile_of(tmp_path, slow)
    assert service_ms(tmp_path, drive)[0] == pytest.approx(30_000, rel=0.3)
    with pytest.raises(InputError, match="Rotation speed"):
        profile_of(tmp_path, disk(("= 6000", "= 0")))


def test_a_least_read_ahead_above_the_most_gives_way(tmp_path: Path) -> None:
    for least, noted in ((64, False), (65, True)):
        text = disk(("Minimum read-ahead (blks) = 0", f"Minimum read-ahead (blks) = {least}"))
        text = text.replace("Buffer continuous read = 1", "Buffer continuous read = 3")
        drive, notes = profile_of(tmp_path, text)
        assert drive.stated()["cache"]["read_ahead_least"] == 64 * 512
        assert any("more than the maximum, which holds" in one for one in notes) == noted


@pytest.mark.parametrize("kind", [1, 2])
def test_a_controllers_own_delays_are_left_out_and_said_to_be(tmp_path: Path, kind: int) -> None:
    plain = parv("queue", (CONTROLLER, CONTROLLER.replace("type = 1", f"type = {kind}")))
    told, notes = simulated(tmp_path, "queue", plain)
    assert not any("Scale for delays" in note for note in notes)
    scaled = plain.replace("Scale for delays = 0.0", "Scale for delays = 1.0")
    again, notes = simulated(tmp_path, "queue", scaled)
    assert again == told
    assert any("`Scale for delays` is not honoured" in note for note in notes)


def test_a_driver_that_answers_by_itself_passes_nothing_on(tmp_path: Path) -> None:
    answers = parv("queue", (DRIVER, DRIVER.replace("= 0.0", "= 2.5")))
    told, notes = simulated(tmp_path, "queue", answers)
    assert told["served"] == REQUESTS
    assert told["commands"]["service"]["min_ms"] == told["commands"]["service"]["max_ms"] == 2.5
    assert any("`Constant access time`: every access takes it" in note for note in notes)
    # Another disk below it changes nothing, and does where the driver passes requests on.
    other = disk(("= 6000", "= 3000"))
    assert simulated(tmp_path, "queue", answers, other)[0] == told
    plain = parv("queue")
    assert simulated(tmp_path, "queue", plain, other) != simulated(tmp_path, "queue", plain)
    with pytest.raises(InputError, match=r"line 2.*from the trace in place of simulated ones"):
        simulated(tmp_path, "queue", parv("queue", (DRIVER, DRIVER.replace("= 0.0", "= -1.0"))))


def test_figures_are_kept_after_the_warm_up(tmp_path: Path) -> None:
    begun = max(float(line.split()[0]) for line in SYSTEMS["queue"].trace.splitlines())
    counts = []
    for ms in (0.0, begun / 2, 1e9):
        text = f"disksim_global G {{ Statistic warm-up time = {ms} }}\n{parv('queue')}"
        told, _ = simulated(tmp_path, "queue", text)
        assert told["served"] == REQUESTS
        summary = told["commands"]["response"]
        counts.append(summary["count"] if summary else 0)
    assert counts[0] == REQUESTS
    assert 0.2 * REQUESTS < counts[1] < 0.8 * REQUESTS
    assert counts[2] == 0


def test_no_longest_request_is_any_request(tmp_path: Path) -> None:
    def cached(longest: int) -> Any:
        return simulated(tmp_path, "cache", with_value("cache", "Max request size", longest))[0]

    # The longest has 48 blocks.
    assert cached(0) == cached(48) != cached(8)


def test_a_cache_without_room_is_none(tmp_path: Path) -> None:
    text = with_value("cache", "Cache size", 0)
    bare = re.sub(r"  Cache = disksim_cachemem \{.*?\},\n", "", text, flags=re.DOTALL)
    assert "cachemem" not in bare
    told, notes = simulated(tmp_path, "cache", text)
    assert told == simulated(tmp_path, "cache", bare)[0]
    assert told != simulated(tmp_path, "cache", with_value("cache", "Cache size", 2048))[0]
    assert any("a cache without room passes everything through" in note for note in notes)


def test_who_is_late_at_once_goes_by_the_other_policy(tmp_path: Path) -> None:
    def queued(policy: int, scheme: int, weight: int) -> Any:
        text = with_value("queue", "Scheduling timeout scheme", scheme)
        text = re.sub(r"Timeout time/weight = \d+", f"Timeout time/weight = {weight}", text)
        text = re.sub(r"Scheduling policy = \d+", f"Scheduling policy = {policy}", text)
        # As `Timeout scheduling` it has 3.
        return simulated(tmp_path, "queue", text)[0]

    assert queued(1, 2, 0) == queued(3, 0, 0)
    assert queued(1, 2, 600) == queued(1, 0, 0) != queued(3, 0, 0)


def test_computing_that_takes_no_time_leaves_nothing_between_requests(tmp_path: Path) -> None:
    text = f"""disksim_pf P {{ Number of processors = 1, Process-Flow Time Scale = SCALE }}
disksim_synthio S {{ Number of I/O requests to generate = 20,
  Maximum time of trace generated = 1000.0, System call/return with each request = 0,
  Think time from call to request = 0.0, Think time from request to return = 0.0,
  Generators = [ disksim_synthgen {{ Storage capacity per device = 60000, devices = [ disk0 ],
    Blocking factor = 8, Probability of sequential access = 0.0,
    Probability of local access = 0.0, Probability of read access = 1.0,
    Probability of time-critical request = 1.0, Probability of time-limited request = 0.0,
    Time-limited think times = [ uniform, 0.0, 1.0 ],
    General inter-arrival times = [ uniform, 40.0, 50.0 ],
    Sequential inter-arrival times = [ uniform, 0.0, 1.0 ],
    Local inter-arrival times = [ uniform, 0.0, 1.0 ], Local distances = [ uniform, 0.0, 1.0 ],
    Sizes = [ uniform, 8.0, 8.0 ] }} ] }}
{parv("queue")}"""
    (tmp_path / "made-up.diskspecs").write_text(disk(), encoding="ascii")
    took_ms = []
    for scale in ("1.0", "0.0"):
        (tmp_path / "made-up.parv").write_text(text.replace("SCALE", scale), encoding="ascii")
        told = outcome(experiment.disksim(tmp_path / "made-up.parv"))
        assert told["served"] == 20
        took_ms.append(told["commands"]["duration_ms"])
    assert took_ms[0] > 19 * 40.0 > 2 * took_ms[1]


def test_a_cache_of_many_lines_takes_requests_of_many(tmp_path: Path) -> None:
    def built(longest_kib: int) -> Experiment:
        told = {"size": "64M", "line": "512", "granule": "512", "max_request": f"{longest_kib}K"}
        cache = ", ".join(f"{name} = {json.dumps(value)}" for name, value in told.items())
        return Experiment.parse(
            f'[[controller]]\nname = "c"\ncache = {{ {cache} }}\n'
            '[[bus]]\nname = "b"\ncontroller = "c"\n'
            '[[drive]]\nname = "d"\nbus = "b"\n'
            'simple = { size = "1G", access = { kind = "constant", time_ms = 1.0 } }\n'
            '[[workload]]\nkind = "open"\nrequests = 5\n'
            'interval_ms = { kind = "constant", value = 1.0 }\n'
            'pattern = { read_share = 1.0, size_sectors = { kind = "constant", value = 8 } }\n',
            "made up", tmp_path, {},
        )  # fmt: skip

    assert outcome(built(32_000))["served"] == 5
    with pytest.raises(InputError, match=r"what the cache holds wherever it begins"):
        built(65_537)
