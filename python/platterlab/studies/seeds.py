"""Stability of a study under other seeds: the verdicts of each row, and its figures."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from platterlab import studies
from platterlab.documents import Json
from platterlab.studies.study import Request


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

    def to_json(self) -> Json:
        """As `study --seeds --json` has it."""
        return {
            "row": self.row,
            "verdicts": dict(self.verdicts),
            "least": self.least,
            "most": self.most,
            "steady": self.is_steady,
        }


def verdicts(study: str, seed: int, data: str | None) -> list[tuple[str, str, float]]:
    """Of each row of a study its id, its verdict and its figure: what an engine calls.

    Args:
        study: its name.
        seed: of every random choice.
        data: the folder of measured traces.

    Raises:
        InputError: there is no such study, or it lacks data.
    """
    folder = None if data is None else Path(data)
    found = studies.find(study).run(Request(None, folder, seed, lambda _what, _share: None))
    return [(row.id, row.verdict, row.ours) for row in found.rows]


def under(runs: Iterable[Iterable[tuple[str, str, float]]]) -> list[Told]:
    """What the rows said in all runs, each of another seed: of `verdicts`."""
    told: dict[str, Told] = {}
    for rows in runs:
        for name, verdict, ours in rows:
            one = told.setdefault(name, Told(name))
            one.verdicts[verdict] += 1
            one.least, one.most = min(one.least, ours), max(one.most, ours)
    return list(told.values())


def steady_share(told: list[Told]) -> float:
    """The share of rows whose verdict was always the same."""
    return sum(one.is_steady for one in told) / len(told)
