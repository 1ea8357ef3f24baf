"""`platterlab serve-ctl` at a socket where something else listens, or with files that are none."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conftest import Ran
from platterlab import serve_control
from serving import DRIVE
from test_serve_bad_input import refused

ANSWERS = {
    "nothing": (b"", "nobody serves there|ended before it answered"),
    "noise": (b"\xff\xfe\x00garbage\n", "no server of drives"),
    "another object": (b"{}\n", "no server of drives"),
    "a list": (b"[1, 2]\n", "no server of drives"),
    "null": (b"null\n", "no server of drives"),
    "too deep": (b"[" * 100_000 + b"\n", "no server of drives"),
    "another kind of count": (b'{"requests": "many"}\n', "no server of drives"),
    "half a line": (b'{"requests": 7', "no server of drives"),
}


@contextmanager
def listening(path: Path, answer: bytes | None) -> Iterator[None]:
    """Somebody who answers with these bytes whatever is asked; None for one who never does."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        if answer is None:
            yield
            return
        said = answer

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(1 << 16)
                client.sendall(said)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join()


@pytest.mark.parametrize("action", [("stats",), ("pause",), ("snapshot", "copy")])
@pytest.mark.parametrize("name", ANSWERS)
def test_who_is_no_server_is_told_so(
    run: Callable[..., Ran], tmp_path: Path, name: str, action: tuple[str, ...]
) -> None:
    answer, said = ANSWERS[name]
    place = tmp_path / "control"
    with listening(place, answer):
        ran = run("serve-ctl", place, *action)
    assert (ran.code, ran.out) == (2, "")
    assert any(words in ran.err.replace("\n", " ") for words in said.split("|")), ran.err


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(None, "the store has gone", "/mnt/copy"), "/mnt/copy: the store has gone"),
        (OSError(28, "No space left on device", b"/mnt/copy"), "/mnt/copy: No space left"),
        (OSError("the store has gone"), "the store has gone"),
    ],
)
def test_what_the_system_refuses_is_told_without_its_number(
    run: Callable[..., Ran], tmp_path: Path, error: OSError, said: str
) -> None:
    def refuses(_command: dict[str, Any]) -> dict[str, Any]:
        raise error

    place = tmp_path / "control"
    with serve_control.listening(place, refuses):
        ran = run("serve-ctl", place, "snapshot", tmp_path / "copy")
    assert (ran.code, ran.out) == (2, "")
    told = ran.err.replace("\n", " ")
    assert said in told
    assert "Errno" not in told


def test_who_never_answers_is_not_waited_for(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_control, "_PATIENCE_S", 0.1)
    place = tmp_path / "control"
    with listening(place, None):
        ran = run("serve-ctl", place, "pause")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no answer within 0.1 s" in ran.err.replace("\n", " ")


@pytest.fixture(params=["pipe", "device", "huge", "latin-1", "wrong", "key"])
def faults(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A file of faults that is none, and what is said of it."""
    path = tmp_path / "faults.toml"
    match request.param:
        case "pipe":
            os.mkfifo(path)
            return path, "is not a regular file"
        case "device":
            path.symlink_to("/dev/zero")
            return path, "is not a regular file"
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 40)
            return path, "is too large"
        case "latin-1":
            path.write_bytes("# é\n".encode("latin-1"))
            return path, "is not UTF-8 text (byte 2)"
        case "wrong":
            path.write_text("seed = 1\nhello\n")
            return path, "line 2"
    path.write_text("seeed = 1\n")
    return path, "line 1: seeed: unknown field `seeed`"


def test_a_file_of_faults_that_is_none_is_named(tmp_path: Path, faults: tuple[Path, str]) -> None:
    path, said = faults
    told = refused(tmp_path, DRIVE, "--store", "memory", "--port", 0, "--faults", path)
    assert f"{path}: {said}" in told.replace(f"{path},", f"{path}:")


def test_a_store_that_is_refused_is_not_left(tmp_path: Path) -> None:
    for more in (("--nbd", "gone/s"), ("--fuse", tmp_path / "gone"), ("--port", 0, "--speed", "0")):
        refused(tmp_path, DRIVE, "--store", "new.img", *more)
        assert not (tmp_path / "new.img").exists(), more
    link = tmp_path / "link.img"
    link.symlink_to("link.img")
    told = refused(tmp_path, DRIVE, "--store", link, "--port", 0)
    assert "is a link that leads nowhere" in told
