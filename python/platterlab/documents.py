"""JSON that was not made here and now, read into values that have been checked.

What a document has to hold is said by the dataclass that it becomes; nothing else in the package
parses JSON of a file.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from platterlab._core import InputError
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    import msgspec

T = TypeVar("T")

Json: TypeAlias = dict[str, Any]
"""A document that may hold anything under its keys."""
Overrides: TypeAlias = dict[str, Any]
"""Values of a profile, by their keys or in the tables of its file."""

_MISSING = re.compile("Object missing required field `(.*?)`")
_UNKNOWN = re.compile("Object contains unknown field `(.*?)`")

_MOST_BYTES = 1 << 28
"""Of a document; the largest that is written here, the map of a drive's tracks, is far below."""


def decoded(data: "bytes | str | msgspec.Raw", kind: type[T], where: object) -> T:
    """A document as a value of `kind`; what `kind` does not know is left out.

    Raises:
        InputError: it is not JSON, or not what `kind` asks for; the text begins with `where`.
    """
    # Where no document is read, the start of a command does not wait for it.
    import msgspec

    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError as error:
        raise _in(where, "is nested too deeply") from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise _in(where, told(error)) from error


def _in(where: object, what: str) -> InputError:
    """The error of a file, or of a part of one, which has no name of its own."""
    return in_file(where, what) if isinstance(where, Path) else InputError(f"{where}: {what}")


def read(path: Path, kind: type[T]) -> T:
    """The document in a file as a value of `kind`.

    Raises:
        InputError: there is no such file, it is not a regular one, or not what `kind` asks for.
    """
    return decoded(contents(path), kind, path)


def require_file(path: Path, what: str = "file") -> None:
    """That something can be read to its end, as a pipe or a folder cannot.

    Args:
        path: where it should be.
        what: it should be.

    Raises:
        InputError: it is not there, or no regular file.
    """
    if path.is_file():
        return
    if path.is_fifo():
        raise in_file(
            path,
            f"is not a regular file but a pipe, and a {what} is read more than once; write it "
            "to a file first (COMMAND > FILE) and name that",
        )
    if path.is_dir():
        raise in_file(path, f"is not a regular file but a folder; name a {what} in it")
    if path.exists():
        kind = "a socket" if path.is_socket() else "a device"
        raise in_file(path, f"is not a regular file but {kind}; name a {what}")
    raise in_file(path, f"there is no such {what}")


def contents(path: Path) -> bytes:
    """The bytes of a document.

    Raises:
        InputError: there is no such file, or it is too large to be one.
    """
    require_file(path)
    if path.stat().st_size > _MOST_BYTES:
        raise in_file(path, "is too large for what it should be")
    return path.read_bytes()


def text(path: Path) -> str:
    """The text of a file that people write.

    Raises:
        InputError: as `contents`, or it is not UTF-8.
    """
    try:
        return contents(path).decode()
    except UnicodeDecodeError as error:
        raise in_file(path, f"is not UTF-8 text (byte {error.start})") from error


def as_dict(data: bytes | str, where: object) -> Json:
    """A document that may hold anything under its keys. Raises InputError as `decoded`."""
    return decoded(data, Json, where)


def told(error: Exception) -> str:
    """What is wrong with a document, in words of keys and not of a parser's objects."""
    text = _MISSING.sub(
        r"the key `\1` is missing", _UNKNOWN.sub(r"`\1` is not a key here", str(error))
    )
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
