"""A profile in the user's editor, again and again until it is correct or given up."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import typer

from platterlab import output
from platterlab._core import InputError, Profile
from platterlab.cli.console import stderr, stdout

_INSTEAD = "name an editor in EDITOR, or use --set"


def edited(text: str, goal: Path) -> int:
    """Lets the user change `text`, and writes it to `goal` once it is correct.

    What is given up stays in a file of its own, which is named. Gives the exit code.

    Raises:
        InputError: there is no editor, or it failed.
    """
    editor = _editor()
    handle, name = tempfile.mkstemp(prefix=f"{goal.stem}-", suffix=".toml")
    draft = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    while True:
        _open(editor, draft)
        now = draft.read_text(encoding="utf-8", errors="replace")
        wrong = Profile.faults(now, str(draft))
        if not wrong:
            break
        for line in wrong:
            stderr().print(line, markup=False, highlight=False)
        if not typer.confirm("edit it again?", default=True, err=True):
            stderr().print(f"{goal} is as it was; the draft is {draft}", markup=False)
            return 2
    if now == text and goal.is_file():
        said = "not changed"
    else:
        output.write_text(goal, now)
        said = "correct"
    draft.unlink()
    stdout().print(f"{goal}: {said}", markup=False, soft_wrap=True)
    return 0


def _editor() -> list[str]:
    """The words of the editor's command line, before the file."""
    for variable in ("VISUAL", "EDITOR"):
        named = os.environ.get(variable, "")
        try:
            words = shlex.split(named)
        except ValueError as error:
            raise InputError(f"{variable}: {named}: a quote is not closed") from error
        if words:
            return words
    # Without a terminal `vi` writes its screen into a file or a pipe, and waits without end.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        raise InputError(f"vi needs a terminal; {_INSTEAD}")
    return ["vi"]


def _open(editor: list[str], draft: Path) -> None:
    try:
        done = subprocess.run([*editor, str(draft)], check=False)  # noqa: S603
    except OSError as error:
        what = f"{editor[0]}: cannot be started: {error.strerror}"
        raise InputError(f"{what}; {_INSTEAD}") from error
    if done.returncode != 0:
        raise InputError(f"{editor[0]}: ended with {done.returncode}; the draft is {draft}")
