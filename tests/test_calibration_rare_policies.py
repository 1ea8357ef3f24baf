"""Policies that hardly any drive has are taken only where each part of a trace tells of them."""

import numpy as np
import pytest

from platterlab.calibration.buffer.policies import PLAIN, Rules
from platterlab.calibration.buffer.rules import _Search
from platterlab.calibration.trace.observed import Floats

WRONG = np.array([0.1, 0.1])
"""Of the plain cache, in each part."""

HELD, USUAL = {"read_ahead_hold_ms": 10.0}, {"read_ahead_on_hit": "ignore"}


class Told(_Search):
    """Another cache, which is wrong less often."""

    def __init__(self, gain: list[float]) -> None:
        self.least, self._other = 0.0015, WRONG - gain

    def scores(self, candidates: list[Rules]) -> list[Floats]:
        return [self._other for _ in candidates]


@pytest.mark.parametrize(
    ("change", "gain", "taken"),
    [
        (HELD, [0.004, 0.0], False),
        (HELD, [0.004, 0.001], False),
        (HELD, [0.004, 0.002], True),
        (USUAL, [0.004, 0.0], True),
        (USUAL, [0.004, -0.002], False),
    ],
)
def test_a_hold_that_one_part_alone_tells_of_is_chance(
    change: Rules, gain: list[float], taken: bool
) -> None:
    rules, _ = Told(gain)._best(PLAIN, WRONG, [PLAIN | change])
    assert rules == (PLAIN | change if taken else PLAIN)


def test_read_ahead_that_is_held_no_more_is_nothing_rare() -> None:
    rules, _ = Told([0.004, 0.0])._best(PLAIN | HELD, WRONG, [PLAIN])
    assert rules == PLAIN
