"""What a capture says of a run, and what the model makes of it, on captures that were recorded.

These ask of the code what `test_capture_live.py` and `test_flow_live.py` ask of code and host.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import recorded_capture
from platterlab import _core
from platterlab.known import known
from test_capture_live import TASKS
from test_flow_live import AS_CAPTURED, figures, modelled, overhead_ms

SPLIT_COMMITS = {"database": 1}
"""Commits that went to the device in two requests: what made the log's thread let its plug go is
nothing that a flow holds, and the model writes a commit in one piece."""


@pytest.fixture(scope="module", params=TASKS)
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, dict[str, Any], dict[str, Any]]:
    """Name and flow of a capture, its totals, and what can be told of the flow."""
    flow, summary = recorded_capture.convert(request.param, tmp_path_factory.mktemp("flow"))
    return request.param, flow, summary, known(_core.flow_info(str(flow)))


def test_every_request_has_its_cause(
    recorded: tuple[str, Path, dict[str, Any], dict[str, Any]],
) -> None:
    name, _, summary, info = recorded
    assert summary["unattributed_requests"] == 0
    assert summary["unfinished_requests"] == 0
    assert summary["cut_processes"] == 0
    # A flush that is all of a bio is a request of the device and none with sectors.
    counted = info["requests"]["requests"] + summary["empty_flushes"]
    assert counted == summary["device_requests"], info["by_cause"]
    classes = {key: item["requests"] for key, item in info["by_class"].items()}
    mostly = sum(classes.get(key, 0) for key in TASKS[name].mostly)
    assert 2 * mostly > sum(classes.values()), classes


def test_computation_is_the_scheduler_s(
    recorded: tuple[str, Path, dict[str, Any], dict[str, Any]],
) -> None:
    _, _, summary, _ = recorded
    computed = summary["compute_ns"] + summary["interrupt_ns"]
    assert computed == pytest.approx(summary["scheduler_ns"], rel=0.01)


def test_every_wait_for_storage_has_its_way_back_to_a_cpu(
    recorded: tuple[str, Path, dict[str, Any], dict[str, Any]],
) -> None:
    # Switches away from the idle loop are not seen here: the scheduler's account tells of them.
    _, _, _, info = recorded
    pauses = info["pauses"]
    assert pauses["runnable"]["count"] >= pauses["storage"]["count"]


def test_the_model_makes_the_requests_of_the_run(
    recorded: tuple[str, Path, dict[str, Any], dict[str, Any]],
) -> None:
    name, flow, _, info = recorded
    host = modelled(flow, AS_CAPTURED, overhead_ms(info, AS_CAPTURED))
    made = {cause: count for cause, count in dict(host["causes"]).items() if cause != "write_back"}
    real = {cause: item["requests"] for cause, item in info["by_cause"].items()
            if cause != "write_back"}  # fmt: skip
    if name in SPLIT_COMMITS:
        real["journal"] -= SPLIT_COMMITS[name]
    assert made == real


def test_the_model_takes_the_time_of_the_run(
    recorded: tuple[str, Path, dict[str, Any], dict[str, Any]],
) -> None:
    name, flow, _, info = recorded
    both = figures(info, modelled(flow, AS_CAPTURED, overhead_ms(info, AS_CAPTURED)))
    print({name: f"{real:.1f} {model:.1f}" for name, (real, model) in both.items()})
    computed, again = both["computation_ms"]
    assert again == pytest.approx(computed, rel=1e-3)
    # The database was disturbed, see the captures' README.
    rel = 0.02 if name == "database" else 0.01
    for what in ("elapsed_ms", "wait_ms", "response_ms", "waits"):
        real, model = both[what]
        assert model == pytest.approx(real, rel=rel), what


def test_a_recorded_capture_tells_of_nobody(tmp_path: Path) -> None:
    for packed in sorted(recorded_capture.RECORDED.glob("*.tar.xz")):
        name = packed.name.partition(".")[0]
        recorded_capture.convert(name, tmp_path)
        threads = json.loads((tmp_path / f"{name}.raw" / "snapshot.json").read_text())
        names = set(threads["kernel_threads"].values())
        assert all(one == "thread" or one.startswith("jbd2/") for one in names), names
        for pages in (tmp_path / f"{name}.raw").glob("*.cpu*"):
            words = set(re.findall(rb"[a-z]{6,}", pages.read_bytes()))
            assert words == set()
