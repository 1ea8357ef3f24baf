"""Effects of positioning that requests leave where the search for them began, or at its end."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from platterlab.calibration.platter.positioning_fit import MOST_AFTER_WRITE_MS, NAMES
from platterlab.calibration.platter.told_effects import is_at_end, is_open


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
