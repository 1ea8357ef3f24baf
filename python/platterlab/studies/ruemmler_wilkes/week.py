"""The week of the HP C2200A, and what both the ladder and the fitted rung need of it."""

from dataclasses import dataclass

from platterlab._core import Profile, Requests
from platterlab.known import known
from platterlab.studies.criteria import BALANCE
from platterlab.studies.row import Row
from platterlab.studies.ruemmler_wilkes import ladder
from platterlab.studies.ruemmler_wilkes.ladder import Measured


@dataclass(frozen=True)
class Week:
    """The week, and the drive of the library."""

    profile: Profile
    requests: Requests
    measured: Measured
    rotation_ms: float

    @property
    def middle(self) -> int:
        """Where the half for fitting ends."""
        return len(self.requests) // 2

    @property
    def unseen(self) -> Measured:
        """The half that no fit sees."""
        return self.measured.part(self.middle, len(self.requests))


def apart(name: str, judged: ladder.Judged, group: str, used: str) -> list[Row]:
    """What the pooled demerit can hide: the mean, and reads and writes apart."""
    mean_pct = ladder.mean_error_pct(judged)
    rows = [
        Row(
            f"{name}/mean_error", "  mean against the measured", None, mean_pct, "%",
            target=0.0, criterion=BALANCE, group=group, evidence="fitted", used=used,
        )
    ]  # fmt: skip
    for kind in ("reads", "writes"):
        ours = known(judged[kind])["demerit_percent"]
        rows.append(
            Row(
                f"{name}/{kind}", f"  {kind} alone", None, ours, "%", group=group,
                evidence="fitted", used=used,
            )
        )  # fmt: skip
    return rows
