"""The other commands, and the command line as a whole."""

import re
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import COMMAND, command
from help_texts import commands
from platterlab import cli, studies
from platterlab.studies import Outcome, Row, Study, criteria
from platterlab.studies.constants import Constant
from platterlab.studies.criteria import Criterion

DRIVE = "hp-c2200a"


@pytest.fixture
def rows(run, measured_trace, tmp_path):
    target = tmp_path / "rows.parquet"
    arguments = ("-p", DRIVE, "-t", measured_trace, "--timing", "closed", "--per-request", target)
    assert run("simulate", *arguments).code == 0
    return target


def test_compare_reads_one_file_or_two(run, rows):
    one = run("compare", rows, "--json").json()["groups"]
    two = run("compare", rows, rows, "--json").json()["groups"]
    assert one == two
    assert one["all"]["demerit_ms"] > 0


def test_compare_of_shifted_times_gives_the_shift(run, tmp_path):
    times_ms = np.linspace(5, 30, 100)
    for name, shift_ms in (("real", 0.0), ("model", 0.3)):
        table = pa.table({"service_ms": times_ms + shift_ms})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    found = run("compare", tmp_path / "real.parquet", tmp_path / "model.parquet", "--json").json()
    overall = found["groups"]["all"]
    assert overall["demerit_ms"] == pytest.approx(0.3)
    assert overall["demerit_pct"] == pytest.approx(0.3 / 17.5 * 100)
    assert (overall["within_100_us"], overall["within_500_us"]) == (0, 1)


def test_compare_of_unequal_numbers_has_no_single_errors(run, tmp_path):
    for name, many in (("real", 1000), ("model", 100)):
        times_ms = (np.arange(many) + 0.5) / many
        pq.write_table(pa.table({"service_ms": times_ms}), tmp_path / f"{name}.parquet")
    found = run("compare", tmp_path / "real.parquet", tmp_path / "model.parquet", "--json").json()
    overall = found["groups"]["all"]
    assert overall["demerit_ms"] < 0.001
    assert "rmse_ms" not in overall


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.parquet", None, "no such file"),
        ("text.parquet", b"not Parquet", "is not a parquet file"),
        ("rows.xls", b"", ".parquet or .csv"),
        ("other.csv", b"a,b\n1,2\n", "measured_ms"),
    ],
)
def test_compare_names_what_is_wrong(run, tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ran = run("compare", tmp_path / name)
    assert ran.code == 2
    assert name in ran.err
    assert said in ran.err


def test_report_is_one_page_without_a_network(run, rows):
    told = run("report", rows, "--json").json()
    page = rows.with_suffix(".html").read_text(encoding="utf-8")
    assert told["requests"] == 500
    assert told["bytes"] == len(page.encode())
    assert "HP C2200A" in page
    assert "demerit" in page
    assert page.count('<div class="chart"><svg') == 5
    for outside in ('src="http', "src='http", "<link", "@import", "url(http"):
        assert outside not in page


def test_report_of_something_else_leaves_nothing(run, tmp_path):
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"service_ms": [1.0]}), other)
    ran = run("report", other)
    assert ran.code == 2
    assert "response_ms" in ran.err
    assert list(tmp_path.iterdir()) == [other]


def test_profiles_are_listed_shown_and_checked(run, tmp_path):
    listed = run("profile", "list", "--json").json()["profiles"]
    assert DRIVE in [one["profile"] for one in listed]
    shown = run("profile", "show", DRIVE, "--json", "--set", "spindle.speed_rpm=5400").json()
    speed = next(one for one in shown["values"] if one["key"] == "spindle.speed_rpm")
    assert (speed["value"], speed["kind"]) == (5400, "assumed")
    assert shown["derived"]["rotation_ms"] == pytest.approx(60_000 / 5400)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("name = 3\n")
    checked = run("profile", "check", DRIVE, wrong)
    assert checked.code == 2
    assert f"{DRIVE}: correct" in checked.out
    # A long path may be broken over lines.
    assert "wrong.toml, line 1" in checked.out.replace("\n", "")


def test_the_schema_is_json(run):
    assert run("profile", "schema").json()["title"]


def test_traces_are_told_and_converted(run, measured_trace, tmp_path):
    told = run("trace", "info", measured_trace, "--json").json()
    assert (told["format"], told["requests"]) == ("disksim-validate", 500)
    target = tmp_path / "same.trace"
    done = run("trace", "convert", measured_trace, target, "--to", "disksim-ascii", "--json").json()
    assert done["requests"] == 500
    assert done["losses"]["service_time"] == 500
    again = run("trace", "info", target, "--json").json()
    assert (again["format"], again["reads"]) == ("disksim-ascii", told["reads"])
    assert "disksim-ascii" in run("trace", "formats").out


