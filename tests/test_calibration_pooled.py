"""Skews that all zones have in common, or that each has by itself, wherever most requests lie."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from platterlab.calibration.platter import pooled
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Observed
from platterlab.calibration.trace.rotation_period import Waiting

ZONE = np.repeat([0, 1, 2], [650, 270, 300])
"""Of each request: half of them are in the first."""


def found(first: float, others: float) -> Angles:
    """Zones whose requests are so far from the lattice."""
    off_turns = np.where(ZONE == 0, first, others)
    return cast(Angles, SimpleNamespace(known=np.ones(3, dtype=bool), off_turns=off_turns))


@pytest.mark.parametrize(("others", "free"), [(0.25, True), (0.0008, False)])
def test_skews_are_in_common_where_each_zone_is_as_near(
    others: float, free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Under those of the first zone that is a little nearer, and with it the middle of all requests.
    by_zone, in_common = found(0.0008, 0.0008), found(0.0004, others)
    monkeypatch.setattr(pooled, "_pool", lambda *_: None)
    monkeypatch.setattr(pooled, "regress", lambda *_: in_common)
    seen = cast(Observed, SimpleNamespace(first=SimpleNamespace(zone=ZONE)))
    waiting = cast(Waiting, SimpleNamespace(which=np.arange(len(ZONE))))
    chosen = pooled.pooled_or_free(seen, waiting, by_zone)
    assert chosen is (by_zone if free else in_common)
