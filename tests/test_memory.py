"""What systems of very many parts take, and that what cannot fit is refused before it is taken."""

import gzip
import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from conftest import FIGURES, command

MIB = 1 << 20
PACKED = 10_000
"""Requests in each part of a trace that is packed with gzip."""
PEAK = """
import resource, sys
from platterlab import cli
code = cli.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def peak_bytes(*line: object, stdout: int | IO[str] = subprocess.DEVNULL) -> int:
    """The most memory that a command had."""
    command_line = [sys.executable, "-c", PEAK, *map(str, line)]
    ran = subprocess.run(
        command_line, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return int(ran.stderr.split()[-1]) << 10


def experiment(folder: Path, drives: int, workload: str) -> Path:
    path = folder / "experiment.toml"
    path.write_text(f'[[drive]]\nprofile = "mock"\ncount = {drives}\n[[workload]]\n{workload}')
    return path


def closed(folder: Path, clients: int, requests: int) -> Path:
    workload = f'kind = "closed"\npopulation = {clients}\nrequests = {requests}\n'
    return experiment(folder, 1, workload + "[stop]\nqueue_limit = 10000000\n")


@pytest.mark.parametrize(
    ("requests", "most"),
    [(1_000, 200), (200_001, 300)],
    ids=["alone", "with its request under way"],
)
def test_a_client_is_small(tmp_path, requests, most):
    one = peak_bytes("simulate", closed(tmp_path, 1, 1_000))
    many = peak_bytes("simulate", closed(tmp_path, 200_000, requests))
    each = (many - one) / 200_000
    FIGURES.append(f"a closed client of 200,000, {requests:,} requests: {each:.0f} bytes")
    assert each <= most


@pytest.mark.soak
def test_a_million_clients_in_flight_take_300_bytes_each(tmp_path):
    one = peak_bytes("simulate", closed(tmp_path, 1, 1_000_001))
    many = peak_bytes("simulate", closed(tmp_path, 1_000_000, 1_000_001))
    each = (many - one) / 1e6
    FIGURES.append(f"a closed client of 1,000,000, all in flight: {each:.0f} bytes")
    assert each <= 300


@pytest.mark.soak
def test_65000_workloads_take_little_memory_and_come_to_their_end(tmp_path):
    one = (
        'name = "w{}"\nkind = "open"\ninterval_ms = {{ kind = "constant", value = 1000 }}\n'
        "requests = 3\n"
    )
    all_ = "[[workload]]\n".join(one.format(number) for number in range(65_000))
    taken = peak_bytes("simulate", experiment(tmp_path, 4, all_))
    FIGURES.append(f"65,000 workloads: {taken / 1e9:.2f} GB")
    assert taken <= 2.5e9


@pytest.mark.soak
def test_65536_drives_fit_two_gigabytes(tmp_path):
    workload = 'kind = "open"\ninterval_ms = { kind = "exponential", mean = 1 }\nrequests = 1000\n'
    taken = peak_bytes("simulate", experiment(tmp_path, 65_536, workload), "--json")
    FIGURES.append(f"65,536 drives: {taken / 1e9:.2f} GB")
    assert taken <= 2e9


def replayed(folder: Path, requests: int) -> tuple[int, int]:
    """Requests served of a trace so long, and the most memory that it took."""
    lines = "".join(f"R Miss {1999 * i % 600_000} 8 12345 12000\n" for i in range(PACKED))
    packed = gzip.compress(lines.encode(), mtime=0)
    path = folder / "long.trace.gz"
    with path.open("wb") as file:
        for _ in range(requests // PACKED):
            file.write(packed)
    table = folder / "summary.json"
    line = ["simulate", "-p", "mock", "-t", path, "--timing", "closed", "--json"]
    with table.open("w") as out:
        taken = peak_bytes(*line, stdout=out)
    return json.loads(table.read_text())["served"], taken


def as_little_as_a_short_one(folder: Path, requests: int) -> None:
    short, of_short = replayed(folder, 1_000_000)
    long, of_long = replayed(folder, requests)
    assert (short, long) == (1_000_000, requests)
    FIGURES.append(f"a trace of {requests:,} requests: {of_long / MIB:.0f} MiB")
    assert of_long - of_short < 8 * MIB, (of_short, of_long)


def test_a_trace_is_read_in_constant_memory(tmp_path):
    as_little_as_a_short_one(tmp_path, 3_000_000)


@pytest.mark.soak
def test_a_trace_of_100_million_requests_is_read_in_constant_memory(tmp_path):
    as_little_as_a_short_one(tmp_path, 100_000_000)


QUEUE = """
[[drive]]
profile = "mock"
[host.scheduler]
kind = "{}"
[[workload]]
kind = "closed"
population = 1_000_000
requests = 1_001_000
[stop]
queue_limit = 2_000_000
"""


@pytest.mark.soak
@pytest.mark.parametrize("scheduler", ["fcfs", "c-look", "sptf"])
def test_a_queue_of_a_million_is_worked_off(tmp_path, scheduler):
    path = tmp_path / "queue.toml"
    path.write_text(QUEUE.format(scheduler))
    with (tmp_path / "summary.json").open("w") as out:
        taken = peak_bytes("simulate", path, "--json", stdout=out)
    report = json.loads((tmp_path / "summary.json").read_text())
    FIGURES.append(f"a queue of 1,000,000 under {scheduler}: {taken / 1e9:.2f} GB")
    assert (report["offered"], report["served"]) == (1_001_000, 1_001_000)
    assert report["runs"][0]["report"]["devices"][0]["longest_queue"] >= 999_999
    assert taken <= 6e8


def limited(*line: object) -> subprocess.CompletedProcess[str]:
    """A command that may have 2 GiB."""
    most = 2048 * MIB
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))  # noqa: E731
    return command(*line, preexec_fn=limit)


@pytest.mark.parametrize(("drives", "tables"), [(1, 8), (100_000, 1)], ids=["clients", "drives"])
def test_what_cannot_fit_is_refused_before_it_is_taken(tmp_path, drives, tables):
    workload = 'name = "{}"\nkind = "closed"\npopulation = 1000000\nrequests = 10\n'
    all_ = "[[workload]]\n".join(workload.format(number) for number in range(tables))
    ran = limited("simulate", experiment(tmp_path, drives, all_))
    assert ran.returncode == 1, ran.stderr
    said = ran.stderr.replace("\n", " ")
    assert re.search(r"about [\d.]+ GB of memory \(.* clients, .* drives, .* workloads,", said)
    assert "and there are" in said


@pytest.mark.parametrize("by", ["vary", "sweep"])
def test_points_that_cannot_fit_are_refused_too(tmp_path, by):
    first, *others = (
        f'name = "{number}"\nkind = "closed"\npopulation = 1000000\nrequests = 10\n'
        for number in range(8)
    )
    path = experiment(tmp_path, 1, "[[workload]]\n".join((first, *others)))
    line = ("simulate", path, "--vary", "seed=1,2")
    if by == "sweep":
        sweep = tmp_path / "sweep.toml"
        vary = '[[vary]]\nkey = "drive[0].name"\nvalues = ["a", "b"]\n'
        sweep.write_text(f'experiment = "{path}"\n{vary}')
        line = ("sweep", sweep, "--workers", 2)
    ran = limited(*line)
    assert ran.returncode == 1, ran.stderr
    assert "GB of memory" in ran.stderr


def test_more_drives_than_a_system_takes_are_refused(tmp_path):
    more = '[[drive]]\nname = "b"\nprofile = "mock"\ncount = 100000\n[[workload]]\n'
    path = experiment(tmp_path, 100_000, 'kind = "closed"\npopulation = 1\nrequests = 1\n')
    path.write_text(path.read_text().replace("[[workload]]\n", more))
    ran = limited("simulate", path)
    assert ran.returncode == 2
    assert "are 200000, and a system takes up to 131072" in ran.stderr.replace("\n", " ")


def test_what_fits_runs_in_little_memory(tmp_path):
    path = closed(tmp_path, 100_000, 100_001)
    ran = limited("simulate", path, "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["manifest"]["seed"] >= 0
