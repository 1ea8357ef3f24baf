"""A slow disk on a live Linux: a file system on a loop device whose storage the kernel throttles.

The throttle lies one device below the traced one: throttling a device itself holds requests back
before they count as issued. Whatever was set up is taken down again, also after a failure.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

BLKIO = Path("/sys/fs/cgroup/blkio")
TOOLS = ("losetup", "mkfs.ext4", "mount", "umount", "gzip", "cp")


def missing() -> str | None:
    """Why no live disk can be made here; None where one can."""
    if os.geteuid() != 0:
        return "needs root"
    for tool in TOOLS:
        if not any(Path(place, tool).exists() for place in os.get_exec_path()):
            return f"needs {tool}"
    if not Path("/sys/kernel/tracing").is_dir():
        return "the kernel has no tracefs"
    if not Path("/dev/loop-control").exists():
        return "the kernel has no loop devices"
    return None


@dataclass(frozen=True)
class LiveDisk:
    """A mounted file system on a loop device."""

    mount: Path
    device: str
    throttled: bool
    """Whether the device is slow; only where the kernel has the blkio controller."""


def call(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout.strip()


@contextmanager
def live_disk(folder: Path, mib: int = 384, mib_s: int = 60, iops: int = 400) -> Iterator[LiveDisk]:
    """An ext4 of `mib` on a device that gives `mib_s` and `iops`."""
    with ExitStack() as stack:
        outer = _mounted(stack, folder / "outer", mib + 128)
        inner = _mounted(stack, outer.mount / "inner", mib)
        throttled = _throttle(stack, outer.device, mib_s << 20, iops)
        yield LiveDisk(inner.mount, inner.device, throttled)


@dataclass(frozen=True)
class SlowDisk:
    """A mounted file system on a device of which every request takes a known time."""

    mount: Path
    device: str
    server: subprocess.Popen[str]

    def set_speed(self, access_ms: float, sector_ms: float) -> None:
        """From now on a request takes `access_ms`, and `sector_ms` for each sector."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.server.stdin.write(f"{access_ms} {sector_ms}\n")
        self.server.stdin.flush()
        assert self.server.stdout.readline() == "set\n"

    def schedulers(self) -> list[str]:
        """Those that the kernel has for the device."""
        return self._queue.read_text().replace("[", "").replace("]", "").split()

    def set_scheduler(self, name: str) -> None:
        """From now on the kernel's queue for the device has this scheduler."""
        self._queue.write_text(name)

    @property
    def _queue(self) -> Path:
        return Path("/sys/block", Path(self.device).name, "queue", "scheduler")


@contextmanager
def slow_disk(folder: Path, mib: int = 384, request_kib: int = 128) -> Iterator[SlowDisk]:
    """An ext4 of `mib` on a device that serves one request of up to `request_kib` at a time."""
    with ExitStack() as stack:
        place = folder / "slow"
        place.mkdir()
        stack.callback(place.rmdir)
        program = [sys.executable, str(Path(__file__).with_name("slow_file.py"))]
        server = stack.enter_context(
            subprocess.Popen(
                [*program, str(place), str(mib << 20)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(server.kill)
        assert server.stdout is not None
        image = Path(server.stdout.readline().strip())
        stack.callback(subprocess.run, ["umount", "--lazy", str(place)], check=False)
        disk = _file_system(stack, image, folder / "slow.mount")
        queue = Path("/sys/block", Path(disk.device).name, "queue")
        (queue / "max_sectors_kb").write_text(str(request_kib))
        (queue / "read_ahead_kb").write_text(str(request_kib))
        # The kernel's own throttling of writers by latency is nothing that a disk does.
        (queue / "wbt_lat_usec").write_text("0")
        _favour_log(disk.device)
        yield SlowDisk(disk.mount, disk.device, server)


def _favour_log(device: str) -> None:
    """The thread of the file system's log no longer waits for a CPU while others have them."""
    name = f"jbd2/{Path(device).name}-8"
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if comm.read_text().strip() == name:
                os.sched_setscheduler(int(comm.parent.name), os.SCHED_FIFO, os.sched_param(1))


def _mounted(stack: ExitStack, base: Path, mib: int) -> LiveDisk:
    image = base.with_suffix(".img")
    with image.open("wb") as file:
        file.truncate(mib << 20)
    stack.callback(image.unlink, missing_ok=True)
    return _file_system(stack, image, base.with_suffix(".mount"))


def _file_system(stack: ExitStack, image: Path, mount: Path) -> LiveDisk:
    # The kernel must not go on making the file system while it is traced.
    now = "lazy_itable_init=0,lazy_journal_init=0"
    call("mkfs.ext4", "-q", "-b", 4096, "-E", now, image)
    device = call("losetup", "--direct-io=on", "--find", "--show", image)
    stack.callback(subprocess.run, ["losetup", "--detach", device], check=False)
    mount.mkdir()
    stack.callback(mount.rmdir)
    call("mount", "-o", "noatime", device, mount)
    stack.callback(subprocess.run, ["umount", str(mount)], check=False)
    return LiveDisk(mount, device, throttled=False)


def _throttle(stack: ExitStack, device: str, bytes_s: int, iops: int) -> bool:
    number = Path(device).stat().st_rdev
    name = f"{os.major(number)}:{os.minor(number)}"
    done = False
    for group in {BLKIO, _own_group()}:
        for rule, rate in (("bps", bytes_s), ("iops", iops)):
            for way in ("read", "write"):
                file = group / f"blkio.throttle.{way}_{rule}_device"
                if file.is_file():
                    file.write_text(f"{name} {rate}")
                    stack.callback(_unthrottle, file, name)
                    done = True
    return done


def _unthrottle(file: Path, name: str) -> None:
    with suppress(OSError):
        file.write_text(f"{name} 0")


def _own_group() -> Path:
    """The blkio group of this process."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "blkio" in controllers.split(","):
            return BLKIO / path.lstrip("/")
    return BLKIO


def forget_cache() -> None:
    """Nothing of any file is in memory any more."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")
