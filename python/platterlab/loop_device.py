"""A file as a block device of this machine: a loop device, as `losetup --direct-io=on` makes it."""

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platterlab._core import InputError

_CONTROL = Path("/dev/loop-control")
_GET_FREE, _CONFIGURE, _LET_GO = 0x4C82, 0x4C0A, 0x4C01
"""Of linux/loop.h."""
_DIRECT_IO = 16
_CONFIG = struct.Struct("<2I5Q4I64s96s16s64x")
"""`struct loop_config`: the file, the size of a sector, and what is stated of the device."""
_TRIES = 10
"""Another program may take the device that was free."""


@contextmanager
def attached(file: Path) -> Iterator[Path]:
    """The device, until the block ends. What still uses it then keeps it until it lets go.

    Raises:
        InputError: there are no loop devices here, or not for this user.
    """
    device = _attach(file)
    try:
        yield device
    finally:
        with _opened(device) as descriptor:
            fcntl.ioctl(descriptor, _LET_GO)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _attach(file: Path) -> Path:
    try:
        with _opened(_CONTROL) as control, _opened(file) as backing:
            for _ in range(_TRIES):
                device = Path(f"/dev/loop{fcntl.ioctl(control, _GET_FREE)}")
                if _is_taken(device, backing, os.fsencode(file)):
                    return device
    except OSError as error:
        whose = "; they are root's" if error.errno in (errno.EACCES, errno.EPERM) else ""
        raise InputError(
            f"--loop: no loop device can be had: {error.strerror}{whose}; "
            "programs can use the file of --fuse without one"
        ) from error
    raise InputError("--loop: other programs took each loop device that was free; try again")


def _is_taken(device: Path, backing: int, name: bytes) -> bool:
    """Whether it is ours now, and not another program's."""
    config = _CONFIG.pack(backing, 0, 0, 0, 0, 0, 0, 0, 0, 0, _DIRECT_IO, name[:63], b"", b"")
    with _opened(device) as descriptor:
        try:
            fcntl.ioctl(descriptor, _CONFIGURE, config)
        except OSError as error:
            if error.errno == errno.EBUSY:
                return False
            raise
    return True
