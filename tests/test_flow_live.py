"""Captured runs against the model: again as they were, on a slower device, with other schedulers.

The device is a file that serves one request at a time in a known time. Other work on the machine
is in the measured times and, where it was not there in the captured run, not in the model: what is
predicted is held to its requests, and the errors of its times are printed.
"""

import json
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from live_disk import SlowDisk, forget_cache, missing, slow_disk
from platterlab import _core, experiment
from platterlab.capture import capture
from platterlab.capture.session import Options
from test_capture_live import TASKS

reason = missing() or (None if Path("/dev/fuse").exists() else "the kernel has no FUSE")
pytestmark = pytest.mark.skipif(reason is not None, reason=f"live prediction: {reason}")


@dataclass(frozen=True)
class Setting:
    """How the device and its queue are set."""

    access_ms: float = 2.0
    """What a request takes."""
    sector_ms: float = 0.01
    """What each of its sectors takes on top."""
    scheduler: str = "none"


AS_CAPTURED = Setting()
OTHERS = {
    "a device half as fast": Setting(access_ms=4.0, sector_ms=0.02),
    "mq-deadline": Setting(scheduler="mq-deadline"),
    "bfq": Setting(scheduler="bfq"),
}
ORDERS = {"none": "fcfs", "mq-deadline": "c-look", "bfq": "c-look"}
"""What comes nearest to the kernel's schedulers."""
RUNS = 2
"""Runs of a task in a setting; the fastest counts, as what delays the others is not theirs."""
DEPTH = 128
"""Requests that a loop device takes at a time."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowDisk]:
    with slow_disk(tmp_path_factory.mktemp("slow")) as disk:
        yield disk


def captured(
    name: str, disk: SlowDisk, setting: Setting, folder: Path
) -> tuple[dict[str, Any], Path]:
    """Captures a task in a setting; what the flow holds, and the flow."""
    runs = [
        (run(name, disk, setting, path), path)
        for path in (folder / f"{setting.scheduler}-{number}.flow" for number in range(RUNS))
    ]
    return min(runs, key=lambda run: float(run[0]["summary"]["elapsed_ns"]))


def run(name: str, disk: SlowDisk, setting: Setting, out: Path) -> dict[str, Any]:
    """Captures a task once."""
    disk.set_speed(0, 0)
    for entry in disk.mount.iterdir():
        subprocess.run(["rm", "-rf", str(entry)], check=True)
    TASKS[name].prepare(disk.mount)
    forget_cache()
    disk.set_scheduler(setting.scheduler)
    disk.set_speed(setting.access_ms, setting.sector_ms)
    # The least that other work on the machine can be kept away.
    words = ["chrt", "--fifo", "1", "sh", "-c"]
    command = f"cd {shlex.quote(str(disk.mount))} && {TASKS[name].command}"
    done = capture([*words, command], out, Options(disk.mount, quiet_stdout=True))
    assert done.exit_code == 0
    info = json.loads(_core.flow_info(str(out)) or "")
    assert info["summary"]["unattributed_requests"] == 0
    return info


def of_run(info: dict[str, Any]) -> list[dict[str, Any]]:
    """The requests of the run itself, by cause: not what daemons do in its course and after it."""
    causes = info["by_cause"].items()
    return [item for cause, item in causes if item["sectors"] > 0 and cause != "write_back"]


def mean(items: list[dict[str, Any]], key: str) -> float:
    return sum(item[key] * item["requests"] for item in items) / sum(
        item["requests"] for item in items
    )


def overhead_ms(info: dict[str, Any], setting: Setting) -> float:
    """What loop device and server take for a request besides the device's own time."""
    items = of_run(info)
    sectors = sum(item["sectors"] for item in items) / sum(item["requests"] for item in items)
    own_ms = setting.access_ms + setting.sector_ms * sectors
    return max(0.0, mean(items, "service_mean_ms") - own_ms)


def modelled(flow: Path, setting: Setting, extra_ms: float) -> dict[str, Any]:
    """The flow on a model of the device."""
    text = f"""
        [host.scheduler]
        kind = "{ORDERS[setting.scheduler]}"
        [[drive]]
        depth = {DEPTH}
        [drive.simple]
        size = "384M"
        access = {{ kind = "constant", time_ms = {setting.access_ms + extra_ms} }}
        sector_ms = {setting.sector_ms}
        [[workload]]
        kind = "flow"
        file = "{flow}"
    """
    plan = _core.Experiment.parse(text, "the device", flow.parent, {})
    return experiment.run(plan, {}).report["runs"][0]["hosts"][0]


def figures(info: dict[str, Any], host: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Measured and modelled."""
    storage = info["pauses"].get("storage", {"count": 0, "total_ms": 0.0})
    made = dict(host["causes"])
    for background in ("write_back", "flush"):
        made.pop(background, None)
    urgent = [part for part in host["classes"] if part["class"] != "time-noncritical"]
    responses = [(part["response_ms"]["mean_ms"], part["requests"]) for part in urgent
                 if part["response_ms"]]  # fmt: skip
    flushes = [info["by_cause"]["flush"]] if "flush" in info["by_cause"] else []
    return {
        "elapsed_ms": (info["summary"]["elapsed_ns"] / 1e6, host["task_elapsed_ms"]),
        "computation_ms": (info["compute_ms"], host["times"]["process_ms"]),
        "requests": (sum(item["requests"] for item in of_run(info)), sum(made.values())),
        "waits": (storage["count"], host["waits"]),
        "wait_ms": (storage["total_ms"], host["wait_ms"]),
        "response_ms": (
            mean([*of_run(info), *flushes], "response_mean_ms"),
            sum(mean * count for mean, count in responses) / sum(count for _, count in responses),
        ),
    }


def show(title: str, rows: dict[str, tuple[float, float]]) -> None:
    print(f"\n{title}")
    for name, (real, model) in rows.items():
        error = f"{100 * (model / real - 1):+.1f} %" if real else "–"
        print(f"  {name:15} measured {real:10.1f}   model {model:10.1f}   {error}")


@pytest.mark.parametrize("name", TASKS)
def test_a_captured_run_again_and_in_other_settings(
    name: str, disk: SlowDisk, tmp_path: Path
) -> None:
    info, flow = captured(name, disk, AS_CAPTURED, tmp_path)
    extra_ms = overhead_ms(info, AS_CAPTURED)
    again = figures(info, modelled(flow, AS_CAPTURED, extra_ms))
    show(f"{name}, as it was captured", again)
    assert again["computation_ms"][1] == pytest.approx(again["computation_ms"][0], rel=0.01)
    assert again["requests"][1] == pytest.approx(again["requests"][0], rel=0.01, abs=1)
    for time in ("elapsed_ms", "wait_ms"):
        assert again[time][1] == pytest.approx(again[time][0], rel=0.05)

    for title, setting in OTHERS.items():
        if setting.scheduler not in disk.schedulers():
            print(f"\n{title}: this kernel has it not")
            continue
        (tmp_path / title).mkdir()
        real, _ = captured(name, disk, setting, tmp_path / title)
        predicted = figures(real, modelled(flow, setting, extra_ms))
        show(f"{name}, predicted for {title}", predicted)
        assert predicted["requests"][1] == pytest.approx(predicted["requests"][0], rel=0.05, abs=2)
