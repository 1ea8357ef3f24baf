"""`platterlab simulate` for whole systems: experiment files and DiskSim's."""

import json
import re
from pathlib import Path

import pytest

from platterlab import experiment
from platterlab._core import InputError
from platterlab.cli import run as platterlab
from platterlab.cli.experiment import overrides
from platterlab.results_file import ResultsFile

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
    assert ResultsFile(rows).table(["lba"]).num_rows == 3_000
    _, again = simulated(capsys, str(file))
    assert first["runs"] == again["runs"]


RAID = """
[stop]
requests = 500
[[drive]]
profile = "mock"
count = 4
[[volume]]
name = "both"
drives = ["drive"]
layout = { kind = "raid5", unit = "64k" }
[[workload]]
kind = "open"
name = "small writes"
interval_ms = { kind = "exponential", mean = 60.0 }
[[workload]]
kind = "closed"
population = 2
think_ms = { kind = "constant", value = 50.0 }
"""


def test_rows_of_requests_and_of_commands_belong_together_and_make_a_timeline(tmp_path, capsys):
    file = tmp_path / "raid.toml"
    file.write_text(RAID, encoding="utf-8")
    commands, requests, timeline = (tmp_path / name for name in ("c.parquet", "r.csv", "t.json"))
    code, outcome = simulated(
        capsys, str(file), "--per-request", str(commands), "--requests", str(requests),
        "--timeline", str(timeline),
    )  # fmt: skip
    assert code == 0
    assert outcome["streams"] == ["small writes", "closed"]
    report = outcome["runs"][0]["report"]
    of_requests = ResultsFile(requests).table(["request", "stream", "response_ms", "completion_ms"])
    assert sorted(of_requests["request"].to_pylist()) == list(range(500))
    offered = [stream["offered"] for stream in report["streams"]]
    assert offered == [of_requests["stream"].to_pylist().count(number) for number in (0, 1)]
    last = {}
    of_commands = ResultsFile(commands).table(["request", "completion_ms"]).to_pydict()
    for number, done_ms in zip(*of_commands.values(), strict=True):
        last[number] = max(last.get(number, 0.0), done_ms)
    done = dict(zip(of_requests["request"].to_pylist(), of_requests["completion_ms"].to_pylist(),
                    strict=True))  # fmt: skip
    assert last == pytest.approx(done)
    events = json.loads(timeline.read_text(encoding="utf-8"))["traceEvents"]
    assert sum(event.get("cat") == "service" for event in events) == report["commands"]["served"]
    begun = [event["id"] for event in events if event["ph"] == "b"]
    assert sorted(begun) == sorted(event["id"] for event in events if event["ph"] == "e")
    assert ResultsFile(commands).manifest()["streams"] == outcome["streams"]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--timing", "closed"], "write `timing` in the trace's workload"),
        (["--warm-up", "5"], "stop.warm_up_requests"),
        (["--trace", "x.trace"], "as the `file` of a workload"),
        (["--device", "1"], "`map`"),
    ],
)
def test_options_that_mean_nothing_are_errors(file, option, said, capsys):
    assert platterlab(["simulate", str(file), *option]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert platterlab(["simulate", "-p", "mock", "-t", str(file), "--threads", "2"]) == 2
    assert "--threads is for an experiment and --disksim" in capsys.readouterr().err


def test_the_report_says_what_limits_the_system(file, tmp_path, capsys):
    page = tmp_path / "page.html"
    code, outcome = simulated(capsys, str(file), "--report", str(page))
    assert (code, outcome["served"]) == (0, 3_000)
    text = page.read_text(encoding="utf-8")
    assert "What limits this system?" in text
    assert "3,000 offered = 3,000 served + 0 refused" in text


def test_times_of_hours_are_told_in_hours(tmp_path, capsys):
    path = tmp_path / "slow.toml"
    path.write_text(
        '[[drive]]\nsimple = { size = "1G", access = { kind = "constant", time_ms = 10000 } }\n'
        '[[workload]]\nkind = "closed"\npopulation = 3000\nrequests = 9000\n'
        "[stop]\nwarm_up_requests = 3000\n"
    )
    assert platterlab(["simulate", str(path)]) == 0
    said = capsys.readouterr().out
    assert "mean response 8 h 20 min (one run)" in said
    assert re.search(r"^response of requests +(8 h 20 min +){4}8 h 20 min$", said, re.MULTILINE)
    assert re.search(r"^service of commands +(10,000\.00\s+){5}", said, re.MULTILINE)
    _, exact = simulated(capsys, str(path))
    assert exact["mean_response_ms"]["mean"] == pytest.approx(3e7, rel=1e-4)


def test_threads_and_seeds(file, capsys):
    _, one = simulated(capsys, str(file), "--replications", "4", "--threads", "1", "--seed", "7")
    _, two = simulated(capsys, str(file), "--replications", "4", "--threads", "2", "--seed", "7")
    assert one["runs"] == two["runs"]
    assert [run["seed"] for run in one["runs"]] == [7, 8, 9, 10]
    assert one["mean_response_ms"]["half_width_95"] > 0


def test_a_cache_that_does_not_fit_the_memory_is_refused(run):
    array = Path(__file__).parent / "full_systems" / "array.toml"
    ran = run("simulate", array, "--json", "--set", "controller[0].cache.size=8000000000000")
    assert ran.code == 1
    said = " ".join(ran.err.split())
    assert "of memory" in said
    assert "976562500 lines of controllers' caches" in said


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


def test_every_example_comes_with_the_program(run):
    told = run("example", "--json").json()["examples"]
    files = {path.stem: path for path in (ROOT / "examples").glob("*.toml")}
    assert [one["name"] for one in told] == sorted(files)
    assert all(one["what"] for one in told)
    for name, path in files.items():
        assert run("example", name).out == path.read_text(encoding="utf-8")


def test_an_example_that_is_not_there(run):
    wrong = run("example", "mm2")
    assert wrong.code == 2
    assert "did you mean mm1?" in wrong.err


@pytest.mark.parametrize("file", ["experiment", "profile"])
def test_the_schemas_come_with_the_program(run, file):
    written = json.loads((ROOT / "schemas" / f"{file}.schema.json").read_text(encoding="utf-8"))
    assert run("schema", file).json() == written


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.toml")), ids=str)
def test_examples_are_right(example: Path):
    assert experiment.load(example).drives


def test_disksims_parameters_are_set_to_numbers_and_to_words() -> None:
    chosen = {"driver0/Scheduler:Scheduling policy": 2, "org0/Redundancy scheme": "Noredun"}
    assert overrides(chosen) == [
        ("driver0", "Scheduler:Scheduling policy", 2.0),
        ("org0", "Redundancy scheme", "Noredun"),
    ]
    for key, value in (("driver0", 2), ("driver0/type", True), ("driver0/type", [1])):
        with pytest.raises(InputError, match="a number or a word"):
            overrides({key: value})


def test_an_empty_experiment_is_no_trace(run, tmp_path):
    (tmp_path / "empty.toml").touch()
    ran = run("simulate", tmp_path / "empty.toml")
    assert ran.code == 2
    assert "drive" in ran.err
    assert "trace" not in ran.err
