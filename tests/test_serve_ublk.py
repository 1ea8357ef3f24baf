"""A served drive as a block device by ublk: refused where it cannot be, tried in a guest.

The kernel of this machine need not have ublk. With PLATTERLAB_UBLK_KERNEL, the folder that a
kernel's package was unpacked to, the tests of the feature run under it in an emulated machine.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from serving import DRIVE, command
from serving_loop import needs, run

KERNEL = os.environ.get("PLATTERLAB_UBLK_KERNEL")
INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /run /tmp
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox insmod /ublk_drv.ko
/bin/test --test-threads=1
/bin/busybox echo "the tests ended with $?"
/bin/busybox poweroff -f
"""


@pytest.mark.skipif(Path("/dev/ublk-control").exists(), reason="this kernel has ublk")
def test_where_it_cannot_be_it_is_refused(tmp_path: Path):
    words = command(DRIVE, "--store", "memory", "--ublk")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    said = " ".join(done.stderr.split())
    assert done.returncode == 2, said
    assert re.search("--ublk: this (Platterlab was built without ublk|kernel has no ublk)", said)
    assert "--fuse and losetup" in said


def built() -> Path:
    """The feature's tests as a program."""
    what = ("--package", "platterlab-serve", "--features", "ublk", "--test", "ublk")
    how = ("--profile", "checked", "--locked", "--no-run", "--message-format", "json")
    told = run("cargo", "test", *what, *how, cwd=ROOT, timeout=3600)
    made = [json.loads(line) for line in told.splitlines()]
    return Path(next(one["executable"] for one in made if one.get("executable")))


def guest(folder: Path, kernel: Path) -> Path:
    """The files of a machine that has the tests, what they need, and nothing else."""
    for name in ("bin", "lib64"):
        (folder / name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox") or "", folder / "bin")
    shutil.copy(built(), folder / "bin/test")
    for needed in re.findall(r"(/\S+) \(", run("ldd", folder / "bin/test")):
        place = folder / needed.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(needed, place)
    module = next(kernel.rglob("ublk_drv.ko.xz"))
    with (folder / "ublk_drv.ko").open("wb") as out:
        subprocess.run(["xz", "-dc", module], stdout=out, check=True)
    (folder / "init").write_text(INIT)
    (folder / "init").chmod(0o755)
    return folder


@pytest.mark.soak
@pytest.mark.skipif(KERNEL is None, reason="PLATTERLAB_UBLK_KERNEL names no kernel")
def test_the_features_tests_pass_under_a_kernel_that_has_it(tmp_path: Path):
    needs("qemu-system-x86_64", "busybox", "xz", "ldd")
    kernel = Path(KERNEL or "")
    files = guest(tmp_path / "files", kernel)
    archive = tmp_path / "initramfs"
    run("sh", "-c", f"cd {files} && find . | busybox cpio -o -H newc > {archive}")
    told = run(
        "qemu-system-x86_64", "-m", "1G", "-nographic", "-no-reboot",
        "-kernel", next(kernel.glob("boot/vmlinuz*")), "-initrd", archive,
        "-append", "console=ttyS0 quiet panic=-1", timeout=600,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    print(told)
    assert "the tests ended with 0" in told
    assert "not tried" not in told
