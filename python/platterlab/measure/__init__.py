"""Measures a drive, real or simulated, and leaves a bundle: samples, profile, report.

`target.py` opens what is to be measured, `run.py` is the loop, `bundle.py` the folder it fills,
`profile.py` makes a drive profile of what was extracted, `archive.py` keeps bundles,
`contribution.py` says whether they can be given to others, `personal.py` what may not.
"""

from platterlab.measure.bundle import Bundle
from platterlab.measure.outcome import Job, MeasurementError, Outcome
from platterlab.measure.run import characterize
from platterlab.measure.target import Target

__all__ = ["Bundle", "Job", "MeasurementError", "Outcome", "Target", "characterize"]
