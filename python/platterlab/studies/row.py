"""One line of a study: what the paper says, what we get, and whether that is near enough."""

from dataclasses import dataclass, field
from typing import Any, Literal

Bound = Literal["about", "at-most", "at-least"]


@dataclass(frozen=True)
class Row:
    """A published figure and ours.

    Attributes:
        id: stable, for machines: `fig3-demerit-ms`.
        what: for people.
        paper: the published figure; None where the paper gives none and the row only informs.
        ours: in the same unit.
        unit: `ms`, `pct`, `mib_s`, ...; empty for a bare number.
        target: what ours is held against where that is not the paper's figure itself.
        tolerance: how far ours may be from the target or the paper's, in the unit.
        bound: `about` allows both sides; `at-most` and `at-least` one.
        group: the heading under which people see the row; rows of a group stand together.
        extra: anything else worth keeping, JSON values only.
    """

    id: str
    what: str
    paper: float | None
    ours: float
    unit: str
    target: float | None = None
    tolerance: float = 0.0
    bound: Bound = "about"
    group: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> float | None:
        """What ours is held against; None where there is nothing to compare with."""
        return self.paper if self.target is None else self.target

    @property
    def within(self) -> bool | None:
        """Whether ours is within the tolerance; None where there is nothing to compare with."""
        if self.reference is None:
            return None
        above = self.ours - self.reference
        if self.bound == "at-most":
            return above <= self.tolerance
        if self.bound == "at-least":
            return -above <= self.tolerance
        return abs(above) <= self.tolerance

    def to_json(self) -> dict[str, Any]:
        """The row as one JSON object."""
        return {
            "id": self.id,
            "group": self.group,
            "what": self.what,
            "paper": self.paper,
            "ours": self.ours,
            "unit": self.unit,
            "target": self.target,
            "tolerance": self.tolerance if self.reference is not None else None,
            "bound": self.bound,
            "within": self.within,
            **self.extra,
        }
