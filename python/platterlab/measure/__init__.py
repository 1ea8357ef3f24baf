"""Measures a drive, real or simulated, and leaves a bundle: samples, profile, report.

`target.py` opens what is to be measured, `run.py` is the loop, `bundle.py` the folder it fills,
`profile.py` makes a drive profile of what was extracted, `archive.py` keeps bundles,
`contribution.py` says whether they can be given to others, `personal.py` what may not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from platterlab.measure.bundle import Bundle
    from platterlab.measure.outcome import Job, MeasurementError, Outcome
    from platterlab.measure.run import characterize
    from platterlab.measure.target import Target

# Read when they are first used: what a device is, is to be said before tables are loaded.
_HOMES = {
    "Bundle": "bundle",
    "Job": "outcome",
    "MeasurementError": "outcome",
    "Outcome": "outcome",
    "Target": "target",
    "characterize": "run",
}

__all__ = ["Bundle", "Job", "MeasurementError", "Outcome", "Target", "characterize"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
