"""What came of one made-up drive, and the verdicts on it."""

from dataclasses import asdict, dataclass, field

from platterlab.documents import Json

WITHIN_MS = 0.25
REACHABLE = 0.96
"""Where the drive itself predicts less within `WITHIN_MS`, its host hides what it does."""


@dataclass(frozen=True)
class Figures:
    """Of a profile on the half of the trace that was not fitted on, in a closed loop."""

    demerit_ms: float
    median_ms: float
    within: float
    """The share within `WITHIN_MS`."""


@dataclass(frozen=True)
class Trial:
    """What came of one drive."""

    seed: int
    drive: list[str]
    """What it has."""
    sheet: list[str]
    """What its data sheet lacks or has wrong."""
    host: Json
    workload: str
    beyond: list[str]
    """What was put in that no profile can say."""
    reachable: float
    """Share within `WITHIN_MS` that the drive itself, without chance, predicts."""
    modelled: float
    """The same of the profile that says all of it that a profile can."""
    exit_code: int
    said: Json = field(default_factory=dict)
    """What the calibration printed: `judged`, `warnings`, `verdict`, `error`."""
    start: Figures | None = None
    result: Figures | None = None
    alarms: list[str] = field(default_factory=list)
    """Mechanisms that the result has and the drive has not."""
    off: list[str] = field(default_factory=list)
    """Classes of requests that are off more often than all are."""

    @property
    def kind(self) -> str:
        """Whether a calibration could know it: `reachable`, `beyond the model` or `the host`."""
        if self.reachable < REACHABLE:
            return "beyond the host"
        return "beyond the model" if self.modelled < REACHABLE else "reachable"

    @property
    def worse(self) -> bool:
        """Whether demerit or median is more than 1.001 times the start's."""
        if self.start is None or self.result is None:
            return False
        return (
            self.result.demerit_ms > 1.001 * self.start.demerit_ms + 1e-6
            or self.result.median_ms > 1.001 * self.start.median_ms + 1e-6
        )

    def to_json(self) -> Json:
        """All of it, and the verdicts."""
        return {**asdict(self), "kind": self.kind, "worse": self.worse}
