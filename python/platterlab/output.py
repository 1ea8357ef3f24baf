"""Outputs: declared before anything runs, and written whole or not at all.

Every command says first what it reads and what it will write (`declare`); every file is then
written under another name in the same folder and takes its place in one step (`replacing`).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from platterlab._core import InputError
from platterlab.extras import need
from platterlab.wrong_file import in_file

SCHEMA_VERSION = 1
"""Of the keys in every document that the program writes."""

_LONGEST_NAME = 255
"""Bytes in the name of a file, on every file system that Linux has."""


def declare(outputs: Mapping[str, Path | None], inputs: Iterable[Path | None] = ()) -> None:
    """Checks every output of a command before it begins.

    Args:
        outputs: by the option that names each; None where it is not given.
        inputs: the files and folders that the command reads.

    Raises:
        InputError: an output cannot be begun, is an input or lies in one, or is given twice. Files
            are distinguished by what they are, not by their names: links and `..` are followed.
    """
    if outputs.get("--report") is not None:
        need("charts")
    inputs = list(inputs)
    taken: list[tuple[str, Path]] = []
    for option, target in outputs.items():
        if target is None:
            continue
        check(target)
        require_apart(option, target, inputs)
        for other, path in taken:
            if _same(target, path):
                raise InputError(f"{option} {target}: {other} names the same file; name two")
        taken.append((option, target))


def declare_folder(option: str, folder: Path, inputs: Iterable[Path | None] = ()) -> None:
    """The same for a command that fills a folder, which need not be there yet.

    Raises:
        InputError: it is or lies in a file, is an input, or lies in one.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{option} {folder}: is a file; name a folder")
    whole = folder.absolute()
    above = next(place for place in (whole, *whole.parents) if place.exists())
    if not above.is_dir():
        raise InputError(f"{option} {folder}: {above} is a file; name a place in a folder")
    require_apart(option, folder, inputs)


def require_apart(option: str, target: Path, inputs: Iterable[Path | None]) -> None:
    """That what is written is none of the inputs, nor in one.

    Raises:
        InputError: it is, or lies in it.
    """
    for source in (path for path in inputs if path is not None):
        if _same(target, source):
            raise InputError(f"{option} {target}: is the input {source}; name another")
        if _is_folder(source) and _inside(target, source):
            raise InputError(f"{option} {target}: lies in the input {source}; name a place outside")


def check(target: Path) -> None:
    """Whether a file of that name can be begun.

    Raises:
        InputError: `target` is a folder, a device, a pipe or the file of a standard stream, its
            name is too long, or its folder does not exist or may not be written to.
    """
    try:
        if target.is_dir():
            raise in_file(target, "is a folder; name a file in it")
        if len(os.fsencode(_partial(target).name)) > _LONGEST_NAME:
            raise in_file(target, "the name is too long")
        if target.exists() and not target.is_file():
            raise in_file(target, "is not a regular file; name another")
        if (stream := _stream_of(target)) is not None:
            raise in_file(target, f"is the file of {stream}; name another file")
        if not target.parent.is_dir():
            raise in_file(target, f"there is no folder {target.parent}; create it first")
    except OSError as error:
        raise in_file(target, f"{error.strerror}") from error
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise in_file(target, f"you may not write in the folder {target.parent}")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A name in the folder of `target` to write to; it becomes `target` when the block ends well.

    When the block ends in any other way, an interruption included, nothing is left behind and an
    older `target` is untouched.

    Raises:
        InputError: as `check`.
        OSError: it cannot be written, for one because the disk is full; it names `target`.
    """
    check(target)
    partial = _partial(target)
    try:
        yield partial
        partial.replace(target)
    except OSError as error:
        # The partial name says nothing to a user, and libraries give none at all.
        if error.filename not in (None, str(partial), os.fsencode(partial)):
            raise
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(target)) from error
    finally:
        partial.unlink(missing_ok=True)


def os_error(error: OSError) -> str:
    """What the system refused and of which file, in a line; its number says nothing to a user."""
    name = error.filename
    named = name if isinstance(name, str) else os.fsdecode(name or b"")
    return f"{named}: {error.strerror}" if named and error.strerror else str(error)


def write_text(target: Path, text: str) -> None:
    """Writes a text file, whole or not at all; what is not UTF-8, of names of files, is escaped."""
    with replacing(target) as partial:
        partial.write_text(text, encoding="utf-8", errors="backslashreplace")


def save_figure(figure: Any, target: Path, **options: Any) -> None:
    """Writes a figure of matplotlib, whole or not at all, of the kind that its name says.

    Raises:
        InputError: the name does not end in .png, .svg or .pdf.
    """
    figure_kind(target)
    with replacing(target) as partial:
        figure.savefig(partial, format=target.suffix[1:], **options)


def figure_kind(target: Path) -> str:
    """What kind of picture a name asks for. Raises InputError when it is none of those drawn."""
    if target.suffix not in (".png", ".svg", ".pdf"):
        raise in_file(target, "a drawing's name ends in .png, .svg or .pdf")
    return target.suffix[1:]


def _stream_of(target: Path) -> str | None:
    """The standard stream that is redirected to a file, under whatever name; None for any other.

    A new file in its place would leave the stream with one that has no name. And `/dev/stdout` is
    a link, in place of which nobody on the machine would have it any more.
    """
    for number, word in enumerate(("standard input", "standard output", "standard error")):
        with suppress(OSError):
            if os.path.samestat(target.stat(), os.fstat(number)):
                return word
    return None


def _partial(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.partial")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one file, there or not."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False


def _inside(path: Path, folder: Path) -> bool:
    home = Path(os.path.realpath(folder))
    return home in Path(os.path.realpath(path)).parents
