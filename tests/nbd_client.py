"""A client of the NBD protocol for tests: plain, blocking, and as rude as it is told to be."""

import socket
import struct
import time
from pathlib import Path
from types import TracebackType
from typing import Self

READ, WRITE, DISC, FLUSH, TRIM, WRITE_ZEROES, BLOCK_STATUS = 0, 1, 2, 3, 4, 6, 7
FUA, NO_HOLE, REQ_ONE = 1, 2, 8
EXPORT_NAME, ABORT, LIST, INFO, GO, STRUCTURED, LIST_META, SET_META = 1, 2, 3, 6, 7, 8, 9, 10
EPERM, EIO, EINVAL, ENOSPC, ENOTSUP = 1, 5, 22, 28, 95
OPTION = 0x49484156454F5054
ALLOCATION = b"base:allocation"


class RefusedError(Exception):
    """A request was answered with an error; its argument is the number."""


def connect(client: socket.socket, path: Path) -> None:
    """Connects to a socket, which is there a moment before it listens."""
    for _ in range(200):
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise ConnectionRefusedError(f"{path}: nobody listens")


class Client:
    """A connection to a server.

    Args:
        path: its socket.
        structured: whether to agree on structured replies and on where data is.
        go: whether to agree on the export at once.
    """

    def __init__(self, path: Path, *, structured: bool = False, go: bool = True) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        connect(self.socket, path)
        self.structured = structured
        self.cookie = 0
        try:
            self._shake_hands(go)
        except BaseException:
            self.socket.close()
            raise

    def _shake_hands(self, go: bool) -> None:
        assert self.take(16) == b"NBDMAGICIHAVEOPT"
        assert struct.unpack(">H", self.take(2)) == (3,)
        self.size = 0
        self.flags = 0
        if go:
            self.socket.sendall(struct.pack(">I", 3))
            if self.structured:
                assert self.option(STRUCTURED)[-1][0] == 1
                queries = struct.pack(">III", 0, 1, len(ALLOCATION)) + ALLOCATION
                assert self.option(SET_META, queries)[0][0] == 4
            answers = self.option(GO, struct.pack(">IH", 0, 0))
            assert answers[-1][0] == 1
            _, self.size, self.flags = struct.unpack(">HQH", answers[0][1])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def take(self, count: int) -> bytes:
        """So many bytes. Raises ConnectionError where the server has hung up."""
        data = bytearray()
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise ConnectionError("the server has hung up")
            data += piece
        return bytes(data)

    def option(self, option: int, data: bytes = b"") -> list[tuple[int, bytes]]:
        """Asks for an option: the answers, each with its type, up to the last."""
        self.socket.sendall(struct.pack(">QII", OPTION, option, len(data)) + data)
        answers = []
        while not answers or answers[-1][0] in (2, 3, 4):
            magic, asked, kind, length = struct.unpack(">QIII", self.take(20))
            assert (magic, asked) == (0x3E889045565A9, option)
            answers.append((kind, self.take(length)))
        return answers

    def send(
        self, command: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0
    ) -> int:
        """Sends a request; its mark."""
        self.cookie += 1
        header = struct.pack(">IHHQQI", 0x25609513, flags, command, self.cookie, offset, length)
        self.socket.sendall(header + data)
        return self.cookie

    def answer(self, lengths: dict[int, int]) -> tuple[int, bytes]:
        """The next answer: to which request, and its data. Raises RefusedError."""
        (magic,) = struct.unpack(">I", self.take(4))
        if magic == 0x67446698:
            error, cookie = struct.unpack(">IQ", self.take(12))
            if error:
                raise RefusedError(error)
            return cookie, self.take(lengths.get(cookie, 0))
        assert magic == 0x668E33EF
        flags, kind, cookie, length = struct.unpack(">HHQI", self.take(16))
        assert flags == 1, "one chunk for each answer"
        body = self.take(length)
        if kind >= 1 << 15:
            raise RefusedError(struct.unpack(">I", body[:4])[0])
        return cookie, body[8:] if kind == 1 else body

    def ask(
        self, command: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0
    ) -> bytes:
        """Sends a request and waits for its answer. Raises RefusedError."""
        cookie = self.send(command, offset, length, data, flags)
        answered, body = self.answer({cookie: length if command == READ else 0})
        assert answered == cookie
        return body

    def read(self, offset: int, length: int) -> bytes:
        """Reads."""
        return self.ask(READ, offset, length)

    def write(self, offset: int, data: bytes, flags: int = 0) -> None:
        """Writes."""
        self.ask(WRITE, offset, len(data), data, flags)

    def runs(self, offset: int, length: int) -> list[tuple[int, int]]:
        """Where data is: bytes and state of each run."""
        body = self.ask(BLOCK_STATUS, offset, length)
        return [struct.unpack_from(">II", body, at) for at in range(4, len(body), 8)]
