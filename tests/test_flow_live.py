"""Captured runs against the model: run again as they were, and predicted on a slower device.

The device is a file that serves one request at a time in a known time. Other work on the machine
is in the measured times and not in the model, so the bounds are wide and the errors are printed.
"""

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from live_disk import SlowDisk, forget_cache, missing, slow_disk
from platterlab import _core
from platterlab.capture import capture
from platterlab.capture.session import Options
from test_capture_live import TASKS

reason = missing() or (None if Path("/dev/fuse").exists() else "the kernel has no FUSE")
pytestmark = pytest.mark.skipif(reason is not None, reason=f"live prediction: {reason}")

FAST, SLOW = (2.0, 0.01), (4.0, 0.02)
"""What a request and a sector take, in ms."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowDisk]:
    with slow_disk(tmp_path_factory.mktemp("slow")) as disk:
        yield disk


def captured(name: str, disk: SlowDisk, speed: tuple[float, float], out: Path) -> dict[str, Any]:
    """Captures a task on the device at a speed; what the flow holds."""
    disk.set_speed(0, 0)
    for entry in disk.mount.iterdir():
        subprocess.run(["rm", "-rf", str(entry)], check=True)
    TASKS[name].prepare(disk.mount)
    forget_cache()
    disk.set_speed(*speed)
    # The least that other work on the machine can be kept away.
    words = ["chrt", "--fifo", "1", "sh", "-c"]
    command = f"cd {shlex.quote(str(disk.mount))} && {TASKS[name].command}"
    done = capture([*words, command], out, Options(disk.mount, quiet_stdout=True))
    assert done.exit_code == 0
    info = json.loads(_core.flow_info(str(out)) or "")
    assert info["summary"]["unattributed_requests"] == 0
    return info


def overhead_ms(info: dict[str, Any], speed: tuple[float, float]) -> float:
    """What loop device and server take for a request of the run besides the device's own time."""
    kinds = [
        item
        for cause, item in info["by_cause"].items()
        if item["sectors"] > 0 and cause != "write_back"
    ]
    requests = sum(item["requests"] for item in kinds)
    service = sum(item["service_mean_ms"] * item["requests"] for item in kinds) / requests
    sectors = sum(item["sectors"] for item in kinds) / requests
    return max(0.0, service - speed[0] - speed[1] * sectors)


def modelled(flow: Path, speed: tuple[float, float], extra_ms: float) -> dict[str, Any]:
    return json.loads(_core.flow_run(str(flow), speed[0] + extra_ms, speed[1]))


def foreground(causes: dict[str, int]) -> int:
    """Requests that belong to the run itself and not to what daemons do after it."""
    return sum(count for cause, count in causes.items() if cause not in ("write_back", "flush"))


def figures(info: dict[str, Any], ran: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Measured and modelled."""
    storage = info["pauses"].get("storage", {"count": 0, "total_ms": 0.0})
    host = ran["host"]
    causes = {cause: item["requests"] for cause, item in info["by_cause"].items()}
    return {
        "elapsed_ms": (info["summary"]["elapsed_ns"] / 1e6, host["task_elapsed_ms"]),
        "computation_ms": (info["compute_ms"], host["times"]["process_ms"]),
        "requests": (foreground(causes), foreground(dict(host["causes"]))),
        "waits": (storage["count"], host["waits"]),
        "wait_ms": (storage["total_ms"], host["wait_ms"]),
    }


def show(title: str, rows: dict[str, tuple[float, float]]) -> None:
    print(f"\n{title}")
    for name, (real, model) in rows.items():
        error = f"{100 * (model / real - 1):+.1f} %" if real else "–"
        print(f"  {name:15} measured {real:10.1f}   model {model:10.1f}   {error}")


@pytest.mark.parametrize("name", TASKS)
def test_a_captured_run_again_and_on_a_slower_device(
    name: str, disk: SlowDisk, tmp_path: Path
) -> None:
    flow, slower = tmp_path / "fast.flow", tmp_path / "slow.flow"
    info = captured(name, disk, FAST, flow)
    extra_ms = overhead_ms(info, FAST)
    again = figures(info, modelled(flow, FAST, extra_ms))
    show(f"{name}, as it was captured", again)
    predicted = figures(captured(name, disk, SLOW, slower), modelled(flow, SLOW, extra_ms))
    show(f"{name}, predicted for a device half as fast", predicted)

    assert again["computation_ms"][1] == pytest.approx(again["computation_ms"][0], rel=0.01)
    assert again["requests"][1] == pytest.approx(again["requests"][0], rel=0.05, abs=2)
    # Times depend on what else the machine does; they are printed, and VALIDATION.md has them.
    assert predicted["requests"][1] == pytest.approx(predicted["requests"][0], rel=0.05, abs=2)
