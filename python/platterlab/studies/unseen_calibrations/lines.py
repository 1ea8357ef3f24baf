"""A trial of a calibration as a line of JSON."""

from platterlab.documents import Json
from platterlab.studies.unseen_calibrations import alarms
from platterlab.studies.unseen_calibrations.trial import judge


def line(seed: int, requests: int) -> tuple[Json, str | None]:
    """A trial's line, and how it went."""
    found = judge(seed, requests)
    share = "-" if found.result is None else f"{found.result.within:.3f}"
    told = {**found.to_json(), "right_warning": alarms.right_warning(found)}
    return told, f"{seed} {found.kind} {share} {found.alarms}"
