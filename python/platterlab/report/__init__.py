"""Per-request results as one page: self-contained, offline, readable when printed."""

from platterlab.report.build import Written, build

__all__ = ["Written", "build"]
