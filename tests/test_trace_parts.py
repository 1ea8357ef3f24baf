"""Parts of traces: windows, another speed, samples of addresses."""

import pytest


@pytest.fixture
def trace(tmp_path):
    """A request every second for an hour, each in a mebibyte of its own."""
    path = tmp_path / "hour.load"
    rows = "".join(f"{second} ; {second * 2048} ; 8 ; R ; 0 ; 0\n" for second in range(3600))
    path.write_text("start ; sector; length ; op ; a ; b\n" + rows)
    return path


def _info(run, trace, *options):
    pairs = [word for option in options for word in ("--trace-option", option)]
    return run("trace", "info", trace, *pairs, "--json").json()


def test_a_window_of_time(run, trace):
    facts = _info(run, trace, "from=10m", "for=0.5h")
    assert facts["requests"] == 1800
    assert facts["notes"]["outside_the_window"] == 1800
    assert facts["duration_ms"] == 1_799_000


def test_another_speed(run, trace):
    assert _info(run, trace, "time_scale=0.5")["duration_ms"] == 1_799_500


def test_a_sample_is_of_addresses_and_repeatable(run, trace):
    facts = _info(run, trace, "sample=1/8")
    assert 300 < facts["requests"] < 600
    assert facts["requests"] + facts["notes"]["not_in_the_sample"] == 3600
    assert _info(run, trace, "sample=1/8") == facts


@pytest.mark.parametrize("option", ["from=soon", "for=-1s", "time_scale=0", "sample=8", "fro=1m"])
def test_wrong_parts_are_explained(run, trace, option):
    refused = run("trace", "info", trace, "--trace-option", option)
    assert refused.code == 2
    assert option.split("=", maxsplit=1)[0] in refused.err
