"""Messages about a whole number that no word of the core holds."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from platterlab._core import InputError

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def in_range(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """The same function; a whole number out of range is an `InputError` that names it.

    It costs nothing where all are in range: the core has looked already.
    """

    @wraps(function)
    def called(*args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
        try:
            return function(*args, **kwargs)
        except OverflowError as error:
            given = inspect.signature(function).bind(*args, **kwargs).arguments
            numbers = {name: one for name, one in given.items() if isinstance(one, int)}
            for name, number in numbers.items():
                if number < 0:
                    raise InputError(f"{name}: {number}; it must be 0 or more") from error
            if not numbers:
                raise
            name = max(numbers, key=lambda name: numbers[name])
            raise InputError(f"{name}: {numbers[name]} is too large") from error

    return called
