"""Reads rates, sizes and diameters as people write them."""

import re
from fractions import Fraction

from platterlab._core import InputError

_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
_BINARY = {"": 1, "k": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}

_LONGEST = 100
"""Characters of a number."""


def rate_bit_s(text: str) -> int:
    """Bits per second: `19.39M`, `128k`; k, M and G are powers of 1000.

    Raises:
        InputError: the text is not a rate of at least one bit per second.
    """
    rate = _scaled(text, _DECIMAL, "rate", "bits per second, such as 19.39M")
    if rate < 1:
        raise InputError(f"rate {text}: a stream needs at least 1 bit per second, such as 19.39M")
    return round(rate)


def each(text: str, sessions: int, name: str) -> list[str]:
    """One word for each stream: the words of `text` between commas, or one for all.

    Raises:
        InputError: there are more than one, but not one for each.
    """
    words = [word.strip() for word in text.split(",")]
    if len(words) == 1:
        return words * sessions
    if len(words) != sessions:
        raise InputError(
            f"{name} {text}: {len(words)} for {sessions} streams; write one, or one for each"
        )
    return words


def size_bytes(text: str, name: str) -> int:
    """Bytes: `512k`, `1M`; k, M, G and T are powers of 1024.

    Raises:
        InputError: the text is not a whole number of bytes above zero.
    """
    size = _scaled(text, _BINARY, name, "bytes, such as 512k")
    if size <= 0 or size.denominator != 1:
        raise InputError(f"{name} {text}: write a whole number of bytes above 0, such as 512k")
    return int(size)


def diameters(text: str) -> list[Fraction]:
    """Places from the outermost track, 1, to the innermost, 0: `1,2/3,1/3,0`.

    Raises:
        InputError: a place is not a number from 0 to 1.
    """
    places = []
    for word in text.split(","):
        try:
            place = _exactly(word.strip())
        except (ValueError, ZeroDivisionError):
            place = Fraction(-1)
        if not 0 <= place <= 1:
            raise InputError(f"--at {word}: a place is 1 (outermost) to 0 (innermost), such as 2/3")
        places.append(place)
    return places


def spread(count: int) -> list[Fraction]:
    """As many places, evenly from the outermost track to the innermost."""
    return (
        [Fraction(count - 1 - i, max(count - 1, 1)) for i in range(count)]
        if count > 1
        else [Fraction(1)]
    )


def _scaled(text: str, scales: dict[str, int], name: str, example: str) -> Fraction:
    word = text.strip()
    suffix = word[-1:] if word[-1:] in scales else ""
    other_case = {"K": "k", "m": "M", "g": "G", "t": "T"}.get(word[-1:])
    if other_case in scales:
        suffix = other_case
    number = word[: len(word) - len(suffix)] if suffix else word
    try:
        scaled = _exactly(number) * scales[suffix]
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(f"{name} {text}: write {example}") from error
    if scaled >= 2**63:
        raise InputError(f"{name} {text}: is a number beyond 64 bits; write {example}")
    return scaled


def _exactly(word: str) -> Fraction:
    """The number that a word says; one with thousands of digits would take for ever."""
    if len(word) > _LONGEST or re.search(r"[eE][+-]?[\d_]{4}", word):
        raise ValueError
    return Fraction(word)
