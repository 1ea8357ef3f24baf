"""What a calibration chooses of cache, bus and overheads comes back from a known drive's trace."""

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import fitted
from measured_trace import written
from platterlab._core import Profile, Requests
from platterlab.calibration.buffer.policies import Rules
from platterlab.calibration.buffer.rules import LEAST_READS, Chosen, _Search, choose_cache
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.judged.undetermined import undetermined_of_cache
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.positioning import CONTINUED
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.trace.observed import Floats, Whole
from platterlab.calibration.trace.reading import Reading, read_trace
from test_calibration import rough_profile, true_profile


def _trace(truth: Profile, path: Path, requests: int, **load: Any) -> Path:
    load = {
        "read_share": 0.66, "sequential_share": 0.3, "local_share": 0.3,
        "local_distance_sectors": 400, "mean_sectors": 8, "max_sectors": 32, "align_sectors": 2,
        "think_ms": 35.0, "seed": 11,
    } | load  # fmt: skip
    generated = Requests.generate(truth, requests, **load)
    return written(generated.replay(truth, timing="closed", seed=4), path)


def _job(changes: dict[str, Any], path: Path, **load: Any) -> Job:
    truth = true_profile().with_overrides(changes)
    trace = _trace(truth, path, 4_000, **load)
    known = {"gap": "before"}
    return Job(trace, rough_profile(truth), options=known, rough=True, share=0.75, seed=3)


def _calibrated(changes: dict[str, Any], path: Path, **load: Any) -> Calibration:
    return fitted(_job(changes, path, **load))


def _reading(changes: dict[str, Any], path: Path, **load: Any) -> Reading:
    """What 3,000 requests look like, set beside all of the drive but its cache."""
    truth = true_profile().with_overrides(changes)
    trace = _trace(truth, path, 3_000, **load)
    bare = truth.with_overrides({"cache": {}})
    stated = tomllib.loads(bare.to_toml())
    return read_trace(
        trace, bare, stated, trace_format=None, options={"gap": "before"}, device=0, share=1.0,
        rough=False,
    )[0]  # fmt: skip


def _chosen(
    changes: dict[str, Any], path: Path, stated: dict[str, Any] | None = None, **load: Any
) -> Chosen:
    """The cache alone, all else of the drive being known, from what a start says of it."""
    bare = true_profile().with_overrides(changes | {"cache": {}})
    reading = _reading(changes, path, **load)
    return choose_cache(bare, reading, False, (), None, lambda _share: None, stated=stated or {})


SOON = {"think_ms": 6.0, "sequential_share": 0.5, "read_share": 0.9}
"""Requests that come while the drive still reads ahead."""

AHEAD = SOON | {"sequential_share": 0.2, "local_share": 0.6}
"""Many of them of what it will come to on a later track."""

LONG = {"mean_sectors": 24, "max_sectors": 64, "sequential_share": 0.6}
"""Requests of which a part is in the buffer."""

NOT_HELD = {"read_ahead_on_hit": "ignore", "read_ahead_hold_ms": 0.0}

SMALL = {
    "segments": 8, "segment": 1 << 15, "partial_hits": False, "read_ahead_on_hit": "ignore",
    "write_report": "buffer",
}  # fmt: skip
WITHIN = {
    "mean_sectors": 40, "max_sectors": 64, "align_sectors": 1, "read_share": 0.78,
    "sequential_share": 0.36, "local_share": 0.22, "local_distance_sectors": 3_900,
    "think_ms": 10.0,
}  # fmt: skip
"""Segments that some requests fill, and requests that do not."""


@pytest.mark.parametrize(
    ("changes", "load"),
    [
        ({"read_ahead": "track-or-next", "segment": 1 << 20}, {"max_sectors": 96}),
        ({"read_ahead_on_hit": "continue"}, {}),
        ({"read_ahead_ends": "other-command"}, SOON),
        ({"hits_in_flight": False}, SOON),
        ({"hits_on_later_tracks": True, "segment": 1 << 18}, AHEAD),
        ({"partial_hits": False, "segment": 1 << 15, "read_ahead_on_hit": "ignore"}, LONG),
        ({"read_ahead_over_requested": False, **SMALL}, WITHIN),
        ({"partial_hits_at_once": False}, LONG),
        ({"overwritten": "dropped"}, {}),
        ({"read_ahead_after": "sequential"}, {"read_share": 0.5}),
        *in_soak(
            ({"read_ahead_on_hit": "ignore"}, {}),
            ({"hits_on_later_tracks": False, "segment": 1 << 18}, AHEAD),
            ({"read_ahead_over_requested": True, **SMALL}, WITHIN),
            ({"read_ahead_after": "sequential-reads"}, {"read_share": 0.5}),
        ),
    ],
    ids=lambda it: "-".join(str(one) for one in it) if isinstance(it, dict) else None,
)
def test_a_cache_policy_is_told(
    changes: dict[str, Any], load: dict[str, Any], tmp_path: Path
) -> None:
    found = _chosen(
        {f"cache.{name}": word for name, word in changes.items()}, tmp_path / "t", **load
    )
    name, word = next(iter(changes.items()))
    assert found.overrides[f"cache.{name}"] == word
    assert name not in found.undetermined
    assert found.right > 0.98


