"""The drive library: finds a profile by its name or reads it from a file."""

import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from platterlab import _core, documents
from platterlab._core import InputError, Profile
from platterlab.wrong_file import in_file

DISKSIM = (".parv", ".diskspecs", ".model")
"""How the names of DiskSim's parameter files end."""

_DRAWN_IN = re.compile(r"(?:\bsource\b|\bFull\s+seek\s+curve\s*=)\s*([^\s,={}\[\]#]+)")
_MOST_DRAWN_IN = 1000


@cache
def drives() -> dict[str, tuple[str, str]]:
    """Every drive of the library by name: the path in the source tree, and the text."""
    return {name: (path, text) for name, path, text in sorted(_core.library())}


def load(target: str, overrides: Mapping[str, Any] | None = None) -> Profile:
    """Reads and checks the profile of a drive.

    Args:
        target: a drive of the library, or the path of a .toml file.
        overrides: dotted keys and the values to use instead.

    Raises:
        InputError: the drive, a key or a value is wrong; the text says what would be right.
    """
    path, text = _source(target)
    profile = Profile.parse(text, path)
    return profile.with_overrides(dict(overrides)) if overrides else profile


def faults(target: str, overrides: Mapping[str, Any] | None = None) -> list[str]:
    """Everything that is wrong with a profile, each with its place; nothing of a correct one.

    Args:
        target: a drive of the library, or the path of a .toml file.
        overrides: dotted keys and the values to use instead, of a profile that is correct.
    """
    try:
        path, text = _source(target)
    except InputError as error:
        return [str(error)]
    wrong = Profile.faults(text, path)
    return wrong or Profile.parse(text, path).faults_with(dict(overrides or {}))


def text_of(target: str) -> str:
    """What stands in the profile, correct or not.

    Raises:
        InputError: there is no such profile.
    """
    return _source(target)[1]


def file_of(target: str) -> Path | None:
    """The file that `load` would read; None for a drive of the library."""
    return Path(target) if target.endswith(".toml") or "/" in target else None


def disksim_files(path: Path) -> list[Path]:
    """A file for DiskSim and those that it draws in, from its folder, as far as they are there.

    A seek curve is drawn in, too.
    """
    found: list[Path] = []
    waiting = [path]
    while waiting and len(found) < _MOST_DRAWN_IN:
        one = waiting.pop()
        if one in found or not one.is_file():
            continue
        found.append(one)
        # What is wrong with it is for who reads it to say.
        with suppress(InputError):
            text = documents.contents(one).decode(errors="replace")
            waiting += [path.parent / name for name in _DRAWN_IN.findall(text)]
    return found


def _source(target: str) -> tuple[str, str]:
    if Path(target).suffix in DISKSIM:
        raise in_file(
            target,
            f"is a file for DiskSim; `platterlab profile import {target} --out X.toml` "
            "makes a profile of it",
        )
    if not target.endswith(".toml") and "/" not in target:
        return _named(target)
    path = Path(target)
    documents.require_file(path, "profile")
    return target, documents.text(path)


def _named(name: str) -> tuple[str, str]:
    known = drives()
    if name in known:
        return known[name]
    within = [one for one in known if len(name) > 1 and name.lower() in one]
    near = get_close_matches(name.lower(), known, n=2, cutoff=0.5) or within[:2]
    hint = f"did you mean {' or '.join(near)}?" if near else "`platterlab profile list` has all;"
    raise InputError(f"no drive {name!r} in the library; {hint} A file's name has to end in .toml")
