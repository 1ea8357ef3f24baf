"""Whether a study says the same under other seeds: the verdicts of each row, and its figures."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from platterlab.studies.row import Row


@dataclass
class Told:
    """What a row said under all seeds.

    Attributes:
        row: its id.
        verdicts: how often it had each.
        least, most: of its figure.
    """

    row: str
    verdicts: Counter[str] = field(default_factory=Counter)
    least: float = float("inf")
    most: float = float("-inf")

    @property
    def is_steady(self) -> bool:
        """Whether its verdict was always the same."""
        return len(self.verdicts) == 1

    def to_json(self) -> dict[str, Any]:
        """As `study --seeds --json` has it."""
        return {
            "row": self.row,
            "verdicts": dict(self.verdicts),
            "least": self.least,
            "most": self.most,
            "steady": self.is_steady,
        }


def under(seeds: Iterable[int], rows: Callable[[int], list[Row]]) -> list[Told]:
    """Runs a study under each seed."""
    told: dict[str, Told] = {}
    for seed in seeds:
        for row in rows(seed):
            one = told.setdefault(row.id, Told(row.id))
            one.verdicts[row.verdict] += 1
            one.least, one.most = min(one.least, row.ours), max(one.most, row.ours)
    return list(told.values())


def steady_share(told: list[Told]) -> float:
    """The share of rows whose verdict was always the same."""
    return sum(one.is_steady for one in told) / len(told)
