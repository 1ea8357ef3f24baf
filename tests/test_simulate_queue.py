"""A trace or a flow in a driver's queue before one drive, and what is told of devices and times."""

import json

import pytest

from platterlab import _core, library
from platterlab.cli.console import duration
from platterlab.cli.values import device_name, device_word

# Ten requests that come at once, far and near by turns.
PLACES = [0, 4_000_000, 1_000, 3_900_000, 2_000, 3_800_000, 3_000, 3_700_000, 4_000, 3_600_000]
TRACE = "".join(f"0.0;{lba};8;R;0.0;0.0\n" for lba in PLACES)


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "burst.load"
    path.write_text(TRACE, encoding="utf-8")
    return path


def test_a_scheduler_orders_the_requests_of_a_trace(run, trace):
    elapsed_ms = {}
    for scheduler in ("fcfs", "sptf"):
        done = run("simulate", "-p", "hitachi-7k1000c", "-t", trace, "--scheduler", scheduler,
                   "--json")  # fmt: skip
        assert done.code == 0, done.err
        outcome = done.json()
        assert (outcome["offered"], outcome["served"]) == (10, 10)
        elapsed_ms[scheduler] = outcome["runs"][0]["report"]["elapsed_ms"]
    replayed = run("simulate", "-p", "hitachi-7k1000c", "-t", trace, "--json").json()
    assert elapsed_ms["fcfs"] == replayed["duration_ms"]
    assert elapsed_ms["sptf"] < 0.8 * elapsed_ms["fcfs"]


def test_a_trace_and_a_drive_may_have_any_name(run, tmp_path):
    folder = tmp_path / 'a "b" \x7f 💾'
    folder.mkdir()
    trace, drive = folder / "t.load", folder / "d.toml"
    trace.write_text(TRACE, encoding="utf-8")
    drive.write_text(library.load("mock").to_toml(), encoding="utf-8")
    done = run("simulate", "-p", drive, "-t", trace, "--scheduler", "sptf", "--json")
    assert done.code == 0, done.err


def test_a_scheduler_means_nothing_where_nothing_waits(run, trace):
    done = run("simulate", "-p", "mock", "-t", trace, "--scheduler", "sptf", "--timing", "closed")
    assert done.code == 2
    assert "leave --timing out, or --scheduler" in " ".join(done.err.split())


def test_the_hint_for_a_scheduler_of_an_experiment_works(run, tmp_path):
    file = tmp_path / "e.toml"
    file.write_text(
        '[stop]\nrequests = 10\n[[drive]]\nprofile = "mock"\n[[workload]]\nkind = "open"\n'
        'interval_ms = { kind = "exponential", mean = 30.0 }\n',
        encoding="utf-8",
    )
    done = run("simulate", file, "--scheduler", "sptf")
    assert done.code == 2
    assert "--set host.scheduler.kind=WORD" in done.err
    assert run("simulate", file, "--set", "host.scheduler.kind=sptf").code == 0


@pytest.mark.parametrize(
    ("captured", "modelled", "told"),
    [("none", "fcfs", False), ("mq-deadline", "mq-deadline", False), ("bfq", "fcfs", True)],
)
def test_a_flow_has_the_scheduler_that_it_was_captured_under(
    run, tmp_path, monkeypatch, captured, modelled, told
):
    flow = tmp_path / "task.flow"
    _core.task_write("removetree", flow, seed=1)
    monkeypatch.setattr("platterlab.experiment.flow_scheduler", lambda _path: captured)
    done = run("simulate", flow, "--profile", "hitachi-7k1000c", "--json")
    assert done.code == 0, done.err
    assert done.json()["manifest"]["scheduler"] == modelled
    assert (f"`{captured}`, of which there is no model" in " ".join(done.err.split())) == told


def test_a_devices_number_is_told_as_linux_tells_it():
    assert device_name(271_581_184, "blktrace") == "259:0"
    assert device_name(8 << 20 | 17, "blktrace") == "8:17"
    assert device_name(271_581_184, "hp-srt") == "271581184"
    assert device_word("259:0") == device_word("271581184") == 271_581_184


@pytest.mark.parametrize("text", ["-1", "1:", ":1", "1:2:3", "4096:0", "1:1048576", "9" * 30])
def test_what_is_no_device_is_bad_usage(run, trace, text):
    done = run("simulate", "-p", "mock", "-t", trace, f"--device={text}")
    assert done.code == 2
    assert "is not a device" in done.err


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0.5, "0.50 ms"), (999.0, "999.00 ms"), (12_345.6, "12.346 s"), (61_000.0, "1 min 1 s"),
        (3_600_000.0, "1 h 0 min"), (603_064_589.0, "7 d 0 h"),
    ],
)  # fmt: skip
def test_times_are_in_units_that_people_read(ms, said):
    assert duration(ms) == said


def test_an_unknown_trace_option_lists_those_there_are(run, trace):
    done = run("trace", "info", trace, "--trace-option", "foo=1")
    assert done.code == 2
    assert "`foo` is not a trace option" in done.err
    assert "gap = before or after" in " ".join(done.err.split())


def test_notes_stand_above_the_progress_bar(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    from platterlab.cli.console import meter

    with meter("simulating") as show:
        show(0.2)
        show.note("this is said")
    lines = capsys.readouterr().err.replace("\r", "\n").splitlines()
    told = [line for line in lines if "this is said" in line]
    assert told
    assert all("simulating" not in line for line in told)


def test_json_keeps_milliseconds(run, trace):
    facts = json.loads(run("trace", "info", trace, "--json").out)
    assert isinstance(facts["duration_ms"], float)
