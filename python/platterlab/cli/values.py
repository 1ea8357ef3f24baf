"""Reads `key=value` arguments."""

import tomllib
from collections.abc import Iterable
from typing import Any

from platterlab._core import InputError


def settings(pairs: Iterable[str], option: str) -> dict[str, Any]:
    """A dictionary from `key=value` pairs; a value is as in TOML, and a bare word is a string.

    Raises:
        InputError: a pair has no `=` or no key, or a key comes twice; `option` names the place.
    """
    chosen: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key:
            raise InputError(f"{option} {pair}: write key=value, as in {option} seek.kind=linear")
        if key in chosen:
            raise InputError(f"{option} {key} is given twice")
        chosen[key] = _value(value)
    return chosen


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
