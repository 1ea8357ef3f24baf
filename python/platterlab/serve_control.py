"""Control of a drive that is being served: a socket for `platterlab serve-ctl`, a page of figures.

A command is a line of JSON, `{"do": "speed", "value": 0.1}`, and so is its answer: the server's
report, or `{"error": "..."}`.
"""

from __future__ import annotations

import errno
import json
import math
import os
import socket
import socketserver
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from platterlab import documents, output
from platterlab._core import InputError, Served
from platterlab.documents import Json
from platterlab.wrong_file import in_file

Action = Literal["stats", "pause", "resume", "speed", "faults", "snapshot", "power-cut"]
ACTIONS: tuple[Action, ...] = get_args(Action)
"""What can be asked of a drive that is being served."""
_WANTED: Json = {"speed": float, "snapshot": str, "faults": tuple[str, str] | None}
"""The values of those that have one."""
_LONGEST_LINE = 16 << 20
_SAYS_WITHIN_S = 2.0
"""A client that has not said by then what it wants is not waited for."""
_PATIENCE_S = 10.0
"""Of a client; a server answers at once, but for a snapshot, which is copied first."""
_PATIENCE_FOR_A_COPY_S = 3600.0


def obey(served: Served, files: Sequence[Path | None], command: Json) -> Json:
    """Does what a command says.

    Args:
        served: the drive.
        files: those that it was made of, has, or writes, over which no copy goes.
        command: `do`, one of `ACTIONS`, and its `value`: a speed, the name and the text of a file
            of faults or None, a path.

    Returns:
        The server's report.

    Raises:
        InputError: there is no such command, or its value cannot be.
        OSError: the copy cannot be written.
    """
    action = command.get("do")
    value: Any = None
    if action not in ACTIONS:
        raise InputError(f"{action}: is none of {', '.join(ACTIONS)}")
    if action in _WANTED:
        value = _checked(str(action), command.get("value"))
    if action == "pause":
        served.pause()
    elif action == "resume":
        served.resume()
    elif action == "speed":
        served.set_speed(value)
    elif action == "faults":
        served.set_faults(value)
    elif action == "power-cut":
        served.cut_power()
    elif action == "snapshot":
        target = Path(value)
        output.declare({"snapshot": target}, files)
        with output.replacing(target) as partial:
            served.snapshot(partial)
    return {**served.report()}


def _checked(action: str, value: object) -> Any:
    """What a command needs. Raises InputError when it is something else."""
    try:
        return msgspec.convert(value, _WANTED[action])
    except msgspec.ValidationError as error:
        raise InputError(f"{action}: its value: {documents.told(error)}") from error


def ask(control: Path, action: Action, value: object = None) -> Json:
    """Has a server do something; its report.

    Raises:
        InputError: nobody serves there, or it refuses.
    """
    patience_s = _PATIENCE_FOR_A_COPY_S if action == "snapshot" else _PATIENCE_S
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(patience_s)
        try:
            client.connect(os.fspath(control))
            client.sendall(json.dumps({"do": action, "value": value}).encode() + b"\n")
            with client.makefile("rb") as answers:
                line = answers.readline(_LONGEST_LINE)
        except TimeoutError as error:
            raise in_file(control, f"there is no answer within {patience_s:g} s") from error
        except OSError as error:
            raise in_file(control, f"nobody serves there: {error.strerror or error}") from error
    if not line:
        raise in_file(control, "the server ended before it answered")
    told = documents.as_dict(line, f"{control}: who listens there is no server of drives")
    if "error" in told:
        raise in_file(control, f"{told['error']}")
    if not isinstance(told.get("requests"), int):
        raise in_file(control, "who listens there is no server of drives")
    return told


@contextmanager
def listening(control: Path, obeys: Callable[[Json], Json]) -> Iterator[None]:
    """Obeys those who come to a socket that its owner alone can use, until the block ends.

    Raises:
        InputError: another server holds it, or something else lies there.
    """
    _make_way(control)

    class Handler(socketserver.StreamRequestHandler):
        timeout = _SAYS_WITHIN_S

        def handle(self) -> None:
            try:
                command = json.loads(self.rfile.readline(_LONGEST_LINE))
                if not isinstance(command, dict):
                    raise InputError('write a line such as {"do": "stats"}')
                told = obeys(command)
            except OSError as error:
                told = {"error": output.os_error(error)}
            except (InputError, ValueError) as error:
                told = {"error": str(error)}
            self.wfile.write(json.dumps(told).encode() + b"\n")

    class Server(socketserver.ThreadingUnixStreamServer):
        # Whoever has asked is answered, even at the end.
        daemon_threads = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that goes away before its answer is nobody's concern."""

    before = os.umask(0o177)
    try:
        server = Server(os.fspath(control), Handler)
    except OSError as error:
        raise InputError(f"--control {control}: {_no_socket(control, error)}") from error
    finally:
        os.umask(before)
    with server, _running(server):
        try:
            yield
        finally:
            control.unlink(missing_ok=True)


_LONGEST_SOCKET = 107
"""Bytes that the path of a socket has at most."""


def _no_socket(control: Path, error: OSError) -> str:
    """Why there can be no socket at a place, and what would be right."""
    length = len(os.fsencode(control))
    if length > _LONGEST_SOCKET:
        return (
            f"the path of a socket has at most {_LONGEST_SOCKET} bytes, and this one {length}; "
            "name a shorter one, as in /tmp"
        )
    folder = control.parent
    if error.errno == errno.ENOENT and not folder.is_dir():
        return f"there is no folder {folder}; make it, or name another"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"no permission to have a socket in {folder}; name a folder that you may write to"
    if error.errno == errno.ENOTDIR:
        return f"{folder} is not a folder; name another place"
    return error.strerror or str(error)


@contextmanager
def metrics(port: int, report: Callable[[], Json]) -> Iterator[int]:
    """A page of figures as Prometheus reads them, at a port of this machine alone; yields the port.

    Raises:
        InputError: the port is taken.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path in ("/", "/metrics")
            body = "".join(exposition(report())).encode() if found else b"ask for /metrics\n"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """The peer's address is not printed."""

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        said = (
            "another program listens there; name another port, or 0 for any free one"
            if error.errno == errno.EADDRINUSE
            else error.strerror
        )
        raise InputError(f"--metrics {port}: {said}") from error
    with server, _running(server):
        yield server.server_address[1]


def exposition(report: Json) -> Iterator[str]:
    """The figures of a report as lines of Prometheus's text format."""
    for key, value in report.items():
        name = f"platterlab_serve_{key}"
        if isinstance(value, dict):
            numbers = {inner: one for inner, one in value.items() if _is_number(one)}
            if numbers:
                yield f"# TYPE {name} gauge\n"
            for inner, one in numbers.items():
                yield f'{name}{{of="{inner}"}} {float(one)}\n'
        elif _is_number(value):
            yield f"# TYPE {name} gauge\n{name} {float(value)}\n"


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float) and math.isfinite(value)


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def _make_way(control: Path) -> None:
    """Takes away the socket that a server that died left."""
    try:
        if not stat.S_ISSOCK(control.lstat().st_mode):
            raise InputError(f"--control {control}: is not a socket; name another place")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(os.fspath(control))
        except ConnectionRefusedError:
            control.unlink()
            return
        except OSError as error:
            raise InputError(f"--control {control}: {error.strerror}") from error
    raise InputError(f"--control {control}: another server listens there; name another socket")
