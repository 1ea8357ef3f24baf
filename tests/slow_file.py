"""A file whose reads and writes take a known time: a FUSE server of one file, one by one.

`slow_file.py FOLDER BYTES` serves until it is unmounted. A line on its standard input sets the time
of a request and of a sector, in ms; it begins with none.
"""

import ctypes
import mmap
import os
import select
import struct
import sys
import time
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NAME = b"disk"
ROOT, FILE = 1, 2
LARGEST = 1 << 20
HEADER = struct.Struct("<IIQQIIIHH")
REPLY = struct.Struct("<IiQ")
ATTRIBUTES = struct.Struct("<6Q10I")
NOT_FOUND, UNKNOWN = -2, -38
LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE = 1, 2, 3, 4, 14, 15, 16
RELEASE, FSYNC, FLUSH, INIT, OPENDIR, RELEASEDIR, INTERRUPT = 18, 20, 25, 26, 27, 29, 36
BIG_WRITES, ASYNC_DIO, MAX_PAGES = 1 << 5, 1 << 15, 1 << 22
DIRECT_IO = 1


class Server:
    """Answers the kernel's requests in the order of their arrival."""

    def __init__(self, size: int) -> None:
        self.data = mmap.mmap(-1, size)
        self.access_s = self.sector_s = 0.0
        self.free_at = 0.0

    def attributes(self, node: int) -> bytes:
        folder = node == ROOT
        mode, size = (0o040755, 0) if folder else (0o100644, len(self.data))
        return ATTRIBUTES.pack(node, size, size // 512, *(0,) * 6, mode, 1, 0, 0, 0, 4096, 0)

    def take_time(self, size: int) -> None:
        """The device is busy with one request after the other."""
        begin = max(time.monotonic(), self.free_at)
        self.free_at = begin + self.access_s + self.sector_s * (size // 512)
        left = self.free_at - time.monotonic()
        if left > 0:
            time.sleep(left)
        # What sleeping took too long is the device's time as well.
        self.free_at = time.monotonic()

    def answer(self, kind: int, node: int, body: bytes) -> bytes | int | None:
        """The body of the reply, an error, or None where there is no reply."""
        if kind in (FORGET, INTERRUPT):
            return None
        if kind == INIT:
            flags = BIG_WRITES | ASYNC_DIO | MAX_PAGES
            sizes = struct.pack("<HHIIHHI28x", 64, 48, LARGEST, 1, LARGEST // 4096, 0, 0)
            return struct.pack("<IIII", 7, 31, 0, flags) + sizes
        if kind == LOOKUP:
            if body.rstrip(b"\0") != NAME:
                return NOT_FOUND
            return struct.pack("<QQQQII", FILE, 0, 3600, 3600, 0, 0) + self.attributes(FILE)
        if kind in (GETATTR, SETATTR):
            return struct.pack("<QII", 3600, 0, 0) + self.attributes(node)
        if kind in (OPEN, OPENDIR):
            return struct.pack("<QII", 0, DIRECT_IO if kind == OPEN else 0, 0)
        if kind in (READ, WRITE):
            _, offset, size = struct.unpack_from("<QQI", body)
            self.take_time(size)
            if kind == READ:
                return self.data[offset : offset + size]
            self.data[offset : offset + size] = body[40 : 40 + size]
            return struct.pack("<II", size, 0)
        return b"" if kind in (RELEASE, FSYNC, FLUSH, RELEASEDIR) else UNKNOWN

    def serve(self, fuse: int) -> None:
        while True:
            if select.select([sys.stdin, fuse], [], [])[0][0] is sys.stdin:
                line = sys.stdin.readline()
                if not line:
                    return
                self.access_s, self.sector_s = (float(word) / 1e3 for word in line.split())
                sys.stdout.write("set\n")
                sys.stdout.flush()
                continue
            try:
                request = os.read(fuse, LARGEST + 4096)
            except OSError:
                return
            length, kind, unique, node, *_ = HEADER.unpack_from(request)
            reply = self.answer(kind, node, request[HEADER.size : length])
            if reply is not None:
                error, body = (reply, b"") if isinstance(reply, int) else (0, reply)
                os.write(fuse, REPLY.pack(REPLY.size + len(body), error, unique) + body)


def main() -> None:
    folder, size = sys.argv[1:]
    # Sleeps end when they should, not when it suits the kernel.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    timer_slack = 29
    LIBC.prctl(timer_slack, 1, 0, 0, 0)
    fuse = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={fuse},rootmode=040000,user_id=0,group_id=0".encode()
    if LIBC.mount(b"slow", os.fsencode(folder), b"fuse", 0, options) != 0:
        sys.exit(f"{folder}: {os.strerror(ctypes.get_errno())}")
    sys.stdout.write(f"{Path(folder) / NAME.decode()}\n")
    sys.stdout.flush()
    Server(int(size)).serve(fuse)


if __name__ == "__main__":
    main()
