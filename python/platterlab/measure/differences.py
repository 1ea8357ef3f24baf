"""Differences between two extractions of the same samples."""

import math
from collections.abc import Iterator, Mapping
from typing import TypeGuard

_WITHIN = 1e-6
"""Relative: the last digits may be those of another processor's mathematics."""
_NOT_READ = {"platterlab", "warnings", "self_check", "model"}
"""What is said about the values, and of them by simulation; no older bundle has all of it."""
_MOST = 20


def differences(stored: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    """A sentence for each value that is not the same, the first few."""
    said = []
    for key in sorted(found.keys() - _NOT_READ):
        if key not in stored:
            said.append(f"{key}: is missing; the samples determine it")
            continue
        said += _differences(key, stored[key], found[key])
    more = len(said) - _MOST
    return said if more <= 0 else [*said[:_MOST], f"and {more:,} more values differ"]


def _differences(where: str, stored: object, found: object) -> Iterator[str]:
    if isinstance(found, dict) and isinstance(stored, dict):
        for key in sorted(found):
            yield from _differences(f"{where}.{key}", stored.get(key), found[key])
    elif isinstance(found, list | tuple) and isinstance(stored, list):
        if len(found) != len(stored):
            yield f"{where}: has {len(stored):,} parts; by the samples there are {len(found):,}"
            return
        for at, (one, other) in enumerate(zip(stored, found, strict=True)):
            yield from _differences(f"{where}[{at}]", one, other)
    elif not _same(stored, found):
        yield f"{where}: is {_said(stored)}; the samples say {_said(found)}"


def _same(stored: object, found: object) -> bool:
    if _is_number(stored) and _is_number(found):
        return math.isclose(stored, found, rel_tol=_WITHIN, abs_tol=1e-12)
    return bool(stored == found)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(value: object) -> str:
    text = repr(value) if not isinstance(value, float) else f"{value:.9g}"
    return text if len(text) <= 60 else f"{text[:59]}…"