def test_a_conversion_that_cannot_be_leaves_no_file(run, ascii_trace, tmp_path):
    target = tmp_path / "measured.trace"
    ran = run("trace", "convert", ascii_trace, target, "--to", "disksim-validate")
    assert ran.code == 2
    assert not target.exists()


def test_a_study_says_paper_ours_tolerance_and_verdict(run, monkeypatch):
    rows = [
        Row("near", "nearly the same", paper=10.0, ours=10.4, unit="ms", criterion=criteria.MEAN),
        Row(
            "most",
            "not more",
            paper=5.0,
            ours=4.0,
            unit="%",
            bound="at-most",
            criterion=criteria.EXACT,
        ),
        Row("new", "new here", paper=None, ours=1.0, unit="ms"),
    ]
    one = Study("one", "A study", "A paper, Table 1", lambda _request: Outcome(rows))
    monkeypatch.setattr(studies, "find", lambda _name: one)
    told = run("study", "one", "--json").json()
    assert [row["within"] for row in told["rows"]] == [True, True, None]
    assert (told["study"], told["holds"]) == ("one", True)
    assert "holds" in run("study", "one").out
    rows.append(Row("far", "far off", paper=1.0, ours=2.0, unit="ms", criterion=criteria.MEAN))
    ran = run("study", "one")
    assert ran.code == 1
    assert "off" in ran.out


def test_studies_are_listed(run):
    assert run("study", "list").code == 0
    assert run("study", "list", "--json").json()["studies"] is not None
    ran = run("study", "nothing")
    assert ran.code == 2


@pytest.mark.parametrize("arguments", [[], ["simulat"], ["simulate"], ["trace", "info", "--x"]])
def test_bad_usage_is_exit_code_2(run, arguments):
    assert run(*arguments).code == 2


def test_version_and_help():
    assert command("--version").stdout.startswith("platterlab ")
    helped = command("simulate", "--help")
    assert helped.returncode == 0
    assert "--per-request" in helped.stdout


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_what_needs_no_command_loads_none(argument):
    line = "import sys; from platterlab import cli; cli.run(sys.argv[1:]); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", line, argument], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.splitlines()[-1].split())
    assert "platterlab.cli" in loaded
    assert loaded.isdisjoint({"scipy", "matplotlib", "altair", "pyarrow"})
    assert loaded.isdisjoint({f"platterlab.cli.{name}" for name in cli.COMMANDS})


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_list_says_of_each_command_what_its_own_help_begins_with(name):
    first, *_ = cli.command(name).help.split("\n\n")
    assert " ".join(first.split()) == cli.COMMANDS[name]


def test_every_whole_number_has_a_largest():
    """One beyond any machine's integers would be a traceback; `profile new` has its own bounds."""
    without = [
        (*one.words, taken.name)
        for one in commands()
        for taken in (*one.options, *one.arguments)
        if "<int" in taken.kind and not re.search(r"<=x<=\d+", taken.kind)
    ]
    assert {words[:2] for words in without} <= {("profile", "new")}, without


def test_a_reader_that_goes_away_is_no_traceback():
    line = f"{COMMAND} profile schema | head -c 10"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert ran.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_no_file(tmp_path, number):
    regular = tmp_path / "long.trace"
    with regular.open("w") as file:
        file.writelines(f"{index} 0 {index * 7919 % 600000} 8 1\n" for index in range(3_000_000))
    target = tmp_path / "rows.csv"
    line = [COMMAND, "simulate", "-p", DRIVE, "-t", regular, "--per-request", target]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob(".rows.csv*.partial")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == "platterlab: interrupted\n"
    assert sorted(tmp_path.iterdir()) == [regular]


def test_a_sensitivity_run_tells_which_verdicts_flip(run, monkeypatch):
    gap = Constant("gap_sectors", 1.0, (2.0, 9.0), "assumed")

    def result(request):
        ours = 10.0 * request.constant(gap)
        double = Criterion("double", "for this test", share=1.0)
        return Outcome([Row("a", "a", paper=10.0, ours=ours, unit="ms", criterion=double)])

    one = Study("one", "A study", "A paper", result, (gap,))
    monkeypatch.setattr(studies, "find", lambda _name: one)
    told = run("study", "one", "--sensitivity", "--json").json()
    assert [(part["value"], len(part["flips"])) for part in told["variations"]] == [(2, 0), (9, 1)]
    assert told["constants"][0]["source"] == "assumed"
    text = run("study", "one", "--sensitivity").out
    assert "gap_sectors = 9 in place of 1: 1 of 1 verdicts flip" in text
    assert "a: reproduced (10.0) to not reproduced (90.0)" in text
    monkeypatch.setattr(studies, "find", lambda _name: Study("one", "A study", "A paper", result))
    assert run("study", "one", "--sensitivity").code == 2
