"""Standard input, output and error as a command finds them: closed, or of another encoding."""

import contextlib
import os
import sys
from io import TextIOWrapper


def prepare() -> None:
    """Makes the three streams fit to be used.

    One that is closed becomes the null device: else the next file that is opened would take its
    number, and what is meant for the terminal would go into it. A character that a stream cannot
    hold, or a name that is not UTF-8, is written as an escape.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            mode = "w" if number else "r"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
        stream = getattr(sys, name)
        if number and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard() -> None:
    """Sends what is still to come on standard output nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
