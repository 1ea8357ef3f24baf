"""`mq-deadline` against the kernel's own, where it has something to choose.

Two hundred readers and writers go past the file cache to a device that takes 128 requests at a
time. What they do is captured without a scheduler, and predicted with one.
"""

import csv
import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest

from conftest import Ran
from live_disk import SlowDisk, slow_disk
from spread import Spread
from test_capture_live import Task
from test_flow_live import (
    AS_CAPTURED,
    MARGIN_PERCENT,
    OTHERS,
    TELLING_PERCENT,
    capture_once,
    error_percent,
    on_a_model,
    overhead_ms,
    reason,
)

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(reason is not None, reason=f"live prediction: {reason}"),
]

RUNS = 10
"""Runs of each setting."""
WORK = """
import mmap, os, random, threading
PAGE = 4096
def work(number):
    file = os.open(str(number), os.O_RDWR | os.O_DIRECT)
    page = mmap.mmap(-1, PAGE)
    for at in random.Random(number).sample(range(64), 8):
        if number % 2:
            os.preadv(file, [page], at * PAGE)
        else:
            os.pwritev(file, [page], at * PAGE)
threads = [threading.Thread(target=work, args=(number,)) for number in range(200)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SlowDisk]:
    with slow_disk(tmp_path) as disk:
        yield disk


def files(mount: Path) -> None:
    """One for each thread, so that none waits for another's."""
    for number in range(200):
        (mount / str(number)).write_bytes(os.urandom(64 * 4096))


def measured_ms(info: dict[str, Any]) -> dict[str, float]:
    """Mean response of reads and of writes."""
    causes = {"read": "direct_read", "write": "direct_write"}
    return {way: info["by_cause"][cause]["response_mean_ms"] for way, cause in causes.items()}


def predicted_ms(experiment: str, folder: Path, run: Callable[..., Ran]) -> dict[str, float]:
    """The same of an experiment."""
    (folder / "e.toml").write_text(experiment)
    ran = run("simulate", folder / "e.toml", "--requests", folder / "rows.csv")
    assert ran.code == 0, ran.err
    with (folder / "rows.csv").open() as file:
        rows = [(row["operation"], float(row["response_ms"])) for row in csv.DictReader(file)]
    return {way: fmean(ms for of, ms in rows if of == way) for way in ("read", "write")}


def test_reads_go_first_as_long_as_the_kernel_lets_them(
    disk: SlowDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    setting = OTHERS["mq-deadline"]
    if setting.scheduler not in disk.schedulers():
        pytest.skip("the kernel has no mq-deadline")
    task = Task(files, f"python3 -S -c {shlex.quote(WORK)}", ())
    # Threads that wait for the device count as load from here on.
    load = os.getloadavg()[0]
    predictions, real = [], []
    for number in range(RUNS):
        flow = tmp_path / f"none-{number}.flow"
        info = capture_once(task, disk, AS_CAPTURED, flow)
        text = on_a_model(flow, setting, overhead_ms(info, AS_CAPTURED))
        predictions.append(predicted_ms(text, tmp_path, run))
        real.append(measured_ms(capture_once(task, disk, setting, tmp_path / f"{number}.flow")))
    print(f"\nmean response under mq-deadline, {RUNS} runs; load {load:.1f}")
    errors = {}
    for way in ("read", "write"):
        pairs = [(one[way], other[way]) for one, other in zip(real, predictions, strict=True)]
        of_real, of_model = (Spread.of(values) for values in zip(*pairs, strict=True))
        errors[way] = error = Spread.of([error_percent(*pair) for pair in pairs])
        print(
            f"  {way:5} real {of_real.middle:.0f} ms ({of_real.low:.0f} to {of_real.high:.0f})   "
            f"predicted {of_model.middle:.0f} ms   "
            f"{error.middle:+.1f} % ({error.low:+.1f} to {error.high:+.1f})"
        )
    for way, error in errors.items():
        if error.width > TELLING_PERCENT:
            pytest.skip(f"{way}: the machine is too disturbed to judge {error}")
        assert error.holds(0, MARGIN_PERCENT["mq-deadline"]), (way, error)
    # Without a scheduler both wait alike.
    assert median(one["write"] for one in real) > 1.2 * median(one["read"] for one in real)
