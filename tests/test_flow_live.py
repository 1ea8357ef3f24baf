"""Captured runs against the model: again as they were, on a slower device, with other schedulers.

The device is a file that serves one request at a time in a known time. Other work on the machine
makes one run longer than the next, so every setting is run ten times, in turn with the others, and
what is judged are medians with their intervals. The rows that are printed are those of
docs/notes/ganger-patt.md; what the machine did meanwhile stands beside them.
"""

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import disturbance
from live_disk import SlowDisk, forget_cache, missing, slow_disk
from platterlab import _core, experiment
from platterlab.known import known
from platterlab.tracing import capture
from platterlab.tracing.session import Options
from spread import Spread
from test_capture_live import TASKS, Task

reason = missing() or (None if Path("/dev/fuse").exists() else "the kernel has no FUSE")
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(reason is not None, reason=f"live prediction: {reason}"),
]


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
RUNS = 10
"""Runs of a task in each setting."""
MARGIN_PERCENT = {"a device half as fast": 2.0, "mq-deadline": 1.0}
"""How far beside the interval of its error a prediction may lie. There is none for `bfq`."""
TELLING_PERCENT = 10.0
"""With a wider interval the machine was too disturbed for any prediction to be judged."""
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
    info = known(_core.flow_info(str(out)))
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


def error_percent(real: float, model: float) -> float:
    """How far the model is off."""
    return 100 * (model / real - 1) if real else 0.0


@dataclass(frozen=True)
class Run:
    """A captured run."""

    flow: Path
    info: dict[str, Any]
    disturbed: disturbance.Disturbance

    @property
    def elapsed_ms(self) -> float:
        return float(self.info["summary"]["elapsed_ns"]) / 1e6

    @property
    def runnable_ms(self) -> float:
        """What its processes waited for a CPU."""
        return float(self.info["pauses"].get("runnable", {"total_ms": 0.0})["total_ms"])


def captured(name: str, disk: SlowDisk, folder: Path) -> dict[str, list[Run]]:
    """Captures a task in every setting that the kernel has, in turn."""
    settings = {"as captured": AS_CAPTURED, **OTHERS}
    known = {key: way for key, way in settings.items() if way.scheduler in disk.schedulers()}
    runs: dict[str, list[Run]] = {title: [] for title in known}
    for number in range(RUNS):
        for title, setting in known.items():
            path = folder / f"{title}-{number}.flow"
            begin = disturbance.now()
            info = capture_once(TASKS[name], disk, setting, path)
            runs[title].append(Run(path, info, disturbance.since(begin)))
    return runs


def row(words: str, runs: list[Run], errors: dict[str, list[float]]) -> dict[str, Spread]:
    """Prints a row of the table; gives the errors' spreads, in percent."""
    real = Spread.of([run.elapsed_ms for run in runs])
    spreads = {what: Spread.of(values) for what, values in errors.items()}
    parts = [
        f"{what} {one.middle:+.1f} % ({one.low:+.1f} to {one.high:+.1f})"
        for what, one in spreads.items()
    ]
    load = [run.disturbed.load for run in runs]
    steal = max(run.disturbed.steal_percent for run in runs)
    waited_ms = Spread.of([run.runnable_ms for run in runs]).middle
    print(
        f"| {words} | {real.middle:.0f} ({real.low:.0f} to {real.high:.0f}) | {real.n} | "
        f"{' | '.join(parts)} | load {min(load):.1f} to {max(load):.1f}, steal to {steal:.0f} %, "
        f"waited for a CPU {waited_ms:.1f} ms |"
    )
    return spreads


def again(runs: list[Run], extra_ms: list[float]) -> dict[str, list[float]]:
    """Errors of the model in the runs it is of, in percent."""
    both = [
        figures(run.info, modelled(run.flow, AS_CAPTURED, extra))
        for run, extra in zip(runs, extra_ms, strict=True)
    ]
    names = ("elapsed_ms", "requests", "waits", "wait_ms", "response_ms", "computation_ms")
    return {name: [error_percent(*pair[name]) for pair in both] for name in names}


def predicted(
    title: str, first: list[Run], extra_ms: list[float], runs: list[Run]
) -> dict[str, list[float]]:
    """Errors of what the runs as captured predict of those in another setting, in percent.

    Each is held against the run that came next to it.
    """
    pairs = [
        figures(run.info, modelled(before.flow, OTHERS[title], extra))
        for run, before, extra in zip(runs, first, extra_ms, strict=True)
    ]
    return {
        name: [error_percent(*pair[name]) for pair in pairs] for name in ("elapsed_ms", "requests")
    }


@pytest.mark.parametrize("name", TASKS)
def test_a_captured_run_again_and_in_other_settings(
    name: str, disk: SlowDisk, tmp_path: Path
) -> None:
    runs = captured(name, disk, tmp_path)
    first = runs.pop("as captured")
    extra_ms = [overhead_ms(run.info, AS_CAPTURED) for run in first]
    print()
    own = row(f"{name}, as captured", first, again(first, extra_ms))
    others = {
        title: row(f"{name}, {title}", these, predicted(title, first, extra_ms, these))
        for title, these in runs.items()
    }
    assert abs(own["computation_ms"].middle) <= 1
    for what in ("elapsed_ms", "wait_ms", "requests"):
        assert own[what].holds(0, margin=1), what
    for title, margin in MARGIN_PERCENT.items():
        if title in others:
            elapsed = others[title]["elapsed_ms"]
            if elapsed.width > TELLING_PERCENT:
                pytest.skip(f"{title}: the machine is too disturbed to judge {elapsed}")
            assert elapsed.holds(0, margin), (title, elapsed)
