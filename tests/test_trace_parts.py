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


@pytest.mark.parametrize(
    "command",
    [
        ("trace", "info", "TRACE"),
        ("trace", "convert", "TRACE", "OUT", "--to", "disksim-ascii"),
        ("simulate", "--profile", "hp-97560", "--trace", "TRACE", "--timing", "open"),
    ],
)
def test_a_window_without_requests_says_where_the_trace_ends(run, trace, tmp_path, command):
    words = [{"TRACE": trace, "OUT": tmp_path / "out"}.get(word, word) for word in command]
    refused = run(*words, "--from", "2h")
    assert refused.code == 2
    assert f"{trace}: holds no request from 7200 s on: its last arrives at 3599 s" in " ".join(
        refused.err.split()
    )


def test_one_device_is_converted(run, tmp_path):
    trace, target = tmp_path / "two.trace", tmp_path / "one.trace"
    trace.write_text("0 3 0 8 1\n1 4 8 8 1\n2 3 16 8 1\n")
    done = run("trace", "convert", trace, target, "--to", "disksim-ascii", "--device", 3, "--json")
    facts = done.json()
    assert (facts["requests"], facts["notes"]) == (2, {"of_other_devices": 1})
    assert [line.split()[1:3] for line in target.read_text().splitlines()] == [
        ["3", "0"],
        ["3", "16"],
    ]
    refused = run("trace", "convert", trace, target, "--to", "disksim-ascii", "--device", 5)
    assert refused.code == 2
    assert "has no request for device 5; it has 3, 4" in " ".join(refused.err.split())


def test_what_a_part_does_to_queues_is_said(run, trace, tmp_path):
    line = ("simulate", "-p", "hitachi-7k1000c", "-t", trace)
    assert run(*line, "--json").json()["remarks"] == []
    for words, told in (
        (("--trace-option", "sample=1/8"), "queues and responses are shorter"),
        (("--trace-option", "time_scale=2"), "queues are those of another load"),
        (("--from", "10m"), "queues and buffers are empty where it begins"),
        (("--device", "0"), "its own queue is whole"),
    ):
        remarks = run(*line, *words, "--json").json()["remarks"]
        assert [told in remark for remark in remarks] == [True], remarks
        for command in (line, ("trace", "info", trace)):
            assert told in " ".join(run(*command, *words).out.split()), command
    words = ("trace", "convert", trace, tmp_path / "out", "--to", "blkreplay")
    assert "note: a sample of 1/8" in run(*words, "--trace-option", "sample=1/8").out
