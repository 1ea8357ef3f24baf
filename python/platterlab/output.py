"""Files that appear whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platterlab._core import InputError


def check(target: Path) -> None:
    """Whether a file of that name can be begun.

    Raises:
        InputError: `target` is a folder, or its folder does not exist or may not be written to.
    """
    if target.is_dir():
        raise InputError(f"{target}: is a folder; name a file in it")
    if not target.parent.is_dir():
        raise InputError(f"{target}: there is no folder {target.parent}; create it first")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{target}: you may not write in the folder {target.parent}")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A name beside `target` to write to; it becomes `target` when the block ends well.

    When the block ends in any other way, an interruption included, nothing is left behind and an
    older `target` is untouched.

    Raises:
        InputError: `target` is a folder, or its folder does not exist or may not be written to.
    """
    check(target)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
