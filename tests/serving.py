"""A server of `platterlab serve` for tests: started, watched, ended."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbd_client import Client

DRIVE = "hp-97560"
BYTES = 1355304960


class Server:
    """A server under test; what it said once it has ended."""

    def __init__(self, process: subprocess.Popen[str], path: Path) -> None:
        self.process = process
        self.path = path
        self.uri = f"nbd+unix:///?socket={path}"
        self.report: dict = {}
        self.said = ""

    def client(self, **how: bool) -> Client:
        return Client(self.path, **how)

    def end(self, code: int = 0) -> dict:
        """Ends it as Ctrl-C does, if it has not by itself."""
        if not self.report:
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGINT)
            out, self.said = self.process.communicate(timeout=60)
            assert self.process.returncode == code, self.said
            self.report = json.loads(out)
        return self.report


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "platterlab", "serve", *map(str, arguments)]


@contextmanager
def serving(
    folder: Path, *more: object, drive: str = DRIVE, store: object = "memory", speed: str = "max"
) -> Iterator[Server]:
    path = folder / "nbd"
    comes = [
        path,
        *(Path(str(more[at + 1])) for at, word in enumerate(more) if word == "--control"),
    ]
    arguments = (drive, "--store", store, "--nbd", path, "--speed", speed, "--json", *more)
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            end = time.monotonic() + 60
            while not all(one.exists() for one in comes):
                assert process.poll() is None, process.communicate()[1]
                assert time.monotonic() < end, "it does not listen"
                time.sleep(0.02)
            server = Server(process, path)
            yield server
            server.end()
        finally:
            process.kill()
