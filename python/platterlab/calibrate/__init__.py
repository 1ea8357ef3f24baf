"""Calibration: what a trace of a drive tells of it.

`calibrate` does all of a `Job`, stage by stage (`procedure` has their order); `findings` says how
well the result predicts requests that it has not seen.
"""

from platterlab.calibrate.calibration import Calibration, Job
from platterlab.calibrate.outcome import Findings, findings
from platterlab.calibrate.procedure import calibrate

__all__ = ["Calibration", "Findings", "Job", "calibrate", "findings"]
