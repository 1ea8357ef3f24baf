"""What a measurement is asked for, and what it found."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platterlab.measure import advice, environment, tracks
from platterlab.measure.bundle import PROFILE, REPORT, SAMPLES, TRACKS, Bundle
from platterlab.measure.target import Target


class MeasurementError(Exception):
    """The work failed half-way. The text says what is kept and how to go on."""


@dataclass(frozen=True)
class Job:
    """What to do.

    Attributes:
        target: what to measure.
        out: the bundle's folder.
        resume: whether to go on with what is there.
        notes: what there is to say of the target beforehand, for the outcome.
    """

    target: Target
    out: Path
    resume: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What a measurement found.

    Attributes:
        bundle: the folder it left.
        status: `complete`, `partial`, or `unsupported` where no rotation was found.
        extraction: every value with its interval, method and status.
        warnings: what a reader has to know.
        requests: how many were answered.
        drive_time_s: how long they took on the device's clock.
        notes: what runs that died had left, and what others changed meanwhile; a sentence each.
    """

    bundle: Bundle
    status: str
    extraction: dict[str, Any]
    warnings: list[str]
    requests: int
    drive_time_s: float
    notes: list[str] = field(default_factory=list)

    @property
    def profile(self) -> Path | None:
        """The drive profile, where enough was found for one."""
        path = self.bundle.path(PROFILE)
        return path if path.is_file() else None

    @property
    def mapped(self) -> bool:
        """Whether tracks were mapped rather than the drive measured."""
        return "pieces" in self.extraction

    def to_json(self) -> dict[str, Any]:
        """The outcome as one JSON object."""
        return {**self._found(), **self._left()}

    def _found(self) -> dict[str, Any]:
        if self.mapped:
            table = str(self.bundle.path(TRACKS))
            return {**tracks.summary(self.extraction), "tracks_csv": table}
        values = {name: advice.quantity(self.extraction, name) for name, *_ in advice.QUANTITIES}
        return {"values": values, "zones": self.extraction["zones"]}

    def _left(self) -> dict[str, Any]:
        return {
            "bundle": self.bundle.id,
            "folder": str(self.bundle.folder),
            "status": self.status,
            "warnings": self.warnings,
            "requests": self.requests,
            "drive_time_s": self.drive_time_s,
            "profile": str(self.profile) if self.profile else None,
            "report": str(self.bundle.path(REPORT)),
            "samples": str(self.bundle.path(SAMPLES)),
            "notes": self.notes,
            "manifest": environment.manifest(self.bundle.environment()),
        }
