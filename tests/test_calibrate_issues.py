"""A trace that tells arrivals and service times, and not how long requests waited."""

from pathlib import Path

import numpy as np
import pytest

from platterlab import library
from platterlab._core import InputError, Requests
from platterlab.calibration.trace.service_times import with_issues

HERE = Path("own.csv")


def _trace(arrival_ms: list[float], queued_ms: float) -> Requests:
    drive, count = library.load("mock"), len(arrival_ms)
    requests = Requests.given(
        np.arange(count, dtype=np.uint64), np.ones(count, dtype=np.uint32),
        np.zeros(count, dtype=np.uint8), np.array(arrival_ms), np.full(count, queued_ms),
        np.full(count, 5.0), np.full(count, np.nan), sector_bytes=drive.sector_bytes, shown="own",
    )  # fmt: skip
    return requests.on(drive)


def test_requests_that_come_one_by_one_are_issued_as_they_come() -> None:
    columns = with_issues(HERE, _trace([0.0, 7.0, 12.0], np.nan)).columns()
    assert columns["queued_ms"].tolist() == [0.0] * 3
    assert columns["think_ms"].tolist() == [0.0, 2.0, 0.0]


def test_what_is_told_stays() -> None:
    trace = _trace([0.0, 1.0, 2.0], 4.0)
    assert with_issues(HERE, trace) is trace


def test_requests_that_overlap_need_to_say_how_long_they_waited() -> None:
    with pytest.raises(InputError, match=r"own.csv: request 3 came 2 ms before .* `queued`"):
        with_issues(HERE, _trace([0.0, 7.0, 10.0], np.nan))
