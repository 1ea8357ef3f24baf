"""The block device under a path, and what the kernel counts of it."""

import os
from dataclasses import dataclass
from pathlib import Path

from platterlab.wrong_file import in_file

_SYS = Path("/sys/dev/block")


def _kernel_number(device: int) -> int:
    """A device number of trace events and their filters."""
    return os.major(device) << 20 | os.minor(device)


@dataclass(frozen=True)
class Disk:
    """A disk with a file system on it or on one of its partitions."""

    mount: Path
    name: str
    folder: Path
    file_system: int
    """The number of the file system's device in trace events."""
    devices: tuple[int, ...]
    """The numbers of the disk and its partitions in trace events."""
    partition_start: int
    """Where the file system begins, in sectors of 512 bytes."""

    @classmethod
    def under(cls, path: Path) -> "Disk":
        """The disk that holds `path`. Raises InputError for what cannot be traced."""
        try:
            device = path.stat().st_dev
        except OSError as error:
            raise in_file(path, f"{error.strerror}") from None
        folder = _SYS / f"{os.major(device)}:{os.minor(device)}"
        if not folder.exists():
            raise in_file(path, "lies on no block device; name a folder on a disk with --path")
        folder = folder.resolve()
        start = 0
        if (folder / "partition").exists():
            start = int((folder / "start").read_text())
            folder = folder.parent
        if any((folder / "slaves").glob("*")):
            raise in_file(
                path,
                f"{folder.name} stands on other devices; name a folder of a file system "
                "that lies on a disk itself",
            )
        parts = [folder, *(entry.parent for entry in folder.glob("*/partition"))]
        return cls(
            path,
            folder.name,
            folder,
            _kernel_number(device),
            tuple(_number_of(part) for part in parts),
            start,
        )

    def completed(self) -> int:
        """Requests the disk has completed: reads, writes, discards and flushes."""
        fields = [int(field) for field in (self.folder / "stat").read_text().split()]
        return sum(fields[index] for index in (0, 4, 11, 15) if index < len(fields))

    def idle(self) -> bool:
        """Whether nothing is under way."""
        return not any(int(count) for count in (self.folder / "inflight").read_text().split())

    def setting(self, name: str) -> str:
        """A file of the disk's queue."""
        return (self.folder / "queue" / name).read_text().strip()

    def sectors(self) -> int:
        """The size, in sectors of 512 bytes."""
        return int((self.folder / "size").read_text())


def _number_of(folder: Path) -> int:
    major, minor = (folder / "dev").read_text().split(":")
    return int(major) << 20 | int(minor)
