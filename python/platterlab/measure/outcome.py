"""The request for a measurement, and its outcome."""

from dataclasses import dataclass, field
from pathlib import Path

from platterlab.answers import Estimate, Extraction, TrackMap
from platterlab.documents import Json
from platterlab.measure import advice, environment, tracks
from platterlab.measure.bundle import PROFILE, REPORT, SAMPLES, TRACKS, Bundle
from platterlab.measure.target import Target


class MeasurementError(Exception):
    """The work failed half-way. The text says what is kept and how to continue."""


@dataclass(frozen=True)
class Job:
    """A measurement to do.

    Attributes:
        target: what to measure.
        out: the bundle's folder.
        resume: whether to continue with what is there.
        notes: what there is to say of the target beforehand, for the outcome.
    """

    target: Target
    out: Path
    resume: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The result of a measurement.

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
    extraction: Extraction | TrackMap
    warnings: list[str]
    requests: int
    drive_time_s: float
    notes: list[str] = field(default_factory=list)

    @property
    def profile(self) -> Path | None:
        """The drive profile, where enough was found for one."""
        path = self.bundle.path(PROFILE)
        return path if path.is_file() else None

    def to_json(self) -> Json:
        """The outcome as one JSON object."""
        return {**self._found(), **self._left()}

    def _found(self) -> Json:
        found = self.extraction
        if "pieces" in found:
            return {**tracks.summary(found), "tracks_csv": str(self.bundle.path(TRACKS))}
        values: dict[str, Estimate] = {name: found[name] for name, *_ in advice.QUANTITIES}
        if scatter := found["seek_scatter_ms"]:
            values["seek_scatter_ms"] = scatter
        more = {name: found[name] for name in ("layout", "self_check")}
        return {"values": values, "zones": found["zones"], **more}

    def _left(self) -> Json:
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
