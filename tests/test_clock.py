"""A clock that jumps changes nothing: what takes time is measured by clocks that only go on.

The time of day is asked for once, for the date in what a measurement keeps.
"""

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from conftest import ROOT, command
from platterlab.measure import environment
from serving import serving

TIME_OF_DAY = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|ctime)\(|datetime\.(now|utcnow|today)\("
    r"|\bSystemTime::now\b|ClockId::Realtime\b|\bclock_gettime\(CLOCK_REALTIME"
)
MAY = {"python/platterlab/measure/environment.py"}


def test_the_time_of_day_is_asked_for_in_one_place() -> None:
    sources = [*ROOT.glob("python/**/*.py"), *ROOT.glob("crates/*/src/**/*.rs")]
    assert len(sources) > 300
    asking = {
        str(path.relative_to(ROOT)) for path in sources if TIME_OF_DAY.search(path.read_text())
    }
    assert asking == MAY


@pytest.mark.parametrize("year", [1, 1970, 9999])
def test_a_wrong_date_is_written_down_and_no_more(
    year: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Jumped(datetime):
        """A clock that somebody has set to another century."""

        @classmethod
        def now(cls, tz: Any = None) -> "Jumped":
            return cls(year, 1, 1, tzinfo=tz)

    device = {"name": "a drive", "facts": [("serial", "1")]}
    before = environment.describe(device, {}, [])
    monkeypatch.setattr(environment, "datetime", Jumped)
    after = environment.describe(device, {}, [])
    assert after.pop("started") == Jumped(year, 1, 1, tzinfo=UTC).isoformat(timespec="seconds")
    assert datetime.fromisoformat(before.pop("started")).year >= 2026
    assert after == before


@pytest.fixture
def jumping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every process begun from now on the time of day leaps whenever it is asked for."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and LD_PRELOAD")
    library = tmp_path / "jumping.so"
    source = ROOT / "tests" / "jumping_clock.c"
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    asked = "import time; a, b = time.time(), time.time(); print(abs(a - b) > 3000)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True"


def test_a_jumping_clock_leaves_a_simulated_measurement_as_it_was(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    def measured(name: str) -> dict[str, bytes]:
        ran = command("characterize", "mock", "--quick", "--out", tmp_path / name, timeout_s=120)
        assert ran.returncode == 0, ran.stderr
        files = ("samples.parquet", "extraction.json", "profile.toml")
        return {file: (tmp_path / name / file).read_bytes() for file in files}

    steady = measured("steady")
    request.getfixturevalue("jumping")
    assert measured("jumping") == steady


@pytest.mark.usefixtures("jumping")
def test_a_jumping_clock_is_not_in_the_times_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(os.urandom(8 << 20))
    ran = command("characterize", path, "--quick", "--out", tmp_path / "out", timeout_s=120)
    assert ran.returncode == 0, ran.stderr
    rows = pq.read_table(tmp_path / "out" / "samples.parquet").to_pylist()
    assert len(rows) > 100
    # A leap is 1 s at the least; a request of a cached file takes far less.
    assert all(0 < row["completed_ps"] - row["submitted_ps"] < 9e11 for row in rows)
    assert max(row["completed_ps"] for row in rows) < 600e12


@pytest.mark.usefixtures("jumping")
def test_a_jumping_clock_delays_no_answer_of_a_served_drive(tmp_path: Path) -> None:
    with serving(tmp_path, store="pattern", speed="1") as server, server.client() as client:
        for number in range(40):
            client.read(number * 7_000_064 // 512 * 512, 4096)
        report = server.end()
    assert report["requests"] == 40
    # Late by no leap, each of which is a second or more, and long enough to be a drive at work.
    assert report["lateness_us"]["max"] < 1e6
    assert report["lateness_us"]["p50"] >= 0
