"""The drive library: finds a profile by its name."""

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from platterlab._core import InputError, Profile

ROOT = Path(__file__).parent / "profiles"
"""Where the library lies: `<vendor>/<model>.toml`."""


@cache
def drives() -> dict[str, Path]:
    """Every drive of the library, `<vendor>-<model>`, in alphabetical order, with its file."""
    return {f"{path.parent.name}-{path.stem}": path for path in sorted(ROOT.glob("*/*.toml"))}


def locate(target: str) -> Path:
    """The file of a drive: a name of the library, a model that only one vendor has, or a path.

    Raises:
        InputError: there is no such drive; the text suggests the nearest.
    """
    if target.endswith(".toml") or "/" in target:
        path = Path(target)
        if not path.is_file():
            raise InputError(f"{target}: there is no such profile")
        return path
    known = drives()
    if target in known:
        return known[target]
    models = Counter(path.stem for path in known.values())
    if models[target] == 1:
        return next(path for path in known.values() if path.stem == target)
    near = get_close_matches(target.lower(), [*known, *models], n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see `platterlab profile list`"
    raise InputError(f"no drive {target!r} in the library{hint} A path has to end in .toml")


def load(target: str, overrides: Mapping[str, Any] | None = None) -> Profile:
    """Reads and checks the profile of a drive.

    Args:
        target: as for `locate`.
        overrides: dotted keys and the values to use instead.

    Raises:
        InputError: the drive, a key or a value is wrong.
    """
    path = locate(target)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    profile = Profile.parse(text, str(path))
    return profile.with_overrides(dict(overrides)) if overrides else profile
