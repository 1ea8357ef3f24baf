"""Values and intervals in words: as many digits as are known, and the same of both."""

from typing import Any

import pytest

from platterlab.measure import figures


def estimate(value: float | None, half: float | None, note: str = "") -> Any:
    bounds = None if value is None or half is None else [value - half, value + half]
    return {"value": value, "ci95": bounds, "status": "ok", "note": note, "method": ""}


@pytest.mark.parametrize(
    ("value", "half", "shown", "width", "bounds"),
    [
        (423.0, 0.0, "423 ms", "exact", "exact"),
        (11.0, 1.0, "11 ms", "1", "10 … 12"),
        (10.0, 0.5, "10.00 ms", "0.50", "9.50 … 10.50"),
        (0.0358423, 0.0000011, "0.035842 ms", "0.000001", "0.0358412 … 0.0358434"),
        (0.0262674, 0.000000004, "0.026267 ms", "<0.000001", "0.026267396 … 0.026267404"),
        (11.11112, 0.00031, "11.11112 ms", "0.00031", "11.11081 … 11.11143"),
        (14.4, 25.0, "14 ms", "25", "-11 … 39"),
        (0.0051483, 0.0, "0.0051 ms", "", "–"),
        (1.5, None, "1.5000 ms", "", "–"),
        (None, None, "–", "", "–"),
    ],
)
def test_the_interval_says_how_many_digits_there_are(
    value: float | None, half: float | None, shown: str, width: str, bounds: str
) -> None:
    of = estimate(value, half)
    assert figures.value(of, "ms") == shown
    assert figures.width(of) == width
    assert figures.bounds(of) == bounds


def test_a_rate_that_is_not_the_medias_has_one_status_everywhere() -> None:
    assert figures.status(estimate(1.0, 0.1, "not the media's, which is 2")) == (
        "ok, not the media's"
    )
    assert figures.status(estimate(1.0, 0.1)) == "ok"


def test_surfaces_that_differ_are_all_shown() -> None:
    zone: Any = {"sectors_per_track": estimate(310.0, 0.0)}
    zone["surface_sectors_per_track"] = [310, 300, 322]
    assert figures.sectors_per_track(zone) == "310/300/322"
    found: Any = {"sectors_per_track": estimate(310.0, 0.0), "zones": [zone]}
    assert figures.outermost(found) == "310/300/322"
    zone["surface_sectors_per_track"] = []
    assert figures.outermost(found) == figures.sectors_per_track(zone) == "310"
