"""What capturing a command costs it: with and without, in turn, on a file system of this machine.

Ganger and Patt's instrumentation altered performance by less than 0.1 per cent (section 5.3.1). The
processor time is the sharper measure: other work on the machine makes commands longer, not dearer.
"""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from live_disk import SlowDisk, forget_cache, missing, slow_disk
from platterlab.tracing import capture
from platterlab.tracing.session import Options
from spread import Spread
from test_capture_live import packed

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(missing() is not None, reason=f"live capture: {missing()}"),
]

RUNS = 20
MOST_PERCENT = 5.0
"""Of processor time, beyond which capturing is not an onlooker any more."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowDisk]:
    with slow_disk(tmp_path_factory.mktemp("slow")) as disk:
        disk.set_speed(1.0, 0.001)
        packed(disk.mount)
        yield disk


def test_capturing_costs_a_command_little(disk: SlowDisk, tmp_path: Path) -> None:
    script = f"TIMEFORMAT='%3R %3U %3S'; time gzip -dc {disk.mount}/text.gz > {disk.mount}/text"
    command = ["bash", "-c", f"{{ {script}; }} 2> {tmp_path}/times"]

    def alone() -> None:
        subprocess.run(command, check=True)

    def traced() -> None:
        options = Options(disk.mount, quiet_stdout=True)
        assert capture(command, tmp_path / "run.flow", options).exit_code == 0

    def took(run: Callable[[], None]) -> tuple[float, float]:
        forget_cache()
        run()
        real, user, system = map(float, (tmp_path / "times").read_text().split())
        return real, user + system

    pairs = [(took(alone), took(traced)) for _ in range(RUNS)]
    for number, what in enumerate(("elapsed", "processor")):
        change = Spread.of([100 * (after[number] / before[number] - 1) for before, after in pairs])
        print(f"{what} time with capture: {change.middle:+.2f} % "
              f"({change.low:+.2f} to {change.high:+.2f})")  # fmt: skip
    assert change.low <= MOST_PERCENT
