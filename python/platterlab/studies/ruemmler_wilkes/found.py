"""Values that the fit to the first half of the week found, as `refit` wrote them."""

import json
from dataclasses import dataclass
from pathlib import Path

from platterlab import library
from platterlab._core import Profile
from platterlab.documents import Overrides

FILE = Path(__file__).with_name("fitted.json")


@dataclass(frozen=True)
class Found:
    """A fitted drive.

    Attributes:
        profile: the library's with the fitted values in it.
        overrides: the fitted values by key.
        cost_ms: the mean capped error per request of the first half.
        evaluations: how often its requests were simulated to find them.
    """

    profile: Profile
    overrides: Overrides
    cost_ms: float
    evaluations: int


def found() -> Found:
    """The fitted drive."""
    told = json.loads(FILE.read_text(encoding="utf-8"))
    profile = library.load("hp-c2200a").with_overrides(told["overrides"])
    return Found(profile, told["overrides"], told["cost_ms"], told["evaluations"])
