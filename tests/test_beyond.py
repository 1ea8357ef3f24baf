"""Requests of a trace that lie beyond the end of their drive, or over it: one rule everywhere."""

import pytest

DRIVE = "hp-c2200a"
END = 1_309_896 // 2
"""Of the drive, in the blocks of 512 bytes that the trace counts."""

WAYS = ["replay", "queue", "experiment"]
GOOD = "0.0 0 16 8 1\n"
BAD = {"straddles": f"1.0 0 {END - 4} 8 1\n", "beyond": f"1.0 0 {END + 100} 8 1\n"}

EXPERIMENT = f"""\
[[drive]]
profile = "{DRIVE}"

[[workload]]
kind = "trace"
file = "t.trace"
"""


def lines(place, how: str, bad: str) -> list[str]:
    """A run of the trace by one of the ways there are."""
    (place / "t.trace").write_text(f"{GOOD}{BAD[bad]}2.0 0 32 8 1\n")
    (place / "exp.toml").write_text(EXPERIMENT)
    replay = ["simulate", "-p", DRIVE, "-t", str(place / "t.trace")]
    ways = {
        "replay": replay,
        "queue": [*replay, "--scheduler", "fcfs"],
        "experiment": ["simulate", str(place / "exp.toml")],
    }
    return ways[how]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("bad", BAD)
def test_both_stop_the_command_before_any_output(run, tmp_path, how, bad):
    line = lines(tmp_path, how, bad)
    before = sorted(tmp_path.iterdir())
    rows = ["--per-request", tmp_path / "rows.parquet"]
    for rule in ([], ["--beyond", "stop"]):
        ran = run(*line, *rows, *rule)
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert "t.trace, line 2: " in ran.err
        assert "--beyond skip" in ran.err
        assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    ("rule", "served", "wrapped", "said"),
    [("skip", 2, 0, "refused 1"), ("wrap", 3, 1, "wrapped 1")],
)
def test_requests_are_left_out_or_moved_and_counted(
    run, tmp_path, how, bad, rule, served, wrapped, said
):
    line = [*lines(tmp_path, how, bad), "--beyond", rule]
    figures = run(*line, "--json").json()
    assert (figures["offered"], figures["served"], figures["wrapped"]) == (3, served, wrapped)
    assert said in run(*line).out


def test_an_experiment_can_say_it_itself(run, tmp_path):
    line = lines(tmp_path, "experiment", "beyond")
    (tmp_path / "exp.toml").write_text(f'{EXPERIMENT}beyond = "wrap"\n')
    assert run(*line, "--json").json()["wrapped"] == 1
    assert run(*line, "--beyond", "stop").code == 2


def test_another_word_is_refused(run, tmp_path):
    for how in WAYS:
        ran = run(*lines(tmp_path, how, "beyond"), "--beyond", "clip")
        assert ran.code == 2
        assert "stop, skip or wrap" in ran.err


def test_a_calibration_stops_likewise(run, tmp_path):
    lines(tmp_path, "replay", "straddles")
    ran = run("calibrate", "-p", DRIVE, "-t", tmp_path / "t.trace")
    assert (ran.code, ran.out) == (2, "")
    assert "line 2" in ran.err


@pytest.mark.parametrize("bad", BAD)
def test_a_grid_stops_likewise(run, tmp_path, bad):
    line = [*lines(tmp_path, "experiment", bad), "--vary", "host.scheduler.kind=fcfs,sptf"]
    table = tmp_path / "table.csv"
    ran = run(*line, "--table", table)
    assert (ran.code, ran.out, table.exists()) == (2, "", False)
    assert "t.trace, line 2: " in ran.err
    points = run(*line, "--beyond", "skip", "--json").json()["variations"]
    assert [point["outcome"]["served"] for point in points] == [2, 2]


@pytest.mark.parametrize("bad", BAD)
def test_a_page_of_a_drive_at_work_stops_likewise(run, tmp_path, bad):
    lines(tmp_path, "replay", bad)
    page = tmp_path / "page.html"
    line = ["show", DRIVE, "-t", tmp_path / "t.trace", "--out", page]
    ran = run(*line)
    assert (ran.code, ran.out, page.exists()) == (2, "", False)
    assert "t.trace, line 2: " in ran.err
    shown = {rule: run(*line, "--beyond", rule, "--json").json() for rule in ("skip", "wrap")}
    assert [answer["requests"] for answer in shown.values()] == [2, 3]
