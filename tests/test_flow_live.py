"""Captured runs against the model: again as they were, on a slower device, with other schedulers.

The device is a file that serves one request at a time in a known time. Other work on the machine
makes one run longer than the next, so every setting is run several times, in turn with the others,
and medians are compared; the spread of the runs, and the machine's load, stand beside them.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from live_disk import SlowDisk, forget_cache, missing, slow_disk
from platterlab import _core, experiment
from platterlab.capture import capture
from platterlab.capture.session import Options
from test_capture_live import TASKS, Task

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
ORDERS = {"none": "fcfs", "mq-deadline": "mq-deadline", "bfq": "fcfs"}
"""The kernel's schedulers here. There is no model of `bfq`: its documentation names heuristics and
not their rules."""
RUNS = 5
"""Runs of a task in each setting."""
DEPTH = 128
"""Requests that a loop device takes at a time."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowDisk]:
    with slow_disk(tmp_path_factory.mktemp("slow")) as disk:
        yield disk


def capture_once(task: Task, disk: SlowDisk, setting: Setting, out: Path) -> dict[str, Any]:
    """Captures a task once."""
    disk.set_speed(0, 0)
    for entry in disk.mount.iterdir():
        subprocess.run(["rm", "-rf", str(entry)], check=True)
    task.prepare(disk.mount)
    forget_cache()
    disk.set_scheduler(setting.scheduler)
    disk.set_speed(setting.access_ms, setting.sector_ms)
    # The least that other work on the machine can be kept away.
    words = ["chrt", "--fifo", "1", "sh", "-c"]
    command = f"cd {shlex.quote(str(disk.mount))} && {task.command}"
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


def on_a_model(flow: Path, setting: Setting, extra_ms: float) -> str:
    """An experiment: the flow on a model of the device."""
    return f"""
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


def modelled(flow: Path, setting: Setting, extra_ms: float) -> dict[str, Any]:
    """What the computer does when the flow runs on a model of the device."""
    text = on_a_model(flow, setting, extra_ms)
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
        print(f"  {name:15} measured {real:10.1f}   model {model:10.1f}   {error(real, model)}")


def error(real: float, model: float) -> str:
    return f"{100 * (model / real - 1):+.1f} %" if real else "–"


def spread(times: list[float]) -> str:
    return f"{median(times):6.0f} ms ({min(times):.0f} to {max(times):.0f})"


@dataclass(frozen=True)
class Captured:
    """A captured run."""

    flow: Path
    info: dict[str, Any]

    @property
    def elapsed_ms(self) -> float:
        return float(self.info["summary"]["elapsed_ns"]) / 1e6


def captured(name: str, disk: SlowDisk, folder: Path) -> dict[str, list[Captured]]:
    """Captures a task in every setting that the kernel has, in turn."""
    settings = {"as captured": AS_CAPTURED, **OTHERS}
    known = {key: way for key, way in settings.items() if way.scheduler in disk.schedulers()}
    runs: dict[str, list[Captured]] = {title: [] for title in known}
    for number in range(RUNS):
        for title, setting in known.items():
            path = folder / f"{title}-{number}.flow"
            runs[title].append(Captured(path, capture_once(TASKS[name], disk, setting, path)))
    return runs


@pytest.mark.parametrize("name", TASKS)
def test_a_captured_run_again_and_in_other_settings(
    name: str, disk: SlowDisk, tmp_path: Path
) -> None:
    runs = captured(name, disk, tmp_path)
    print(f"\n{name}, {RUNS} runs of each setting; load {os.getloadavg()[0]:.1f}")
    first = runs.pop("as captured")
    extra_ms = [overhead_ms(one.info, AS_CAPTURED) for one in first]
    pairs = [
        figures(one.info, modelled(one.flow, AS_CAPTURED, extra))
        for one, extra in zip(first, extra_ms, strict=True)
    ]
    middle = sorted(pairs, key=lambda pair: pair["elapsed_ms"][0])[RUNS // 2]
    show(f"{name}, as it was captured: {spread([one.elapsed_ms for one in first])}", middle)
    # In single runs a host may take the processors away.
    for what, most in (("computation_ms", 0.01), ("elapsed_ms", 0.05), ("wait_ms", 0.05)):
        assert median([abs(again[what][1] / again[what][0] - 1) for again in pairs]) <= most, what
    one_or_share = [
        abs(again["requests"][1] - again["requests"][0]) / max(1, 0.01 * again["requests"][0])
        for again in pairs
    ]
    assert median(one_or_share) <= 1

    for title, others in runs.items():
        predicted = [
            figures(others[0].info, modelled(one.flow, OTHERS[title], extra))
            for one, extra in zip(first, extra_ms, strict=True)
        ]
        real = [one.elapsed_ms for one in others]
        model = [pair["elapsed_ms"][1] for pair in predicted]
        said = error(median(real), median(model))
        print(f"  {title:22} real {spread(real)}   predicted {spread(model)}   {said}")
        # What one run differs from the next belongs to the machine.
        assert 0.95 * min(real) < median(model) < 1.05 * max(real)
        for pair in predicted:
            assert pair["requests"][1] == pytest.approx(pair["requests"][0], rel=0.05, abs=2)
