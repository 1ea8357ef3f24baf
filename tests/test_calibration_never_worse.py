"""A calibration is never worse than where it began, says so, draws it, and warns of what is off."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import strange_drives
from conftest import sampled
from made_up_drives import data_sheet, fitted, made_up, traced
from measured_trace import written
from platterlab._core import Profile, Requests
from platterlab.calibration.job import STAGES, Calibration, Job
from platterlab.calibration.judged.verdict import NOT_WORSE, Part
from platterlab.calibration.outcome import Findings, findings
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.profile_file import profile_text
from platterlab.cli import run

FIGURES = {
    "demerit_ms", "rmse_ms", "median_abs_error_ms", "p95_abs_error_ms", "within_0.1_ms",
    "within_0.25_ms", "within_0.5_ms", "within_1_ms", "slipped_revolution",
}  # fmt: skip

LEAST_NEAR = 0.9
"""A calibration that leaves fewer requests within 0.25 ms warns."""

SECTIONS = (
    "Start and result",
    "The platter&#x27;s phases",
    "Seeks",
    "Off by size, sectors",
    "Off by distance, cylinders",
    "Off by zone",
    "Off by idle before it, ms",
    "Values found in the trace",
    "What is not determined",
)
"""Of a report."""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a made-up drive did, under a name that needs care."""
    path = tmp_path_factory.mktemp("worse") / 'my "best".trace'
    return traced(made_up(3), path, read_share=0.66, think_ms=30.0, seed=3)


def calibrated(trace: Path, start: Profile, **more: bool) -> tuple[Calibration, Findings]:
    """What comes out and what is said of it."""
    found = calibrate(Job(trace, start, options={"gap": "before"}, seed=1, **more))
    return found, findings(found)


@pytest.fixture(scope="module")
def improved(trace: Path) -> tuple[Calibration, Findings]:
    return calibrated(trace, data_sheet(made_up(3)), rough=True)


def test_a_data_sheet_is_improved_and_both_are_judged(
    improved: tuple[Calibration, Findings],
) -> None:
    _, told = improved
    assert told.verdict == "improved"
    judged = told.to_json()["judged"]
    assert set(judged["start"]) == set(judged["result"]) == FIGURES
    assert judged["result"] == judged["by themselves"]
    assert judged["result"]["within_0.25_ms"] > 0.9 > judged["start"]["within_0.25_ms"]
    assert told.sentence.startswith("Improved: the demerit, ")
    assert told.warnings == []


def test_the_overhead_that_is_shown_is_the_profiles(
    improved: tuple[Calibration, Findings],
) -> None:
    found, told = improved
    profile, known = found.stages[STAGES[-1]]
    whole_ms = known["controller"]["read_ms"] + known["switch"]["resettle_read_ms"]
    own = {value.name: value.value for value in told.values}
    assert own["read_ms"] == pytest.approx(whole_ms, abs=1e-6)
    # The whole model moves time from the arm to the overhead, and so do the values.
    later = known["controller"] | {"read_ms": known["controller"]["read_ms"] + 0.7}
    stages = found.stages | {STAGES[-1]: (profile, known | {"controller": later})}
    moved = {one.name: one.value for one in findings(replace(found, stages=stages)).values}
    more = {name: moved[name] - own[name] for name in own if moved[name] != own[name]}
    assert more == pytest.approx(
        {name: 0.7 if name == "read_ms" else -0.7 for name in more}, abs=1e-6
    )
    assert {name for name in own if re.match(r"seek_\d|head_read|read_ms", name)} <= set(more)


def test_what_made_the_trace_is_kept_or_nowhere_worse(trace: Path) -> None:
    _, told = calibrated(trace, made_up(3))
    start, result = told.judged["start"], told.judged["result"]
    assert start["within_0.25_ms"] > 0.99
    for name in ("demerit_ms", "median_abs_error_ms"):
        assert result[name] <= NOT_WORSE * start[name] + 1e-3, name


def test_a_stage_that_harms_is_not_kept(improved: tuple[Calibration, Findings]) -> None:
    found, _ = improved
    part = Part(found.reading, slice(2_400, 3_000))
    good, start = found.profile, found.start
    late = {"controller.read_ms": 5.0, "controller.write_ms": 5.0}
    bad = good.with_overrides(late)
    assert part.best(start, [bad, good]) == 1
    assert part.best(start, [good, bad]) == 0
    assert part.best(good, [bad, start]) is None
    # Of two that are equal, the later one.
    assert part.best(start, [good, good]) == 1


