"""Origins of the values of a measured drive's profile."""

from dataclasses import dataclass, field
from typing import Any

from platterlab.answers import Estimate
from platterlab.documents import Overrides


@dataclass
class Origins:
    """Origins of values, by dotted key.

    Attributes:
        source: the bundle that holds the samples, in words.
        entries: as a profile's `provenance` has them.
    """

    source: str
    entries: dict[str, Overrides] = field(default_factory=dict)

    def measured(self, key: str, how: str, ci95: list[float] | None = None, note: str = "") -> None:
        """The samples show the value, in some way."""
        entry = {"kind": "measured", "from": f"{self.source}: {how}"}
        known = {"ci95": rounded(ci95) if ci95 else None, "note": note}
        self.entries[key] = entry | {name: value for name, value in known.items() if value}

    def assumed(self, key: str, reason: str) -> None:
        """No sample shows the value."""
        self.entries[key] = {"kind": "assumed", "from": reason}


def ok(estimate: Estimate) -> float | None:
    """The value of an estimate that can be used; None for any other."""
    return estimate["value"] if estimate["status"] == "ok" else None


def rounded(value: Any) -> Any:
    """To picoseconds: digits beyond are of the arithmetic."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value
