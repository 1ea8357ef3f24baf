"""Conditions for a comparison to fail: `p99 > +5 %`, `mean of writes > +0.2 ms`, `p95 > 20 ms`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from platterlab._core import InputError
from platterlab.comparing.sides import FIGURES
from platterlab.comparing.statistics import Group

_SHAPE = re.compile(
    r"\s*(?P<figure>[a-z][a-z0-9.]*)\s*(?:of\s+(?P<group>.+?))?\s*(?P<than>[<>])=?\s*"
    r"(?P<sign>[+-]?)\s*(?P<value>\d+(?:\.\d+)?)\s*(?P<unit>%|ms)\s*",
    re.IGNORECASE,
)
_ALSO = {"median": "p50", "p99.9": "p999", "maximum": "max"}


@dataclass(frozen=True)
class Condition:
    """A figure that is not to be above, or below, a bound."""

    text: str
    figure: str
    group: str
    above: bool
    bound: float
    unit: str
    """`%` of the first side, or `ms`."""
    change: bool
    """Whether the bound is of the change, rather than of the figure itself."""

    def holds(self, groups: Mapping[str, Group], side: str) -> tuple[bool, float]:
        """Whether it is so, and the value that was found.

        Raises:
            InputError: there is no such group or figure, or the first side's is 0.
        """
        if self.group not in groups:
            there = ", ".join(groups)
            raise InputError(f"--fail-if {self.text}: {side} has no {self.group}; it has {there}")
        figures = groups[self.group].figures
        if self.figure not in figures:
            there = ", ".join(figures)
            raise InputError(
                f"--fail-if {self.text}: {self.group} has no {self.figure}; it has {there}"
            )
        found = figures[self.figure]
        value = found.other.ms
        if self.unit == "%":
            if found.pct is None:
                raise InputError(f"--fail-if {self.text}: the first side's {self.figure} is 0 ms")
            value = found.pct
        elif self.change:
            value = found.change.ms
        return (value > self.bound if self.above else value < self.bound), value


def condition(text: str) -> Condition:
    """Reads one.

    Raises:
        InputError: it is none.
    """
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise InputError(
            f'--fail-if {text}: write it as "p99 > +5 %", "mean of writes > +0.2 ms" or '
            '"p95 > 20 ms"'
        )
    word = found["figure"].lower()
    figure = _ALSO.get(word, word)
    if figure not in FIGURES:
        raise InputError(f"--fail-if {text}: {word} is none of {', '.join(FIGURES)}")
    sign = -1 if found["sign"] == "-" else 1
    return Condition(
        text=text.strip(),
        figure=figure,
        group=(found["group"] or "all").strip(),
        above=found["than"] == ">",
        bound=sign * float(found["value"]),
        unit=found["unit"].lower(),
        change=bool(found["sign"]) or found["unit"] == "%",
    )
