"""Traces that recorded response times: the wait for the device is in them, and stays in them."""

import csv

import pytest

TWO_AT_ONCE = """\
128166372003061629,usr,0,Read,0,4096,100000
128166372003061629,usr,0,Read,536870912,4096,200000
"""


@pytest.fixture
def trace(tmp_path):
    """Two requests of MSR Cambridge that come together: the second has to wait."""
    path = tmp_path / "msr.csv"
    path.write_text(TWO_AT_ONCE)
    return path


def test_they_are_held_against_simulated_response_times(run, trace, tmp_path):
    rows = tmp_path / "rows.csv"
    told = run("simulate", "-p", "mock", "-t", trace, "--per-request", rows, "--json").json()
    with rows.open(newline="") as file:
        served = list(csv.DictReader(file))
    responses = [float(row["response_ms"]) for row in served]
    assert responses[1] > float(served[1]["service_ms"]), "it waited"
    assert told["measures"] == "response"
    assert told["agreement"]["all"]["measured_mean_ms"] == pytest.approx(15.0)
    assert told["agreement"]["all"]["simulated_mean_ms"] == pytest.approx(sum(responses) / 2)
    # The column has service times, and there are none.
    assert [row["measured_ms"] for row in served] == ["", ""]
    said = run("simulate", "-p", "mock", "-t", trace).out
    assert "Against the response times in the trace" in said
    assert "response in the trace" in said


def test_service_times_are_held_against_service_times(run, tmp_path):
    load = tmp_path / "two.load"
    load.write_text("0.0 ; 0 ; 8 ; R ; 0.0 ; 0.010\n0.0 ; 4096 ; 8 ; R ; 0.010 ; 0.010\n")
    told = run("simulate", "-p", "mock", "-t", load, "--json").json()
    assert told["measures"] == "service"
    assert told["agreement"]["all"]["simulated_mean_ms"] == told["service"]["mean_ms"]


def test_a_trace_without_times_measures_nothing(run, tmp_path):
    bare = tmp_path / "bare.spc"
    bare.write_text("0,1,512,R,0.000000\n0,1,512,R,0.500000\n")
    told = run("simulate", "-p", "mock", "-t", bare, "--json").json()
    assert (told["measures"], told["agreement"]) == (None, None)


@pytest.mark.parametrize("target", ["blkparse-csv", "blkreplay", "disksim-validate"])
def test_a_conversion_to_service_times_says_so(run, tmp_path, target):
    trace = tmp_path / "msr.csv"
    trace.write_text(TWO_AT_ONCE.splitlines()[0])
    done = run("trace", "convert", trace, tmp_path / "out", "--to", target, "--json").json()
    assert done["losses"]["response_time_now_service_time"] == 1
