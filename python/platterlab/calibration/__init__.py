"""Calibration: what a trace of a drive tells of it.

`calibrate` does all of a `Job`, stage by stage (`procedure` has their order); `findings` says how
well the result predicts requests that it has not seen.
"""

from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.outcome import Findings, findings
from platterlab.calibration.procedure import calibrate

__all__ = ["Calibration", "Findings", "Job", "calibrate", "findings"]
