"""Runs that write are killed at random moments, others write in between: no byte is lost."""

import os
import random
import shutil
import struct
import time
from collections import Counter
from pathlib import Path

import pytest

from conftest import FIGURES
from dying_runs import begin, content, journals, killed, loop, repair
from scratch_devices import Loop

__all__ = ["journals", "loop"]  # fixtures

KILLS, PARTS, SAMPLE = 500, 10, 4
SECTOR = 512


def lasts_s(path: str, region: str, out: Path, journals: Path) -> float:
    """From when the journal of a run is there until it is gone, if nobody kills it."""
    shutil.rmtree(out, ignore_errors=True)
    with begin(path, region, out) as process:
        while not list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        begun = time.monotonic()
        while list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        return time.monotonic() - begun


def foreign(path: str, random_: random.Random) -> dict[int, bytes]:
    """Sectors that somebody else writes, in a few places."""
    written = {}
    with Path(path).open("r+b", buffering=0) as device:
        for _ in range(random_.randrange(1, 4)):
            sector = random_.choice(
                [random_.randrange(4096, 20480), random_.randrange(2048, 65536)]
            )
            written[sector] = random_.randbytes(SECTOR)
            device.seek(sector * SECTOR)
            device.write(written[sector])
        os.fsync(device.fileno())
    return written


def kills(loop: Loop, folder: Path, journals: Path, count: int, seed: int) -> None:
    """Kills runs at random moments, has others write in between, repairs; compares every byte."""
    random_ = random.Random(seed)  # noqa: S311
    whole_s = lasts_s(loop.path, "4k:16k", folder, journals)
    expected = bytearray(content(loop.path))
    became: Counter[str] = Counter()

    def others_write() -> None:
        for sector, written in foreign(loop.path, random_).items():
            expected[sector * SECTOR : (sector + 1) * SECTOR] = written

    for number in range(count):
        when = random_.choice(["never", "after", "meanwhile"])
        meanwhile = others_write if when == "meanwhile" else bool
        after_s = random_.uniform(0, 0.6 * whole_s)
        journal = killed(loop.path, "4k:16k", folder, journals, after_s, meanwhile)
        stopped = "stopped by another's write" if when == "meanwhile" else "over before the kill"
        became[f"killed while it {_doing(journal)}" if journal else stopped] += 1
        became[f"others wrote {when}"] += 1
        if when == "after":
            others_write()
        ran = repair(loop.path, "--json")
        assert content(loop.path) == expected, f"seed {seed}, kill {number}: {ran.stdout}"
        left = list(journals.glob("*.journal"))
        assert bool(left) == (ran.returncode == 1), ran.stdout + ran.stderr
        became["journal kept" if left else "nothing left"] += 1
        for kept in left:
            kept.unlink()
    FIGURES.append(f"{count} runs: " + ", ".join(f"{n} {what}" for what, n in became.items()))
    while_it_ran = sum(n for what, n in became.items() if what.startswith("killed"))
    assert while_it_ran >= count // 4, FIGURES[-1]


def _doing(journal: Path) -> str:
    """What a run that died was doing, by the slots of its journal."""
    with journal.open("rb") as file:
        head = file.read(12288)
    number, _, sectors = max(struct.unpack_from("<3Q", head, at) for at in (8192, 10240))
    return "wrote" if sectors else "ran" if number else "had not written yet"


def test_no_byte_is_lost_over_some_kills(loop, tmp_path, journals):
    kills(loop, tmp_path / "out", journals, SAMPLE, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_byte_is_lost_over_many_kills(loop, tmp_path, journals, part):
    assert part < PARTS
    kills(loop, tmp_path / "out", journals, KILLS // PARTS, seed=time.time_ns())
