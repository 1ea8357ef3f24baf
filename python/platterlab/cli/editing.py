"""A profile in the user's editor, again and again until it is correct or given up."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import typer

from platterlab import output
from platterlab._core import InputError, Profile
from platterlab.cli.console import stderr, stdout


def edited(text: str, goal: Path) -> int:
    """Lets the user change `text`, and writes it to `goal` once it is correct.

    What is given up stays in a file of its own, which is named. Gives the exit code.

    Raises:
        InputError: there is no editor, or it failed.
    """
    handle, name = tempfile.mkstemp(prefix=f"{goal.stem}-", suffix=".toml")
    draft = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    while True:
        _open_editor(draft)
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


def _open_editor(draft: Path) -> None:
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        done = subprocess.run([*words, str(draft)], check=False)  # noqa: S603
    except OSError as error:
        what = f"{words[0]}: cannot be started: {error.strerror}"
        raise InputError(f"{what}; name an editor in EDITOR, or use --set") from error
    if done.returncode != 0:
        raise InputError(f"{words[0]}: ended with {done.returncode}; the draft is {draft}")
