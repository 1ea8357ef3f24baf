"""Answers of the core: documents whose types stand in `answers.pyi`, for those who check types.

A running program has dictionaries: to make two hundred types at each start would take it a
twentieth of a second.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return dict
