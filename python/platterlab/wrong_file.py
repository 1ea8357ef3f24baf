"""The fault in a file, as the exception that names it."""

import os

from platterlab._core import InputError


def in_file(
    path: str | os.PathLike[str], what: str, *, line: int | None = None, key: str | None = None
) -> InputError:
    """An error whose text begins with the file's name, and that has its place as attributes.

    Args:
        path: the file or folder, as the user named it.
        what: is wrong with it, and what would be right.
        line: where in it.
        key: of what value.
    """
    name = os.fspath(path)
    place = [name, *([f"line {line}"] if line is not None else []), *([key] if key else [])]
    error = InputError(f"{', '.join(place)}: {what}")
    error.file, error.line, error.key = name, line, key
    return error
