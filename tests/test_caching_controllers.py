"""How long commands wait for a caching controller, and take there, against the requests' own."""

from pathlib import Path
from typing import Any

import pytest

from platterlab._core import Experiment

SYSTEM = """
seed = 3
[stop]
requests = 1500
[[drive]]
name = "d"
profile = "hp-c2200a"
bus = "b"
[[bus]]
name = "b"
controller = "c"
[[controller]]
name = "c"
depth = {depth}
cache = {{ size = 262144, line = 4096, max_request = 65536, write = "{write}" }}
[[workload]]
kind = "open"
interval_ms = {{ kind = "exponential", mean = {mean_ms} }}
pattern = {{ span = "64M", read_share = 0.5, size_sectors = {{ kind = "constant", value = 8 }} }}
"""


def report(write: str, depth: int, mean_ms: float) -> dict[str, Any]:
    """The figures of a drive behind a caching controller."""
    text = SYSTEM.format(write=write, depth=depth, mean_ms=mean_ms)
    plan = Experiment.parse(text, "made up", Path.cwd(), {})
    found: dict[str, Any] = plan.start(1, False).finish()["runs"][0]["report"]
    return found


@pytest.mark.parametrize("write", ["through", "back"])
@pytest.mark.parametrize("depth", [1, 4, 64])
def test_commands_take_what_requests_do(write: str, depth: int) -> None:
    """Each request is one command of the driver: its response is the command's."""
    found = report(write, depth, 40.0)
    cache = found["caches"][0]
    for figure in ("count", "mean_ms", "min_ms", "max_ms"):
        assert cache["response_ms"][figure] == pytest.approx(found["response_ms"][figure], rel=1e-9)
    assert cache["wait_ms"]["count"] == cache["reads"] + cache["writes"] == found["served"]


def test_a_controller_that_takes_one_command_makes_the_others_wait() -> None:
    """What a deep one lets in waits within it, and not in the driver."""
    shallow = report("through", 1, 40.0)["caches"][0]
    deep = report("through", 64, 40.0)["caches"][0]
    assert shallow["wait_ms"]["mean_ms"] > 10.0
    assert deep["wait_ms"]["max_ms"] < 1.0


def test_little_holds_of_those_that_wait() -> None:
    """Utilization of the one place in the controller: how long it is taken, times the rate."""
    found = report("through", 1, 40.0)
    cache = found["caches"][0]
    within_ms = cache["response_ms"]["mean_ms"] - cache["wait_ms"]["mean_ms"]
    taken = within_ms * found["served"] / found["elapsed_ms"]
    assert 0.3 < taken < 1.0
