"""What there is to calibrate, and what comes of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platterlab import manifest
from platterlab._core import Profile
from platterlab.calibration.buffer.rules import Chosen
from platterlab.calibration.judged.pieces import Found, Kept
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.seek_scatter import Scatter
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done."""

STAGES = ("mechanics and overheads", "what the buffer keeps", "the whole model")
"""What is kept up to one of them."""


@dataclass(frozen=True)
class Job:
    """What to calibrate.

    Attributes:
        trace: with measured service times.
        profile: where to start.
        trace_format: None to tell by the content.
        options: what the trace does not say about itself.
        device: of the trace.
        share: the first part of the trace, which is fitted on.
        rough: whether the profile is no more than a data sheet.
        resume: a folder for what is worth keeping if the work is broken off.
        seed: of every random choice.
        slips: whether what the profile does not know of may slip.
    """

    trace: Path
    profile: Profile
    trace_format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    device: int = 0
    share: float = 0.5
    rough: bool = False
    resume: Path | None = None
    seed: int = 0
    slips: bool = True

    def made_by(self, profile: str, since: manifest.States | None = None) -> dict[str, Any]:
        """The manifest of what comes of it.

        Args:
            profile: what the profile was loaded from.
            since: what profile and trace were before they were read.

        Raises:
            InputError: one cannot be read, or was changed.
        """
        return manifest.of(
            [("profile", profile), ("trace", str(self.trace))],
            since=since,
            seed=self.seed,
            share=self.share,
            rough=self.rough,
            device=self.device,
            format=self.trace_format,
            trace_options=dict(self.options),
        )


@dataclass(frozen=True)
class Calibration:
    """What came out.

    Attributes:
        profile: with what was found in it.
        reading: the trace as it was read.
        readings: the other readings, for comparison.
        angles: None where the platter was not found in the trace.
        positioning: None likewise.
        cache: None where the buffer answers nothing.
        undetermined: what the trace could not tell, and why.
        overrides: what was found, by key; none where the start is kept.
        fitted: how many requests were fitted on.
        start: where the search began.
        stages: by name, the profile after each stage and what had been found by then.
        kept: what of it is kept; None where the start is.
        idle: what was looked for under the whole model and is not there.
        scatter: of seeks, by distance, where that is sure: a simulation draws it. What is judged
            here are the likeliest times, without.
        own_scatter: what the start's file has of that, and the origin of it.
    """

    profile: Profile
    reading: Reading
    readings: list[Reading]
    angles: Angles | None
    positioning: Positioning | None
    cache: Chosen | None
    undetermined: list[str]
    overrides: dict[str, Any]
    fitted: int
    start: Profile
    stages: dict[str, Found]
    kept: Kept | None
    idle: frozenset[str] = frozenset()
    scatter: tuple[Scatter, ...] = ()
    own_scatter: tuple[Overrides, Overrides] = ({}, {})

    def simulated(self, timing: str = "closed") -> dict[str, Any]:
        """The whole trace under the calibrated profile, a row each.

        At the times it tells, the platter follows the completions of earlier requests.
        """
        follow = timing == "issue" and self.reading.period.is_locked
        return self.reading.requests.replay(self.profile, timing=timing, track_phase=follow)

    def predicted(self) -> dict[str, Any]:
        """The same with what is most likely in place of what chance draws."""
        likeliest = self.profile.with_overrides({"cache.read_ahead_abandoned": 0.0})
        return self.reading.requests.replay(likeliest, timing="closed")
