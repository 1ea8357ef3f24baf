"""The studies: one file per paper, each with its figures as data and their tolerances.

To add one, write a file that defines `STUDY` and add its line to `titles.py`.
"""

from difflib import get_close_matches
from importlib import import_module

from platterlab._core import InputError
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

__all__ = ["TITLES", "Outcome", "Request", "Row", "Study", "find", "names"]


def names() -> list[str]:
    """Every study: the file's name with dashes."""
    return sorted(TITLES)


def find(name: str) -> Study:
    """The study of a name.

    Raises:
        InputError: there is none; the text suggests the nearest.
    """
    if name not in names():
        near = get_close_matches(name.lower(), names(), n=1)
        hint = f"did you mean {near[0]}?" if near else "see `platterlab study list`"
        raise InputError(f"no study {name!r}; {hint}")
    study: Study = import_module(f"{__name__}.{name.replace('-', '_')}").STUDY
    return study
