"""Calibration: what a trace can tell of a drive, fitted by a well-kept optimizer.

`unknowns` says what may be fitted, `fit` does it. A fit sees only the requests it is given; judging
it on others is the caller's part.
"""

from platterlab.calibrate.fit import Fitted, Stage, fit
from platterlab.calibrate.unknowns import Curve, Scalar, Unknown

__all__ = ["Curve", "Fitted", "Scalar", "Stage", "Unknown", "fit"]