@pytest.mark.parametrize("most_sectors", [24, *in_soak(32)])
def test_sizes_between_those_that_are_tried_hide_no_other_policy(
    most_sectors: int, tmp_path: Path
) -> None:
    changes = {
        "read_ahead_most": 512 * most_sectors,
        "read_ahead_on_hit": "ignore",
        "partial_hits": False,
        "segment": 512 * 192,
    }
    cache = {f"cache.{name}": word for name, word in changes.items()}
    found = _chosen(cache, tmp_path / "between", **(LONG | {"align_sectors": 1}))
    assert found.right > 0.99
    told = {name: found.overrides[f"cache.{name}"] for name in ("read_ahead_most", *NOT_HELD)}
    assert told == {"read_ahead_most": 512 * most_sectors} | NOT_HELD


def test_policies_that_nothing_tells_are_listed(tmp_path: Path) -> None:
    found = _chosen({}, tmp_path / "reads", read_share=1.0)
    assert {"overwritten", "combine_writes", "hits_on_written"} <= set(found.undetermined)
    assert not {"read_ahead", "segments", "segment"} & set(found.undetermined)
    (segments,) = (one for one in found.policies if one.name == "segments")
    own = true_profile().stated()["cache"]["segments"]
    assert own in (segments.word, *segments.alike)
    # Every other word has so many more reads wrong, from one and a half on, the best first.
    reads = [more for _, more in segments.worse]
    assert reads == sorted(reads)
    assert reads[0] > LEAST_READS - 1e-6
    assert {word for word, _ in segments.worse}.isdisjoint({segments.word, *segments.alike})


def _with_zones() -> dict[str, Any]:
    """A drive whose zones have sectors of unlike length, and whose writes end on the media."""
    (zone,) = tomllib.loads(true_profile().to_toml())["zone"]
    first = range(0, 8_400, 1_700)
    zones = [
        zone | {"cylinders": [start, start + 1_699], "sectors_per_track": sectors}
        for start, sectors in zip(first, (240, 200, 165, 140, 120), strict=True)
    ]
    zones[-1]["cylinders"][1] = zone["cylinders"][1]
    return {"zone": zones, "cache.write_report": "media"}


@pytest.mark.parametrize("sectors", [3, *in_soak(5)])
def test_when_a_read_takes_the_bus_again_is_found(sectors: int, tmp_path: Path) -> None:
    bus = {
        "kind": "rate", "read_sector_ms": 0.06, "write_sector_ms": 0.06, "reconnect_ms": 0.3,
        "reconnect_before_end": sectors,
    }  # fmt: skip
    found = _calibrated(_with_zones() | {"bus": bus}, tmp_path / "bus", mean_sectors=10)
    assert found.overrides["bus"]["reconnect_before_end"] == sectors
    assert found.overrides["bus"]["reconnect_ms"] == pytest.approx(0.3, abs=0.03)
    assert found.overrides["cache.read_fence_share"] == 0.0


def test_a_read_fence_is_no_time_before_the_end(tmp_path: Path) -> None:
    changes = _with_zones() | {"cache.read_fence_share": 0.5}
    found = _calibrated(changes, tmp_path / "fence")
    assert "reconnect_before_end" not in found.overrides["bus"]
    assert found.overrides["cache.read_fence_share"] == pytest.approx(0.5, abs=0.05)


def test_what_goes_on_from_the_read_before_has_its_own_overhead(tmp_path: Path) -> None:
    rule = {"operation": "read", "hit": False, "run": 1, "ms": 1.4}
    changes = {"cache.read_ahead": "none", "controller.rules": [rule]}
    found = _calibrated(changes, tmp_path / "continued")
    assert found.positioning is not None
    assert found.positioning.effects[CONTINUED] == pytest.approx(0.8, abs=0.1)
    rules = found.overrides["controller"]["rules"]
    told = [one for one in rules if one["operation"] == "read" and not one["hit"]]
    assert [one["run"] for one in told] == [1]
    assert told[0]["ms"] == pytest.approx(1.4, abs=0.1)
    (value,) = (one for one in findings(found).values if one.name == f"{CONTINUED}_ms")
    assert value.reach > 0.0


def test_an_overhead_that_all_reads_share_has_no_rule(tmp_path: Path) -> None:
    found = _calibrated({"cache.read_ahead": "none"}, tmp_path / "alike")
    assert found.positioning is not None
    assert found.positioning.effects[CONTINUED] == 0.0
    # No number without an interval.
    told = findings(found)
    assert all(one.reach > 0.0 for one in told.values)
    assert f"{CONTINUED}: not told apart from the rest; it counts as 0" in told.undetermined


