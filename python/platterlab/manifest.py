"""The manifest of a result, with all that it takes to get the same one again, for every command."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

from platterlab import __version__, documents, library
from platterlab._core import InputError
from platterlab.documents import Json
from platterlab.wrong_file import in_file

Inputs = Iterable[tuple[str, str]]
"""What each input is for (`experiment`, `profile`, `trace`, `flow`, ...), and its path or, of a
profile, its name in the library. Of a folder all files count."""


class Input(TypedDict):
    """An input as a manifest has it."""

    what: str
    path: str
    bytes: int
    sha256: str


States = Mapping[str, tuple[int, ...]]
"""By absolute path, what shows whether a file was written to or replaced."""

_READ_ALL_ALONG = ("flow", "trace")
"""What is read for as long as the work takes, and at times more than once; the rest is read, once,
before it begins."""


def states(paths: Iterable[Path | None]) -> States:
    """Files as they are, before anything is read of them; those that are not there are left out."""
    found = {}
    for path in paths:
        if path is not None and (facts := _facts(path)) is not None:
            found[str(path.absolute())] = facts
    return found


def require_unchanged(paths: Iterable[Path], since: States) -> None:
    """That files are what they were.

    Raises:
        InputError: one was changed, so that what was read of it may be of both.
    """
    for path in paths:
        before = since.get(str(path.absolute()))
        if before is not None and _facts(path) != before:
            raise changed(path)


def require_same(manifest: Mapping[str, Any]) -> None:
    """That the traces and flows which a manifest names have the content that it names.

    Work that opens one several times has else results of several contents. One that is gone has no
    other content.

    Raises:
        InputError: one was changed since.
    """
    for one in manifest["inputs"]:
        what, path = one["what"], one["path"]
        if what not in _READ_ALL_ALONG or not os.path.lexists(path):
            continue
        if _input(what, path)["sha256"] != one["sha256"]:
            raise changed(path)


def changed(path: str | os.PathLike[str]) -> InputError:
    """What is said of a file that somebody writes to or replaces while it is read."""
    return in_file(path, "changed while it was read; try again when nobody writes to it")


def of(inputs: Inputs, *, since: States | None = None, **settings: Any) -> Json:
    """The manifest of results made from `inputs` under `settings`.

    Args:
        inputs: every file, and every profile of the library, that the results depend on.
        since: what some of them were when the work began, which they have to be.
        settings: what else they depend on, such as the seed and values set by hand.

    Returns:
        The program's version, the settings and, under `inputs`, each input once: `what` it is for,
        its `path`, its `bytes` and the `sha256` of its whole content; of a folder, of a line for
        each file in the order of their names: its own `sha256`, two spaces, its path in the folder.

    Raises:
        InputError: an input cannot be read, or was changed.
    """
    found = []
    for what, name in dict.fromkeys(inputs):
        found.append(_input(what, name))
        require_unchanged([Path(name)], since or {})
    return {"platterlab": __version__, **settings, "inputs": found}


def lines(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A manifest as names and values to be read, a line for each input."""
    told = [
        (key.replace("_", " "), _said(value))
        for key, value in manifest.items()
        if key not in ("inputs", "of_points")
    ]
    for one in manifest.get("inputs", ()):
        told.append((one["what"], f"{one['path']}, {one['bytes']:,} bytes, sha256 {one['sha256']}"))
    for one in manifest.get("of_points", ()):
        told.append((one["what"], f"{one['path']}, sha256 {one['sha256']}"))
    return told


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {item}" for key, item in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)


def _input(what: str, name: str) -> Input:
    if what == "profile" and name in library.drives():
        text = library.drives()[name][1].encode()
        size, digest = len(text), hashlib.sha256(text).hexdigest()
    elif Path(name).is_dir():
        size, digest = _folder(Path(name))
    else:
        size, digest = _file(Path(name))
    return {"what": what, "path": name, "bytes": size, "sha256": digest}


def _folder(path: Path) -> tuple[int, str]:
    files = sorted(
        (one.relative_to(path).as_posix(), *_file(one)) for one in path.rglob("*") if one.is_file()
    )
    listed = "".join(f"{digest}  {name}\n" for name, _, digest in files)
    return sum(size for _, size, _ in files), hashlib.sha256(listed.encode()).hexdigest()


def _file(path: Path) -> tuple[int, str]:
    if path.exists():
        # To open a pipe is to wait for who writes to it, and a device may have no end.
        documents.require_file(path)
    try:
        return _digest(path, *_facts_of(path.stat()))
    except OSError as error:
        raise in_file(path, f"cannot be read: {error.strerror}") from error


@lru_cache(maxsize=1024)
def _digest(path: Path, *identity: int) -> tuple[int, str]:
    """Size and hash of a file; remembered for as long as it is the same file, unchanged."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if _facts_of(os.fstat(file.fileno())) != identity:
            raise changed(path)
        return file.tell(), digest


def _facts(path: Path) -> tuple[int, ...] | None:
    try:
        return _facts_of(path.stat())
    except OSError:
        return None


def _facts_of(stat: os.stat_result) -> tuple[int, ...]:
    return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
