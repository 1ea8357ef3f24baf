"""File systems after power cuts: they are clean, and have what was flushed."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from platterlab.serve_control import ask
from serving import serving
from serving_loop import needs, on_a_loop, run
from test_serve_power import WRITE_BACK

SIZE = "64M"
PARTS = 20


def cut_once(folder: Path, seed: int) -> int:
    """Programs write to a file system, the power goes, it comes back.

    Returns:
        Files that were flushed; all of them are there.
    """
    store, control, place = folder / "store", folder / "control", folder / "mounted"
    place.mkdir(parents=True)
    flushed: dict[str, bytes] = {}
    more = (*WRITE_BACK, "--control", control, "--size", SIZE, "--seed", seed)
    with serving(folder, *more, store=store) as server, on_a_loop(server, folder) as device:
        run("mkfs.ext4", "-q", device)
        run("mount", device, place)
        try:
            _write(place, seed, flushed)
            # What is not flushed is on its way too, some of it.
            with subprocess.Popen(["sync", "-f", str(place)], stderr=subprocess.DEVNULL):
                time.sleep(seed % 5 / 100)
                ask(control, "power-cut")
                server.process.wait(30)
        finally:
            # The device is gone from under it: what it says of that is not of interest.
            subprocess.run(["umount", "--lazy", str(place)], check=False, capture_output=True)
        server.end()
    return _comes_back(store, place, flushed)


def _write(place: Path, seed: int, flushed: dict[str, bytes]) -> None:
    """Files of which every third is flushed; the last ones are not, and the power goes."""
    for number in range(12 + seed % 7):
        data = bytes([number + 1]) * (1000 + 7919 * (number + seed) % 60_000)
        path = place / f"{number}"
        with path.open("wb") as file:
            file.write(data)
            if number % 3 == 0:
                file.flush()
                os.fsync(file.fileno())
                folder = os.open(place, os.O_RDONLY)
                os.fsync(folder)
                os.close(folder)
                flushed[path.name] = data


def _comes_back(store: Path, place: Path, flushed: dict[str, bytes]) -> int:
    device = run("losetup", "--find", "--show", store).strip()
    try:
        # The journal is played back by the mount, as after any cut.
        run("mount", device, place)
        try:
            for name, data in flushed.items():
                assert (place / name).read_bytes() == data, name
        finally:
            run("umount", place)
        run("e2fsck", "-fn", device)
    finally:
        run("losetup", "--detach", device)
    return len(flushed)


@pytest.mark.parametrize("seed", range(2))
def test_a_file_system_comes_back_from_a_power_cut(tmp_path: Path, seed: int):
    needs("mkfs.ext4", "e2fsck")
    assert cut_once(tmp_path / "it", seed) >= 4


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_it_does_from_each_of_a_thousand(tmp_path: Path, part: int):
    needs("mkfs.ext4", "e2fsck")
    for seed in range(part * 1000 // PARTS, (part + 1) * 1000 // PARTS):
        assert cut_once(tmp_path / str(seed), seed) >= 4