def test_immediate_reporting_is_told_from_the_writes_that_it_leaves_out(tmp_path: Path) -> None:
    found = _calibrated({"cache.write_report": "immediate"}, tmp_path / "some", read_share=0.5)
    assert found.overrides["cache.write_report"] == "immediate"
    told = findings(found)
    assert any("go on from the last one" in line for line in told.choices)
    assert told.judged["by themselves"]["within_0.25_ms"] > 0.93


def test_immediate_reporting_is_told_where_few_writes_are_left_out(tmp_path: Path) -> None:
    changes = {"cache.write_report": "immediate"}
    assert _reading(changes, tmp_path / "few", read_share=0.85).write_report == "immediate"


@pytest.mark.parametrize("report", ["media", "buffer", "buffer-in-turn"])
def test_other_ways_of_reporting_are_not_taken_for_immediate(report: str, tmp_path: Path) -> None:
    assert _reading({"cache.write_report": report}, tmp_path / "t").write_report != "immediate"


def test_how_long_read_ahead_is_held_is_found(tmp_path: Path) -> None:
    rule = {"operation": "read", "hit": True, "run": 1, "reading_ahead": True, "ms": 0.1}
    changes = {
        "cache.read_ahead_on_hit": "continue",
        "cache.read_ahead_hold_ms": 27.5,
        "controller.rules": [rule],
    }
    found = _calibrated(changes, tmp_path / "held")
    assert found.cache is not None
    assert found.cache.overrides["cache.read_ahead_on_hit"] == "continue"
    assert found.cache.overrides["cache.read_ahead_hold_ms"] == pytest.approx(27.5, abs=1.0)
    rules = found.overrides["controller"]["rules"]
    told = [one for one in rules if one.get("reading_ahead") and one["operation"] == "read"]
    assert told
    assert told[0]["ms"] == pytest.approx(0.1, abs=0.05)


def test_how_often_read_ahead_is_given_up_is_found(tmp_path: Path) -> None:
    # Of five traces (seeds 11 to 15) the first three tell of it, and in 12 and 13 the distribution
    # gains by it.
    found = calibrate(_job({"cache.read_ahead_abandoned": 0.1}, tmp_path / "abandoned", seed=12))
    assert found.cache is not None
    assert found.cache.abandoned == pytest.approx(0.1, abs=0.04)
    assert found.overrides["cache.read_ahead_abandoned"] == found.cache.abandoned
    likeliest = found.predicted()["cache"]
    assert not np.array_equal(likeliest, found.simulated()["cache"])


def test_work_broken_off_in_the_second_way_of_reading_goes_on_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = true_profile().with_overrides({"cache.write_report": "buffer-in-turn"})
    trace = _trace(truth, tmp_path / "t", 1_000, read_share=0.5, think_ms=10.0)
    job = Job(trace, rough_profile(truth), rough=True, share=0.75, seed=3, resume=tmp_path / "kept")
    tried: list[tuple[bool, str]] = []
    replay = _Search.served

    def until(most: int) -> None:
        """Calibrates until so many caches were tried under the second reading."""
        tried.clear()

        def counted(search: _Search, rules: Rules) -> tuple[Whole, Floats]:
            tried.append((search.reading.writes_wait, json.dumps(rules, sort_keys=True)))
            if sum(not waits for waits, _ in tried) > most:
                raise KeyboardInterrupt
            return replay(search, rules)

        monkeypatch.setattr(_Search, "served", counted)
        with pytest.raises(KeyboardInterrupt):
            calibrate(job)

    until(30)
    first = {rules for waits, rules in tried if waits}
    second = [rules for waits, rules in tried if not waits]
    until(1)
    again = [rules for waits, rules in tried if waits]
    assert len(first) > 100
    assert len(again) == 1, "the one that was chosen, for what comes after the search"
    assert tried[-1][1] not in second[:10]


def test_words_of_the_start_stay_where_no_read_tells_of_them(tmp_path: Path) -> None:
    """And only there: reads of one in ten that go on tell what is read ahead, not how often."""
    true = true_profile().stated()["cache"]
    stated = true | {"segments": 7, "overwritten": "keeps-later"}
    untold = {"overwritten", "combine_writes", "write_segments", "separate_write_segments"}
    load = {"read_share": 1.0, "sequential_share": 0.1}
    own = _chosen({}, tmp_path / "own.csv", stated, **load)
    kept = own.overrides
    assert untold <= set(own.undetermined)
    assert kept["cache.overwritten"] == "keeps-later"
    assert kept["cache.segments"] == 7
    wrong = _chosen({}, tmp_path / "wrong.csv", stated | {"read_ahead": "none"}, **load)
    assert wrong.overrides["cache.read_ahead"] != "none"
    said = undetermined_of_cache(wrong, wrong.overrides)
    assert any("as the start has them" in line and "overwritten" in line for line in said)
