"""Values that a paper does not print and a study has to assume, with source and range."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Constant:
    """A value that nobody printed.

    Attributes:
        name: in the JSON of a sensitivity run; ends in its unit.
        value: what the study takes.
        others: the rest of the range in which it could as well lie.
        source: why this value and this range.
    """

    name: str
    value: float
    others: tuple[float, ...]
    source: str


@dataclass(frozen=True)
class Flip:
    """A row whose verdict is another with another value of a constant.

    Attributes:
        row: its id.
        before: its verdict with the study's own constants, and `after` with the other value.
        ours_before: its figure, and `ours_after`.
    """

    row: str
    before: str
    after: str
    ours_before: float
    ours_after: float


@dataclass(frozen=True)
class Variation:
    """What one other value of a constant changes."""

    constant: Constant
    value: float
    rows: int
    flips: list[Flip]


Verdicts = dict[str, tuple[str, float]]
"""Of each row: its verdict and its figure."""


def vary(
    constants: tuple[Constant, ...], verdicts: Callable[[dict[str, float]], Verdicts]
) -> Iterator[Variation]:
    """Runs a study with each other value of each constant, one at a time."""
    base = verdicts({})
    for constant in constants:
        for value in constant.others:
            found = verdicts({constant.name: value})
            both = [key for key in base if key in found]
            flips = [
                Flip(key, base[key][0], found[key][0], base[key][1], found[key][1])
                for key in both
                if base[key][0] != found[key][0]
            ]
            yield Variation(constant, value, len(both), flips)
