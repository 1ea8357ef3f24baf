"""Requests that no model can predict: those late by little, which may catch their sector or not.

A request that is ready just before its sector comes is served at once, one that is ready just
after waits a whole revolution. Seeks of a real drive scatter, so near that edge chance decides. How
widely they scatter comes from the half that was fitted on. A drive that is the model but for this
scatter, drawn many times for the unseen half, shows what the best of models would be left with.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from platterlab._core import demerit_ms
from platterlab.calibration.judged.verdict import SLIP_REACH
from platterlab.studies.disksim_validation.drives import Times

DRAWS = 1_000

STARTS = ((0.0, -3.0, -6.0), (0.0, -1.0, -6.0))
"""Of the search: shift in milliseconds, logarithms of the scatter and of the odds of strays."""

MOST_STRAYS = 0.02
"""Each way. More than these few are no strays."""


@dataclass(frozen=True)
class Edge:
    """How the drive decides near the edge.

    Attributes:
        scatter_ms: standard deviation of when a request is ready.
        shift_ms: how much later than in the model, in the mean.
        strays: share of the requests that miss a revolution, and of those that win one, wherever.
        requests: how many it is from.
    """

    scatter_ms: float
    shift_ms: float
    strays: float
    requests: int


@dataclass(frozen=True)
class Scattered:
    """Drives that are the model but for the scatter, beside the model.

    Attributes:
        demerit_ms: of each draw, shape (DRAWS,).
        slipped: share of the requests that are a revolution off in each draw, likewise.
    """

    demerit_ms: Times
    slipped: Times


def find_edge(
    simulated_ms: Times, measured_ms: Times, latency_ms: Times, rotation_ms: float
) -> Edge:
    """The edge that makes the turns missed and won most likely: a normal distribution, and strays.

    Args:
        simulated_ms: service times under the model, shape (n,), as the others.
        measured_ms: those of the drive.
        latency_ms: how long the model waits for the platter; 0 where it does not.
        rotation_ms: the period.
    """
    waits = _waits(latency_ms, rotation_ms)
    turns = ((measured_ms - simulated_ms) / rotation_ms)[waits]
    missed, won = (np.abs(turns - way) < SLIP_REACH for way in (1, -1))
    told = missed | won | (np.abs(turns) < SLIP_REACH)
    latency, missed, won = latency_ms[waits][told], missed[told], won[told]

    def unlikely(values: Times) -> float:
        shift_ms, scatter_ms, strays = values[0], np.exp(values[1]), _share(values[2])
        misses = special.ndtr((shift_ms - latency) / scatter_ms)
        wins = special.ndtr((latency - rotation_ms - shift_ms) / scatter_ms)
        misses, wins = ((1 - 2 * strays) * chance + strays for chance in (misses, wins))
        neither = np.maximum(1 - misses - wins, 1e-12)
        return -float(np.log(np.where(missed, misses, np.where(won, wins, neither))).sum())

    searches = (optimize.minimize(unlikely, start, method="Nelder-Mead") for start in STARTS)
    best = min(searches, key=lambda search: float(search.fun)).x
    return Edge(float(np.exp(best[1])), float(best[0]), _share(best[2]), int(told.sum()))


def _waits(latency_ms: Times, rotation_ms: float) -> NDArray[np.bool_]:
    """Which requests meet an edge: they wait for the platter, and once."""
    return (latency_ms > 0) & (latency_ms < rotation_ms)


def _share(logarithm: float) -> float:
    return float(MOST_STRAYS * special.expit(logarithm))


def scattered(
    simulated_ms: Times, latency_ms: Times, rotation_ms: float, scatter_ms: float, seed: int
) -> Scattered:
    """Draws drives that are the model but for the scatter; no shift, no strays.

    Args:
        simulated_ms: service times under the model, shape (n,).
        latency_ms: how long it waits for the platter, likewise.
        rotation_ms: the period.
        scatter_ms: of the edge.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    waits = _waits(latency_ms, rotation_ms)
    demerits, slipped = np.zeros(DRAWS), np.zeros(DRAWS)
    for draw in range(DRAWS):
        later_ms = rng.normal(0.0, scatter_ms, len(simulated_ms))
        turns = (later_ms > latency_ms).astype(int) - (later_ms < latency_ms - rotation_ms)
        turns = np.where(waits, turns, 0)
        demerits[draw] = demerit_ms(simulated_ms, simulated_ms + turns * rotation_ms)
        slipped[draw] = np.mean(turns != 0)
    return Scattered(demerits, slipped)
