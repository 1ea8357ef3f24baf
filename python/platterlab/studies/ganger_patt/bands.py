"""Bands of Figure 1 where values that the paper does not print are assumed otherwise."""

from collections import defaultdict

from platterlab.studies.ganger_patt import models
from platterlab.studies.ganger_patt.laboratory import Laboratory
from platterlab.studies.ganger_patt.priors import OF_TASKS
from platterlab.studies.row import Interval

Bands = dict[str, Interval]
"""By rows' ids."""


def of_figure_1(laboratory: Laboratory) -> Bands:
    """The least and the most of each row over the other values of each constant, one at a time."""
    found: dict[str, list[float]] = defaultdict(list)
    for constant in OF_TASKS:
        for value in constant.others:
            settings = {**laboratory.settings, constant.name: value}
            for row in models.figure_1(Laboratory(laboratory.profile, laboratory.seeds, settings)):
                found[row.id].append(row.ours)
    return {row_id: (min(ours), max(ours)) for row_id, ours in found.items()}
