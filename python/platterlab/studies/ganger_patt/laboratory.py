"""The drive and the instances of the tasks, each run once, and rows of their means."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.studies import even
from platterlab.studies.criteria import EFFECT, EXACT, MEAN
from platterlab.studies.ganger_patt.runs import Run, system
from platterlab.studies.row import NOTHING, Evidence, Row
from platterlab.studies.sample import change_pct

IN_VIEW = (
    "the tasks are made from Table 3's sizes and computation times; read-ahead, the interrupt's "
    "cost and the file gap were chosen with Tables 3, 5, 6 and Figures 1, 2 in view"
)
TASKS_ONLY = "the tasks and the constants of this study, which were fixed before this row was there"

Figure = Callable[[Run], float]
THREADS = 2
BEGINS = ("first_begin_millionths", "second_begin_millionths")


@dataclass(frozen=True)
class Laboratory:
    """What every experiment uses.

    Attributes:
        profile: the drive.
        seeds: one for each instance of a task.
        settings: of the computer and of where files lie, where they are not the study's own.

    Where the files begin decides most of what differs between instances, the disk having fewer
    sectors on inner tracks: they begin evenly over the disk.
    """

    profile: Profile
    seeds: range
    settings: dict[str, float] = field(default_factory=dict)
    _kept: dict[Any, list[Run]] = field(default_factory=dict, compare=False)

    def runs(
        self, task: str, scheduler: str, *, two_lists: bool = False, **settings: float
    ) -> list[Run]:
        """A task under one configuration, once for each instance."""
        told = {**self.settings, **settings}
        key = (task, scheduler, two_lists, tuple(sorted(told.items())))
        if key not in self._kept:

            def one(seed: int, begins: dict[str, float]) -> Run:
                settings = begins | told
                return system(
                    self.profile, task, seed, scheduler, two_lists=two_lists, settings=settings
                )

            with ThreadPoolExecutor(THREADS) as pool:
                self._kept[key] = list(pool.map(one, self.seeds, self._begins()))
        return self._kept[key]

    def _begins(self) -> list[dict[str, float]]:
        """Where the files of each instance begin, those that are read and the others."""
        drawn = np.floor(1e6 * even.draw(self.seeds[0], len(self.seeds)))
        return [dict(zip(BEGINS, map(float, pair), strict=True)) for pair in drawn]

    def each(self, runs: Sequence[Run], of: Figure) -> list[float]:
        """A figure of every run, two at a time."""
        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(of, runs))


def mean_row(
    row_id: str,
    what: str,
    paper: float | None,
    values: Sequence[float],
    unit: str,
    *,
    group: str,
    evidence: Evidence = "fitted",
    used: str = IN_VIEW,
    reason: str = "",
) -> Row:
    """A mean over instances: shares in % are held to points, all others to a share."""
    return Row(
        id=row_id,
        what=what,
        paper=paper,
        ours=fmean(values),
        unit=unit,
        criterion=EFFECT if unit == "%" else MEAN,
        interval=even.mean_interval(values),
        group=group,
        evidence=evidence,
        used=used if paper is not None else NOTHING,
        reason=reason,
        extra={"instances": len(values)},
    )


def change_row(
    row_id: str,
    what: str,
    paper: float | None,
    values: tuple[Sequence[float], Sequence[float]],
    *,
    group: str,
    evidence: Evidence = "fitted",
    used: str = IN_VIEW,
    reason: str = "",
    **more: Any,
) -> Row:
    """What a change is worth, in % of what was before."""
    before, after = values
    return Row(
        id=row_id,
        what=what,
        paper=paper,
        ours=change_pct(fmean(before), fmean(after)),
        unit="%",
        criterion=EFFECT,
        interval=even.change_interval(before, after),
        group=group,
        evidence=evidence,
        used=used,
        reason=reason,
        extra={"instances": len(before)},
        **more,
    )


def gains_row(row: Row, claim: str, **other: Any) -> Row:
    """The same held to its direction alone: the change is none for the worse, as is claimed."""
    return replace(row, target=0.0, bound="at-most", criterion=EXACT, claim=claim, **other)
