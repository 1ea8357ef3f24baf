"""The Rust tests that need a device of this kernel: each is run where it can be had, or skipped.

They are marked `#[ignore = "needs ..."]`, so a plain `cargo test` does not count them as passed.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from conftest import ROOT
from scratch_devices import MIB

TESTS = ROOT / "crates/device/tests"
MARKED = re.compile(r'#\[ignore = "needs ([\w, ]+)"\]\nfn (\w+)\(')


def marked() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Program, name and needs of each."""
    for path in sorted(TESTS.rglob("*.rs")):
        program, *modules = path.relative_to(TESTS).with_suffix("").parts
        for found in MARKED.finditer(path.read_text()):
            yield program, "::".join([*modules, found[2]]), tuple(found[1].split(", "))


def ran(*line: object) -> str:
    """What speaks against a command; nothing if it does its work."""
    done = subprocess.run([*map(str, line)], capture_output=True, text=True, check=False)
    return f"{line[0]}: {done.stderr.strip().splitlines()[-1:]}" if done.returncode else ""


def on_a_loop(folder: Path, *steps: Callable[[str], str]) -> str:
    """What speaks against doing this with a loop device, one after the other."""
    image = folder / "image"
    image.write_bytes(bytes(16 * MIB))
    made = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, check=False)
    if made.returncode:
        return f"losetup: {made.stderr.decode().strip()}"
    path = made.stdout.decode().strip()
    with ExitStack() as stack:
        stack.callback(ran, "losetup", "-d", path)
        return next(filter(None, (step(path) for step in steps)), "")


def partitions(path: str) -> str:
    # A master boot record with one partition of 4096 sectors from 2048 on.
    table = bytes(450) + b"\x83\0\0\0" + (2048).to_bytes(4, "little") + (4096).to_bytes(4, "little")
    Path(path).write_bytes(table + bytes(510 - len(table)) + b"\x55\xaa")
    against = ran("partx", "--add", path)
    against = against or "" if Path(f"{path}p1").exists() else "there is no device of a partition"
    ran("partx", "--delete", path)
    return against


def root_disk() -> str:
    number = Path("/").stat().st_dev
    there = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve()
    try:
        Path("/dev", there.name).open("rb").close()
    except OSError as error:
        return str(error)
    return ""


def mounted(folder: Path) -> str:
    against = ran("mount", "-t", "tmpfs", "-o", "size=64k", "none", folder)
    return against or ran("umount", folder)


@cache
def against(need: str, folder: Path) -> str:
    """What speaks against a need being met here."""
    if need == "root disk":
        return root_disk()
    if os.geteuid() != 0:
        return "this is not root"
    try:
        match need:
            case "root":
                return ""
            case "mount":
                return mounted(folder)
            case "dm":
                return ran("dmsetup", "targets")
            case "loop":
                return on_a_loop(folder)
            case "ext4":
                return on_a_loop(folder, lambda path: ran("mkfs.ext4", "-q", "-F", path))
            case "partitions":
                return on_a_loop(folder, partitions)
            case "swap":
                return on_a_loop(
                    folder,
                    lambda path: ran("mkswap", path),
                    lambda path: ran("swapon", path),
                    lambda path: ran("swapoff", path),
                )
    except FileNotFoundError as error:
        return f"there is no {error.filename}"
    raise AssertionError(f"`{need}` is not a need known here")


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    """The tests as they are built with all others, by program."""
    names = sorted({program for program, _, _ in marked()})
    line = ["cargo", "test", "--profile", "checked", "--locked", "--workspace", "--no-run"]
    line += ["--quiet", "--message-format", "json", *(f"--test={name}" for name in names)]
    built = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    told = [json.loads(one) for one in built.stdout.splitlines()]
    return {one["target"]["name"]: one["executable"] for one in told if one.get("executable")}


@pytest.mark.parametrize(("program", "name", "needs"), list(marked()))
def test_on_a_real_device(
    program: str,
    name: str,
    needs: tuple[str, ...],
    programs: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    for need in needs:
        if why := against(need, tmp_path_factory.mktemp("needs")):
            pytest.skip(f"needs {need}: {why}")
    line = [programs[program], "--quiet", "--ignored", "--exact", name]
    done = subprocess.run(line, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_none_looks_for_itself_whether_it_can_run() -> None:
    """One that then returned would count as passed."""
    for path in TESTS.rglob("*.rs"):
        for found in re.finditer(
            r"#\[test\]\n(.*\n)?fn (\w+)\(\) \{\n(.*\n)*?\}\n", path.read_text()
        ):
            needs = "Loop::" in found[0] or "Undo(" in found[0]
            assert not needs or "#[ignore" in found[0], f"{path.name}: {found[2]}"
            returns = re.search(r"\breturn\b", found[0])
            assert not returns or found[2].startswith("child_"), f"{path.name}: {found[2]}"
    assert len(list(marked())) >= 20
