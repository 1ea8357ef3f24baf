"""`platterlab simulate` for whole systems: experiment files and DiskSim's."""

import json
from pathlib import Path

import pytest

from platterlab import experiment, results
from platterlab._core import InputError
from platterlab.cli import run as platterlab

ROOT = Path(__file__).resolve().parent.parent
ONE_DRIVE = """
[stop]
requests = 3_000
[[drive]]
profile = "mock"
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 30.0 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.toml"
    path.write_text(ONE_DRIVE, encoding="utf-8")
    return path


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:
    code = platterlab(["simulate", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_row_of_every_command_and_the_same_bits_again(file, tmp_path, capsys):
    rows = tmp_path / "rows.parquet"
    code, first = simulated(capsys, str(file), "--per-request", str(rows))
    assert code == 0
    assert (first["offered"], first["served"], first["refused"]) == (3_000, 3_000, 0)
    assert results.read(rows, ["lba"]).num_rows == 3_000
    _, again = simulated(capsys, str(file))
    assert first["runs"] == again["runs"]


def test_the_report_says_what_limits_the_system(file, tmp_path, capsys):
    page = tmp_path / "page.html"
    code, outcome = simulated(capsys, str(file), "--report", str(page))
    assert (code, outcome["served"]) == (0, 3_000)
    text = page.read_text(encoding="utf-8")
    assert "What limits this system?" in text
    assert "3,000 offered = 3,000 served + 0 refused" in text


def test_threads_and_seeds(file, capsys):
    _, one = simulated(capsys, str(file), "--replications", "4", "--threads", "1", "--seed", "7")
    _, two = simulated(capsys, str(file), "--replications", "4", "--threads", "2", "--seed", "7")
    assert one["runs"] == two["runs"]
    assert [run["seed"] for run in one["runs"]] == [7, 8, 9, 10]
    assert one["mean_response_ms"]["half_width_95"] > 0


def test_too_much_is_said_and_stops_at_the_limit(file, capsys):
    code, outcome = simulated(
        capsys,
        str(file),
        "--set",
        "workload[0].interval_ms.mean=4",
        "--set",
        "stop.queue_limit=50",
    )
    assert code == 1
    assert not outcome["complete"]
    assert any("times what it can do" in note for note in outcome["notes"])
    assert outcome["runs"][0]["queue_full"] == "drive"
    assert outcome["offered"] == outcome["served"] + outcome["in_flight"]


def test_one_message_names_file_line_and_key(file):
    file.write_text(ONE_DRIVE.replace("exponential", "exponental"), encoding="utf-8")
    with pytest.raises(InputError, match=r"one\.toml, line 8, workload\[0\]\.interval_ms\.kind"):
        experiment.load(file)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.toml")), ids=str)
def test_examples_are_right(example: Path):
    assert experiment.load(example).drives
