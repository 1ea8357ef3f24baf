"""One line of a study: what the paper says, what we get, and what may be said of the two."""

from dataclasses import dataclass, field, replace
from typing import Literal

from platterlab.documents import Json
from platterlab.studies.criteria import Criterion

Bound = Literal["about", "at-most", "at-least"]
Evidence = Literal["blind", "fitted", "by construction"]
Verdict = Literal[
    "reproduced", "fitted", "by construction", "not reproduced", "no figure published"
]
Interval = tuple[float, float]

_AGREES: dict[Evidence, Verdict] = {
    "blind": "reproduced",
    "fitted": "fitted",
    "by construction": "by construction",
}

NOTHING = "nothing of this row"


@dataclass(frozen=True)
class Row:
    """A published figure and ours.

    Attributes:
        id: stable, for machines: `fig3-demerit-ms`.
        what: for people.
        paper: the published figure; None where the paper gives none.
        ours: in the same unit.
        unit: `ms`, `%`, `mib_s`, ...; empty for a bare number.
        target: the reference of ours where that is not the paper's figure itself.
        bound: `about` allows both sides; `at-most` and `at-least` one.
        group: the heading under which people see the row; rows of a group stand together.
        extra: anything else worth keeping, JSON values only.
        criterion: how near ours has to come, by the kind of row; whatever is compared with
            something has one.
        reference_half: how far the reference may itself be off, with 95 %: it may be
            a single run's.
        interval: between what ours lies with 95 %; None where it is of no sample.
        evidence: what agreement would show: nothing of the row went into ours, its figure was in
            view when something was chosen, or it was put in.
        used: what of the row's own figure, or of what it follows from, went into ours.
        claim: what the paper says in words where it prints no figure.
        reason: why ours is known not to agree; `unknown` is one. None yet is an error.
    """

    id: str
    what: str
    paper: float | None
    ours: float
    unit: str
    target: float | None = None
    bound: Bound = "about"
    group: str = ""
    extra: Json = field(default_factory=dict)
    criterion: Criterion | None = None
    reference_half: float = 0.0
    interval: Interval | None = None
    evidence: Evidence = "blind"
    used: str = NOTHING
    claim: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        """A row without a criterion cannot fail: it has no reference."""
        if self.reference is not None and self.criterion is None:
            raise ValueError(f"row {self.id} is compared with a figure and has no criterion")

    @property
    def is_appendix(self) -> bool:
        """Whether it is only reported: there is no reference."""
        return self.reference is None

    @property
    def reference(self) -> float | None:
        """The reference of ours; None where there is none."""
        return self.paper if self.target is None else self.target

    @property
    def allowed(self) -> float:
        """How far ours may be from its reference."""
        if self.criterion is None or self.reference is None:
            return 0.0
        return self.criterion.tolerance(self.reference) + self.reference_half

    @property
    def within(self) -> bool | None:
        """Whether all of ours, from end to end of its interval, is within the tolerance.

        None where there is nothing to compare with.
        """
        if self.reference is None:
            return None
        low, high = self.interval or (self.ours, self.ours)
        most, least = self.reference + self.allowed, self.reference - self.allowed
        return (self.bound == "at-least" or high <= most) and (
            self.bound == "at-most" or low >= least
        )

    @property
    def verdict(self) -> Verdict:
        """What may be said of the paper's figure, of its claim, or of a goal of our own."""
        if self.paper is None and not self.claim:
            return "not reproduced" if self.within is False else "no figure published"
        if self.within is None:
            return "no figure published"
        return _AGREES[self.evidence] if self.within else "not reproduced"

    @property
    def is_undecided(self) -> bool:
        """Whether ours is near enough and its interval is not: more runs would show."""
        return self.within is False and replace(self, interval=None).within is True

    @property
    def is_unexplained(self) -> bool:
        """Whether ours is off, and no reason for it is known beforehand."""
        return self.within is False and not self.reason and not self.is_undecided

    @property
    def why(self) -> str | None:
        """Why ours does not agree; None where it does."""
        if self.within is not False:
            return None
        if self.is_undecided:
            return "undecided: the mean is near enough, its interval is not"
        return self.reason or "unknown"

    def to_json(self) -> Json:
        """The row as one JSON object; `truth` is of what a simulated drive was made, if it was."""
        return {
            "id": self.id,
            "group": self.group,
            "what": self.what,
            "paper": self.paper,
            "truth": None,
            "ours": self.ours,
            "unit": self.unit,
            "target": self.target,
            "tolerance": self.allowed if self.reference is not None else None,
            "bound": self.bound,
            "within": self.within,
            "verdict": self.verdict,
            "appendix": self.is_appendix,
            "interval": None if self.interval is None else list(self.interval),
            "used": self.used,
            "claim": self.claim or None,
            "criterion": None if self.criterion is None else self.criterion.name,
            "reason": self.why,
            **self.extra,
        }
