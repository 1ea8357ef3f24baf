"""Results as one page: self-contained, offline, readable when printed."""

from platterlab.report.build import Written, build
from platterlab.report.system import build_system, conservation

__all__ = ["Written", "build", "build_system", "conservation"]
