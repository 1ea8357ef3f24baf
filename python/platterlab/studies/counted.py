"""Rows of a sample of drives: the share that is as wanted, and the number that is not."""

from typing import TypedDict, Unpack

from platterlab.documents import Json
from platterlab.studies.criteria import EXACT
from platterlab.studies.row import Bound, Interval, Row
from platterlab.studies.sample import share_interval


class More(TypedDict, total=False):
    """What else a row of a sample may have, as in `Row`."""

    group: str
    interval: Interval
    used: str
    reason: str
    extra: Json


def share_row(
    row_id: str,
    what: str,
    sample: tuple[int, int],
    target: float,
    bound: Bound = "at-least",
    **more: Unpack[More],
) -> Row:
    """The share of a sample, hits of tries, and where it lies; that of no tries is 0."""
    hits, tries = sample[0], max(1, sample[1])
    more["interval"] = share_interval(hits, tries)
    ours = hits / tries
    return Row(row_id, what, None, ours, "", target=target, bound=bound, criterion=EXACT, **more)


def none_row(row_id: str, what: str, count: int, **more: Unpack[More]) -> Row:
    """How many of a sample are as none may be."""
    return Row(
        row_id, what, None, float(count), "", target=0.0, bound="at-most", criterion=EXACT, **more
    )


def number_interval(hits: int, tries: int) -> Interval:
    """Where the number of hits in a sample of this size lies; 0 where that is of none."""
    low, high = share_interval(hits, max(1, tries))
    return low * tries, high * tries