def test_where_nothing_helps_the_start_is_kept(tmp_path: Path) -> None:
    drive = made_up(5)
    generated = Requests.generate(
        drive, 2_000, read_share=0.6, sequential_share=0.2, local_share=0.2,
        local_distance_sectors=500, mean_sectors=8, max_sectors=32, align_sectors=2, think_ms=20.0,
        seed=4,
    )  # fmt: skip
    rows = generated.replay(drive, timing="closed")
    # Of the whole trace no time has anything to do with its request.
    rng = np.random.default_rng(7)
    rows["service_ms"] = rng.permutation(rows["service_ms"])
    path = written(rows, tmp_path / "shuffled.trace")
    found, told = calibrated(path, drive)
    for name in ("demerit_ms", "median_abs_error_ms"):
        assert told.judged["result"][name] <= 1.05 * told.judged["start"][name], name
    if told.verdict == "kept-start":
        assert found.overrides == {}
        assert found.profile.to_toml() == drive.to_toml()
        assert told.judged["result"] == told.judged["start"]
    (warning,) = [line for line in told.warnings if "not fitted on" in line]
    assert "within 0.25 ms" in warning


def test_the_class_of_requests_that_is_off_is_named(tmp_path: Path) -> None:
    drive = made_up(3)
    requests = Requests.generate(
        drive, 6_000, read_share=0.66, sequential_share=0.3, local_share=0.3,
        local_distance_sectors=500, mean_sectors=10, max_sectors=64, align_sectors=2,
        think_ms=30.0, seed=3,
    )  # fmt: skip
    rows = requests.replay(drive, timing="closed")
    # What large requests take beyond the drive's own time nobody knows.
    large = rows["sectors"] > 10
    rng = np.random.default_rng(9)
    rows["service_ms"] = rows["service_ms"] + np.where(large, rng.uniform(0.0, 1.2, len(large)), 0)
    path = written(rows, tmp_path / "bursts.trace")
    told = findings(fitted(Job(path, data_sheet(drive), rough=True, seed=1)))
    (warning,) = [line for line in told.warnings if "not fitted on" in line]
    assert "sectors" in warning, warning
    assert "transfers in bursts" in warning, warning


def test_a_profile_for_a_trace_with_quotes_in_its_name_can_be_read(
    improved: tuple[Calibration, Findings], trace: Path
) -> None:
    found, _ = improved
    text = profile_text(found, trace.name)
    again = Profile.parse(text, "again.toml")
    assert again.facts()["derived"] == found.profile.facts()["derived"]
    entries = tomllib.loads(text)["provenance"]
    source = f"calibration on the first {found.fitted} requests of {trace.name}"
    assert entries["zone"] == {"kind": "fitted", "from": source}
    assert not any(entry["from"] == "override" for entry in entries.values())


@pytest.fixture(scope="module")
def told_again(
    trace: Path, improved: tuple[Calibration, Findings], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., None]:
    """The command with what was found: `test_calibration` has it find the same by itself."""
    sheet = tmp_path_factory.mktemp("sheet") / "sheet.toml"
    sheet.write_text(data_sheet(made_up(3)).to_toml())

    def tell(*more: object) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("platterlab.cli.calibrated.fit", lambda _job, _progress: improved[0])
            line = ["calibrate", "-t", trace, "-p", sheet, "--rough", "--seed", 1, *more]
            assert run([str(word) for word in line]) == 0

    return tell


def test_the_command_begins_with_start_and_result(
    told_again: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    told_again()
    said = capsys.readouterr().out
    assert said.lstrip().startswith("On requests not fitted on, by")
    assert said.index("start") < said.index("result") < said.index("Improved: ")
    assert said.index("Improved: ") < said.index("Values found in the trace")


@pytest.fixture(scope="module")
def page(told_again: Callable[..., None], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report."""
    target = tmp_path_factory.mktemp("report") / "report.html"
    told_again("--report", target)
    return target.read_text()


def test_the_report_has_start_and_result_and_what_is_off(page: str) -> None:
    for title in SECTIONS:
        assert f"<h2>{title}</h2>" in page, title
    assert "improved" in page
    assert page.count('<div class="chart"><svg') == 6, "drawn for print too"


def test_the_report_fetches_nothing(page: str) -> None:
    text = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", text)
    assert not [link for link in links if not link.startswith(("#", "data:"))]


@pytest.mark.parametrize("seed", sampled(zip(strange_drives.SEEDS, strict=True), [(50_002,)]))
def test_strangers_are_never_worse(seed: int, tmp_path: Path) -> None:
    drive = strange_drives.drive(seed)
    path = strange_drives.trace(drive, seed, tmp_path / "drive.trace")
    _, told = calibrated(path, strange_drives.data_sheet(drive, seed), rough=True)
    start, result = told.judged["start"], told.judged["result"]
    print(f"{seed}: {told.verdict}, within 0.25 ms {start['within_0.25_ms']:.3f} "
          f"{result['within_0.25_ms']:.3f}, demerit {start['demerit_ms']:.3f} "
          f"{result['demerit_ms']:.3f} ms; {told.warnings}")  # fmt: skip
    for name in ("demerit_ms", "median_abs_error_ms"):
        assert result[name] <= NOT_WORSE * start[name], name
    warned = any("not fitted on are within" in line for line in told.warnings)
    assert warned == (result["within_0.25_ms"] < LEAST_NEAR)
