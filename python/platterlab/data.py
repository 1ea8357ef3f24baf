"""The place of the measured traces that studies, tests and benchmarks use and that cannot ship."""

import os
from pathlib import Path

from platterlab._core import InputError

VARIABLE = "PLATTERLAB_DATA"
_SOURCE_TREE = Path(__file__).resolve().parents[2]
_BESIDE = _SOURCE_TREE.parent / "shared" / "data"


def folder() -> Path | None:
    """The folder that the environment names, else `../shared/data` next to the source tree.

    None where there is neither. A folder need not hold every trace: whoever wants one looks.

    Raises:
        InputError: the environment names something that is not a folder.
    """
    named = os.environ.get(VARIABLE)
    if named:
        path = Path(named)
        if not path.is_dir():
            raise InputError(f"{VARIABLE}={named}: there is no such folder")
        return path
    in_source_tree = (_SOURCE_TREE / "pyproject.toml").is_file()
    return _BESIDE if in_source_tree and _BESIDE.is_dir() else None
