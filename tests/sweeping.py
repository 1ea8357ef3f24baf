"""What the tests of sweeps share: a sweep of six points over an array."""

import time
from pathlib import Path

import pytest

import platterlab as pl
from platterlab.sweeps.plan import load

TWO = """\
experiment = "raid5.toml"

[[vary]]
key = "host.scheduler.kind"
values = ["fcfs", "sptf"]

[[vary]]
key = "stop.requests"
low = 700
high = 900
steps = 3
whole = true
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A sweep of six points over an array."""
    text = pl.Experiment.examples()["raid5-sptf"].replace("replications = 4", "replications = 1")
    (tmp_path / "raid5.toml").write_text(text)
    (tmp_path / "sweep.toml").write_text(TWO)
    return tmp_path / "sweep.toml"


def of_plan(plan: Path) -> tuple[object, str, str, Path]:
    """What `tasks_of` takes."""
    made, text, home = load(plan)
    return made, text, made.experiment, home


def wait_for(what) -> None:
    """Until it is true, a minute at most."""
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)
