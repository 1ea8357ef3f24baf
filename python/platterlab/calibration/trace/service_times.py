"""Whether a trace says when the drive was at work, and whether that can be a drive.

A fit to times a thousand times too short or too long finds something all the same.
"""

from pathlib import Path

import numpy as np

from platterlab._core import Requests
from platterlab.calibration.trace.observed import Observed
from platterlab.wrong_file import in_file

SHORTEST_MS = 0.02
"""Below this no command crosses a controller and a bus, whatever is in the buffer."""

LONGEST_TURNS = 25.0
"""More than a full seek and every settling and retry of one command takes."""

LATE_SHARE = 0.1
"""Drives that are late now and then are late for fewer requests than all but this share."""


OVERLAP_MS = 0.1
"""Clocks of arrivals and of service times differ by no more."""


def with_issues(trace: Path, requests: Requests) -> Requests:
    """The same with the time of each issue: its arrival's, where the trace tells no other.

    Args:
        trace: its file.
        requests: of one drive.

    Raises:
        InputError: requests came while others were served; how long they waited has to be known.
    """
    columns = requests.columns()
    arrival, service = columns["arrival_ms"], columns["service_ms"]
    if np.isfinite(columns["queued_ms"]).any() or not np.isfinite(arrival + service).all():
        return requests
    think = np.concatenate([[0.0], arrival[1:] - (arrival + service)[:-1]])
    if (early := np.flatnonzero(think < -OVERLAP_MS)).size:
        raise in_file(
            trace,
            f"request {early[0] + 1} came {-think[early[0]]:.3g} ms before the one before "
            "it was done, and nothing says how long it waited; map a column to `queued`",
        )
    return Requests.given(
        columns["lba"].astype(np.uint64), columns["sectors"].astype(np.uint32),
        columns["operation"].astype(np.uint8), arrival, np.zeros(len(arrival)), service,
        np.maximum(think, 0.0), sector_bytes=requests.sector_bytes, shown=str(trace),
    )  # fmt: skip


def check_service_times(trace: Path, seen: Observed, rotation_ms: float) -> None:
    """Refuses a trace whose times are not those of single commands on a drive.

    Args:
        trace: its file.
        seen: the requests to fit on.
        rotation_ms: of the profile.

    Raises:
        InputError: there are no service times; nearly all are too short, or nearly all too long.
    """
    known = np.isfinite(seen.service_ms)
    if not known.any():
        raise in_file(trace, "has no service times; there is nothing to fit to")
    service = seen.service_ms[known]
    if (shown := float(np.quantile(service, 0.99))) < SHORTEST_MS:
        raise in_file(
            trace,
            f"99 % of the requests take {shown:.3g} ms or less, in which no drive "
            "answers; are its times in another unit than its format's?",
        )
    # Long requests turn the platter while they pass.
    turns = LONGEST_TURNS + 3 * seen.sectors[known] / seen.first.per_track[known]
    median = float(np.median(service))
    if float(np.mean(service > turns * rotation_ms)) > 1 - LATE_SHARE:
        raise in_file(
            trace,
            f"half of the requests take {median:,.0f} ms or more, in which the drive "
            f"turns {median / rotation_ms:,.0f} times; are its times in another unit than its "
            "format's, or do they hold the wait for other requests?",
        )
