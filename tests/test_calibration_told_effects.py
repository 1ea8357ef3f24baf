"""Effects of positioning that requests leave where the search for them began, or at its end."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from platterlab.calibration.platter.positioning_fit import (
    MOST_AFTER_WRITE_MS,
    NAMES,
    SEEKS,
    Model,
)
from platterlab.calibration.platter.told_effects import is_at_end, is_open, open_ms


@pytest.mark.parametrize(
    ("value", "left", "end"),
    [(0.0, True, False), (1.2, False, False), (MOST_AFTER_WRITE_MS, False, True)],
)
def test_what_no_request_waits_for_and_what_is_at_its_bound_are_no_values(
    value: float, left: bool, end: bool
) -> None:
    most = np.full(len(NAMES), MOST_AFTER_WRITE_MS)
    found: Any = SimpleNamespace(
        effects=dict.fromkeys(NAMES, value),
        is_fitted=lambda name: name != "back",
        model=SimpleNamespace(bounds=lambda: (-most, most)),
    )
    assert is_open(found, "read_after_write") == left
    assert is_at_end(found, "read_after_write") == end
    # The whole model moves the overhead on; what is not fitted counts as nothing.
    assert not is_at_end(found, "read")
    assert not is_open(found, "back")


@pytest.mark.parametrize(
    ("waits", "least", "most"), [((0.1, 9.9), 0.0, 0.4), ((4.0, 6.0), 3.0, 5.0)]
)
def test_a_switch_is_left_open_by_requests_that_wait_long_after_it(
    waits: tuple[float, float], least: float, most: float
) -> None:
    arm, full = np.zeros((40, SEEKS + 2)), np.zeros(SEEKS + 2)
    told = [NAMES.index(name) for name in ("read", "head_read")]
    arm[:, told], full[told] = 1.0, 1.0
    model = Model(
        arm, None, np.zeros(40, dtype=bool), 2.0 + np.linspace(*waits, 40), 10.0,
        np.array([1, 9]), np.ones(SEEKS, dtype=bool), 0.1,
    )  # fmt: skip
    found: Any = SimpleNamespace(model=model, full=full)
    assert least <= open_ms(found, "head_read") <= most
    assert open_ms(found, "read") == 0.0
