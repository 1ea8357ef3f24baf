"""Facts of a Linux that are written down before a capture."""

import os
import platform
from pathlib import Path

from platterlab.documents import Json
from platterlab.tracing.device import Disk

_KERNEL_THREAD = 0x0020_0000
_SECTOR_BYTES = 512


def kernel_threads() -> dict[int, str]:
    """The kernel's own threads and their names."""
    threads = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        if int(rest.split()[6]) & _KERNEL_THREAD:
            threads[int(folder.name)] = name
    return threads


def cpu_ns(pid: int) -> int:
    """Time a process was on a CPU so far, by the scheduler, in ns."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


def header(disk: Disk, title: str) -> Json:
    """The header of the flow: machine, file cache, daemon and device as they are set now."""
    page = os.sysconf("SC_PAGE_SIZE")
    available = _memory_kib("MemAvailable") * 1024 // page
    return {
        "origin": "captured",
        "title": title,
        "machine": {
            "cpus": os.sysconf("SC_NPROCESSORS_ONLN"),
            "memory_pages": available,
            "page_bytes": page,
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "clock": "mono",
        },
        "cache": {
            "read_ahead_pages": int(disk.setting("read_ahead_kb")) * 1024 // page,
            "dirty_background_percent": _dirty_percent("dirty_background", available * page),
            "dirty_percent": _dirty_percent("dirty", available * page),
        },
        "syncer": {
            "interval_ms": 10.0 * _vm("dirty_writeback_centisecs"),
            "expire_ms": 10.0 * _vm("dirty_expire_centisecs"),
        },
        "device": {
            "sectors": disk.sectors(),
            "sector_bytes": _SECTOR_BYTES,
            "scheduler": _chosen(disk.setting("scheduler")),
            "max_request_sectors": int(disk.setting("max_sectors_kb")) * 2,
            "file_system": _file_system(disk.mount),
        },
    }


def _vm(name: str) -> int:
    return int(Path("/proc/sys/vm", name).read_text())


def _dirty_percent(name: str, memory_bytes: int) -> float:
    """The limit as a share; one that is set in bytes is one of the memory there is."""
    ratio = _vm(f"{name}_ratio")
    return float(ratio) if ratio else min(100.0, 100.0 * _vm(f"{name}_bytes") / memory_bytes)


def _memory_kib(name: str) -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    return 0


def _chosen(schedulers: str) -> str:
    """`none [mq-deadline]` is `mq-deadline`."""
    return schedulers.partition("[")[2].partition("]")[0] or schedulers


def _file_system(path: Path) -> str:
    """The kind of the file system that holds `path`."""
    device = path.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        if fields[2] == number:
            return fields[fields.index("-") + 1]
    return "unknown"
