"""The note on what a part of a trace lacks, given wherever one is read."""

from collections.abc import Mapping
from typing import Any


def remarks(options: Mapping[str, Any], *, of_device: bool = False) -> list[str]:
    """What becomes of queues, by what is left out of a trace.

    Args:
        options: of the trace, as `--trace-option` has them.
        of_device: whether only one of several devices is taken.
    """
    found = []
    if (sample := str(options.get("sample", "1"))) not in ("1", "1/1"):
        scale = f"; time_scale={sample} brings the rate back" if "/" in sample else ""
        found.append(
            f"a sample of {sample} of the addresses: requests come as much more seldom, so that "
            "queues and responses are shorter than those of the whole trace, and the arm goes "
            f"farther from one to the next{scale}"
        )
    if of_device or "device" in options:
        found.append(
            "one device: its own queue is whole, and what it shared with others (a bus, a "
            "controller, a host) has none of their requests"
        )
    if str(options.get("time_scale", 1)) not in ("1", "1.0"):
        found.append(
            f"times between requests are multiplied by {options['time_scale']}: queues are those "
            "of another load"
        )
    if "from" in options:
        found.append(
            f"a window from {options['from']} on: queues and buffers are empty where it begins, "
            "and were not in the trace"
        )
    return found
