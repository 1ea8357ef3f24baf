"""The available memory, so that what cannot fit is refused before any of it is taken."""

import resource
from collections.abc import Sequence
from pathlib import Path

_PAGE_BYTES = resource.getpagesize()


def require(needs: Sequence[tuple[int, str]]) -> None:
    """Sees to it that everything that is to run at a time fits: how many bytes, and of what.

    Raises:
        MemoryError: it does not, by an estimate. None was taken.
    """
    needed, there = sum(bytes_ for bytes_, _ in needs), available_bytes()
    if there is not None and needed > there:
        times = f"{len(needs)} times about " if len(needs) > 1 else ""
        raise MemoryError(
            f"this takes about {needed / 1e9:,.1f} GB of memory ({times}{needs[0][1]}), and there "
            f"are {there / 1e9:,.1f} GB: take fewer of them, or fewer threads"
        )


def available_bytes() -> int | None:
    """What this process may still take; None where nobody says."""
    found = [_of_machine(), _of_limit(), _of_group()]
    return min((bytes_ for bytes_ in found if bytes_ is not None), default=None)


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def _of_machine() -> int | None:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return None


def _of_limit() -> int | None:
    """By `ulimit -v`."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    taken = _read("/proc/self/statm").split()
    if limit == resource.RLIM_INFINITY or not taken:
        return None
    return max(0, limit - int(taken[0]) * _PAGE_BYTES)


def _of_group() -> int | None:
    """By the control group that a container has."""
    limit, taken = (_read(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    if not (limit.isdigit() and taken.isdigit()):
        return None
    return max(0, int(limit) - int(taken))
