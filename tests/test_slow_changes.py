"""Drift of the spindle and recalibration of the arm, as a profile states them."""

import pytest

DRIFT = ("--set", "spindle.drift_ppm=2000", "--set", "spindle.drift_period_s=60")
RECALIBRATION = ("--set", "recalibration.every_s=1", "--set", "recalibration.takes_ms=600")


@pytest.fixture
def trace(tmp_path):
    """A read of one sector every 50 ms, ten seconds long."""
    path = tmp_path / "t.trace"
    path.write_text("".join(f"{50.0 * n} 0 {7_919 * n} 1 1\n" for n in range(200)))
    return path


def responses(run, trace, *more):
    rows = trace.with_suffix(".csv")
    rows.unlink(missing_ok=True)
    done = run("simulate", "-p", "hp-97560", "-t", trace, "--per-request", rows, *more)
    assert done.code == 0, done.err
    head, *lines = rows.read_text().splitlines()
    at = head.replace('"', "").split(",").index("response_ms")
    return [float(line.split(",")[at]) for line in lines]


def test_recalibrations_are_met_by_those_who_come_meanwhile(run, trace):
    never, some = responses(run, trace), responses(run, trace, *RECALIBRATION)
    met = [n for n in range(200) if some[n] > never[n] + 100]
    assert max(some) > 600 > 100 > max(never)
    assert {n * 50 // 1_000 for n in met} >= set(range(1, 10))
    assert not [n for n in met if n < 20]


def test_a_drift_moves_single_requests_and_not_the_mean(run, trace):
    steady, drifting = responses(run, trace), responses(run, trace, *DRIFT)
    assert steady != drifting
    assert sum(drifting) == pytest.approx(sum(steady), rel=0.1)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (DRIFT[:2], "spindle.drift_period_s: is missing; it is needed with `drift_ppm`"),
        (DRIFT[2:], "spindle.drift_ppm: is missing; it is needed with `drift_period_s`"),
        (RECALIBRATION[:2], "recalibration.takes_ms: is missing"),
        ((*RECALIBRATION[:2], "--set", "recalibration.takes_ms=1000"), "is shorter than from one"),
        (("--set", "spindle.drift_ppm=-1", *DRIFT[2:]), "spindle.drift_ppm"),
    ],
)
def test_what_is_stated_by_half_or_wrongly_is_refused(run, trace, stated, said):
    done = run("simulate", "-p", "hp-97560", "-t", trace, *stated)
    assert done.code == 2
    assert said in " ".join(done.err.split())
