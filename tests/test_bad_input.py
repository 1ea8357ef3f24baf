"""Bad input at the command line: exit code 2, the place and what is wrong, and nothing left behind.

What is wrong deep inside a format or a profile is tested in the crates; here stands one of each
kind, as a user meets it.
"""

import os
import re
import struct
import subprocess
import sys

import pytest

from platterlab import library
from platterlab.__main__ import main

DRIVE = "hp-c2200a"
CAPACITY_BLOCKS = 1_309_896 // 2
"""Of the drive, in the blocks of 512 bytes that the text formats count."""

GOOD = "0.0 0 16 8 1\n"
"""A request of DiskSim's ascii format."""


def srt_record(sec: int, block: int, length: int = 8192) -> bytes:
    """A record of HP SRT: one read of drive 0."""
    return struct.pack(">14i", 56, 0, sec, 0, 50, 20_000, length, block, 0, 0, 0, 1, 0, 0)


SRT_HEADER = b"$$TR_IOREC-1.3\ndisks = { 0 -> { sectorsize = 256 } };\n\x0c"
SECOND_RECORD = len(SRT_HEADER) + 56

TRACES = {
    "empty": (b"", [], "is empty"),
    "garbage": (b"\xff\xfe\x00\x01garbage\x02" * 40, [], "no format known"),
    "garbage-line": (f"{GOOD}\x01\x02 ?? garbage\n".encode(), [], "line 2"),
    "wrong-format": (GOOD.encode(), ["--format", "hp-srt"], "looks like disksim-ascii"),
    "unknown-format": (GOOD.encode(), ["--format", "hp-str"], "hp-srt"),
    "truncated-line": (f"{GOOD}1.0 0 16".encode(), [], "line 2"),
    "truncated-record": (
        SRT_HEADER + srt_record(9, 32) + srt_record(10, 32)[:30], [], f"byte {SECOND_RECORD}",
    ),
    "negative-address": (f"{GOOD}1.0 0 -5 8 1\n".encode(), [], "line 2"),
    "negative-address-in-bytes": (
        SRT_HEADER + srt_record(9, 32) + srt_record(10, -32), [], f"byte {SECOND_RECORD}",
    ),
    "address-at-capacity": (f"{GOOD}1.0 0 {CAPACITY_BLOCKS} 8 1\n".encode(), [], "line 2"),
    "address-at-capacity-in-bytes": (
        SRT_HEADER + srt_record(9, 32) + srt_record(10, 1_309_896), [], f"byte {SECOND_RECORD}",
    ),
    "address-beyond-63-bits": (f"{GOOD}1.0 0 {2**63} 8 1\n".encode(), [], "line 2"),
    "address-beyond-64-bits": (f"{GOOD}1.0 0 {2**70} 8 1\n".encode(), [], "line 2"),
    "length-zero": (f"{GOOD}1.0 0 16 0 1\n".encode(), [], "line 2"),
    "length-zero-in-bytes": (
        SRT_HEADER + srt_record(9, 32) + srt_record(10, 32, 0), [], f"byte {SECOND_RECORD}",
    ),
    "time-backwards": (f"5.0 0 16 8 1\n{GOOD}".encode(), [], "line 2"),
    "time-backwards-in-bytes": (
        SRT_HEADER + srt_record(9, 32) + srt_record(8, 32), [], f"byte {SECOND_RECORD}",
    ),
    "unknown-drive": (GOOD.encode(), ["--device", "9"], "device 9"),
    "not-a-number": (f"{GOOD}nan 0 16 8 1\n".encode(), [], "line 2"),
    "infinite": (f"{GOOD}inf 0 16 8 1\n".encode(), [], "line 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", TRACES)
def test_a_bad_trace_is_named_with_its_place(run, tmp_path, name):
    content, arguments, said = TRACES[name]
    trace, rows = tmp_path / "bad.trace", tmp_path / "rows.parquet"
    trace.write_bytes(content)
    ran = run("simulate", "-p", DRIVE, "-t", trace, "--per-request", rows, *arguments)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert ran.err.startswith("platterlab: ")
    assert ran.err.count("\n") == 1
    assert said in ran.err
    if name != "unknown-format":
        assert "bad.trace" in ran.err
    assert list(tmp_path.iterdir()) == [trace]


@pytest.mark.parametrize("command", [["simulate", "-p", DRIVE, "-t"], ["trace", "info"]])
def test_a_missing_trace_is_named(run, tmp_path, command):
    ran = run(*command, tmp_path / "gone.trace")
    assert (ran.code, ran.out) == (2, "")
    assert "gone.trace" in ran.err


@pytest.mark.parametrize("command", [["simulate", "-p", DRIVE, "-t"], ["trace", "info"]])
def test_what_is_no_file_is_not_said_to_be_missing(run, tmp_path, command):
    os.mkfifo(tmp_path / "pipe.trace")
    ran = run(*command, tmp_path / "pipe.trace")
    assert (ran.code, ran.out) == (2, "")
    assert "pipe.trace: is not a regular file" in ran.err


def test_a_key_of_the_host_is_told_the_option_that_a_drive_alone_has(run, ascii_trace):
    ran = run("simulate", "-p", DRIVE, "-t", ascii_trace, "--set", "host.scheduler.kind=sptf")
    assert (ran.code, ran.out) == (2, "")
    assert "--scheduler" in ran.err


SEEK_TABLE = '[seek]\nkind = "table"\npoints = [[1, 3.0], [20, 4.0], [10, 5.0]]\n'
TWO_ZONES = """\
[[zone]]
cylinders = [0, {end}]
sectors_per_track = 114
track_skew_sectors = 34
cylinder_skew_sectors = 46

[[zone]]
cylinders = [{start}, 1448]
sectors_per_track = 100
track_skew_sectors = 34
cylinder_skew_sectors = 46
"""

PROFILES = {
    "unknown-key": (r"speed_rpm = 4002", "sped_rpm = 4002", "speed_rpm"),
    "wrong-type": (r"speed_rpm = 4002", 'speed_rpm = "fast"', "speed_rpm"),
    "wrong-unit": (r'buffer = "32k"', 'buffer = "32 parsecs"', "buffer"),
    "unit-of-another-kind": (r"speed_rpm = 4002", "speed_hz = 66.7", "speed_rpm"),
    "not-a-number": (r"speed_rpm = 4002", "speed_rpm = nan", "speed_rpm"),
    "zero-rpm": (r"speed_rpm = 4002", "speed_rpm = 0", "speed_rpm"),
    "overlapping-zones": (r"\[\[zone\]\]\n(.+\n)+", TWO_ZONES.format(end=800, start=700), "zone"),
    "zones-with-a-gap": (r"\[\[zone\]\]\n(.+\n)+", TWO_ZONES.format(end=700, start=800), "zone"),
    "seek-table-out-of-order": (r"\[seek\]\n(.+\n)+", SEEK_TABLE, "points"),
    "not-toml": (r"\[spindle\]", "[spindle", "line"),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_bad_profile_is_named_with_its_key_and_line(run, ascii_trace, tmp_path, name):
    pattern, instead, said = PROFILES[name]
    _, good = library.drives()[DRIVE]
    # Provenance of keys that are no longer there would be an error of its own.
    body = good[: good.index("[provenance")]
    bad, times = re.subn(pattern, lambda _: instead, body)
    assert times == 1, "the profile of the library no longer has what this test changes"
    profile = tmp_path / "bad.toml"
    profile.write_text(bad)
    before = sorted(tmp_path.iterdir())
    rows = tmp_path / "rows.parquet"
    for command in (
        ["simulate", "-p", profile, "-t", ascii_trace, "--per-request", rows],
        ["profile", "show", profile],
    ):
        ran = run(*command)
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert re.search(r"bad\.toml, line \d+", ran.err), ran.err
        assert said in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_profile_is_no_file_of_gigabytes(run, tmp_path):
    with (tmp_path / "huge.toml").open("wb") as huge:
        huge.truncate(1 << 33)
    ran = run("profile", "show", tmp_path / "huge.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "is too large" in ran.err


def test_an_experiment_names_no_pipe_for_its_trace(tmp_path):
    # In a process of its own: what waited for somebody to write there would wait for ever.
    os.mkfifo(tmp_path / "pipe.trace")
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "it.toml").write_text(
        f'[[drive]]\nprofile = "{DRIVE}"\n\n[[workload]]\nkind = "trace"\nfile = "pipe.trace"\n'
    )
    for line in (
        ["simulate", "it.toml"],
        ["simulate", "pipe.toml"],
        ["profile", "show", "./pipe.toml"],
        ["profile", "import", "pipe.toml"],
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "platterlab", *line],
            cwd=tmp_path, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert ran.returncode == 2, ran
        assert "is not a regular file but a pipe" in ran.stderr


def test_a_second_interruption_is_no_traceback(monkeypatch):
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("platterlab.cli.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
