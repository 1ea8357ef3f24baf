"""Files and loop devices that tests may write."""

import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MIB = 1 << 20


def scratch(path: Path, size: int = 16 * MIB) -> Path:
    """A file with something in it, and nothing where a file system or a table would begin."""
    body = random.Random(1).randbytes(size - 2 * MIB)  # noqa: S311
    path.write_bytes(bytes(MIB) + body + bytes(MIB))
    return path


@contextmanager
def in_memory_file_system(folder: Path, size: str) -> Iterator[Path]:
    """A new folder of a file system that is memory; skips the test where none may be mounted."""
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    made = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no file system may be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


class Loop:
    """A loop device over a file."""

    def __init__(self, image: Path, *options: str) -> None:
        self.image = image
        made = subprocess.run(
            ["losetup", "-f", "--show", *options, str(image)],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            pytest.skip(f"no loop device to be had: {made.stderr.strip()}")
        self.path = made.stdout.strip()

    def close(self) -> None:
        subprocess.run(["losetup", "-d", self.path], check=False)
