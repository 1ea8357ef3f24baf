"""Calibration of what is not a trace of a drive: one message, exit code 2, and nothing fitted."""

import os

import numpy as np
import pytest

DRIVE = "hp-c2200a"
REQUESTS = 600


def validate_trace(service_us: np.ndarray) -> str:
    """DiskSim's validation format: requests all over the drive, with these times."""
    places = np.random.default_rng(3).integers(0, 600_000, len(service_us))
    return "".join(
        f"R Hit {at} 4 {us:.6f} 20000.0\n" for at, us in zip(places, service_us, strict=True)
    )


PLAUSIBLE_US = np.random.default_rng(4).uniform(5_000, 35_000, REQUESTS)

TIMES = {
    "milliseconds-for-microseconds": (PLAUSIBLE_US[:400] / 2e3, "no drive answers"),
    "seconds-for-microseconds": (PLAUSIBLE_US / 1e6, "no drive answers"),
    "none-at-all": (PLAUSIBLE_US * 0, "99 % of the requests take 0 ms"),
    "nanoseconds-for-microseconds": (PLAUSIBLE_US * 1e3, "in another unit"),
    "one-time-negative": (np.append(PLAUSIBLE_US, -1.0), f"line {REQUESTS + 1}"),
    "one-time-not-a-number": (np.append(PLAUSIBLE_US, np.nan), f"line {REQUESTS + 1}"),
    "too-few": (PLAUSIBLE_US[:50], "50 requests of device 0"),
}


@pytest.mark.parametrize("name", TIMES)
def test_times_that_are_no_drives_are_refused(run, tmp_path, name):
    service_us, said = TIMES[name]
    trace, out = tmp_path / "bad.trace", tmp_path / "better.toml"
    trace.write_text(validate_trace(service_us))
    ran = run("calibrate", "-p", DRIVE, "--rough", "-t", trace, "--out", out)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert ran.err.startswith(f"platterlab: {trace}")
    assert ran.err.count("\n") == 1
    assert said in ran.err
    assert not out.exists()


def test_a_request_beyond_the_drive_is_named_with_its_line(run, tmp_path):
    trace = tmp_path / "of-another-drive.trace"
    lines = validate_trace(PLAUSIBLE_US).splitlines(keepends=True)
    lines[299] = "R Hit 99999999 4 9000.0 20000.0\n"
    trace.write_text("".join(lines))
    ran = run("calibrate", "-p", DRIVE, "--rough", "-t", trace)
    assert ran.code == 2
    said = f"platterlab: {trace}, line 300: 4 sectors from 99999999 on: beyond the end of the drive"
    assert ran.err.startswith(said)


def test_a_trace_without_service_times_is_named(run, tmp_path):
    trace = tmp_path / "arrivals.trace"
    trace.write_text(
        "".join(f"{10.0 * number} 0 {64 * number} 8 1\n" for number in range(REQUESTS))
    )
    ran = run("calibrate", "-p", DRIVE, "-t", trace)
    assert ran.code == 2
    assert ran.err.startswith(f"platterlab: {trace}: has no service times")


def test_where_nothing_can_be_written_is_said_before_the_work(run, tmp_path, monkeypatch):
    def never(*_arguments):
        raise AssertionError("the fit was begun")

    monkeypatch.setattr("platterlab.calibration.procedure.read_trace", never)
    trace = tmp_path / "good.trace"
    trace.write_text(validate_trace(PLAUSIBLE_US))
    command = ["calibrate", "-p", DRIVE, "-t", trace]
    for arguments, said in (
        (["--out", tmp_path / "gone" / "x.toml"], "there is no folder"),
        (["--out", tmp_path], "is a folder"),
        (["--resume", trace], "is a file; name a folder"),
    ):
        ran = run(*command, *arguments)
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert said in ran.err
    monkeypatch.setattr("os.access", lambda _path, mode: not mode & os.W_OK)
    ran = run(*command, "--out", tmp_path / "x.toml")
    assert ran.code == 2
    assert f"you may not write in the folder {tmp_path}" in ran.err


def test_a_file_for_disksim_is_not_taken_for_a_profile(run, tmp_path):
    drive = tmp_path / "drive.diskspecs"
    drive.write_text("disksim_disk D { }\n")
    ran = run("profile", "show", drive)
    assert ran.code == 2
    assert f"platterlab profile import {drive}" in ran.err


def test_a_mapping_beside_the_trace_is_taken_as_if_it_were_named(run, tmp_path):
    trace = tmp_path / "mine.csv"
    at_ms = np.cumsum(PLAUSIBLE_US / 1e3 + 20.0)
    rows = zip(at_ms - PLAUSIBLE_US / 1e3, PLAUSIBLE_US, strict=True)
    lines = (f"{at:.4f},{997 * number},8,R,{us:.1f}\n" for number, (at, us) in enumerate(rows))
    trace.write_text("begun,place,many,what,took\n" + "".join(lines))
    columns = "time=begun:ms, lba=place:sectors, size=many:sectors, op=what, service=took:us"
    command = ("calibrate", "-p", DRIVE, "--rough", "-t", trace, "--json")
    assert run(*command).code == 2
    named = run(*command, "--columns", columns)
    (tmp_path / "mine.csv.toml").write_text(f'columns = "{columns}"\n')
    beside = run(*command)
    assert (beside.code, beside.json()["requests"]) == (0, REQUESTS), beside.err
    assert beside.json()["values"] == named.json()["values"]
