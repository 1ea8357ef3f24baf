"""Criteria for a row against its reference: fixed by the kind of row, with a reason.

A criterion was stated for its kind before the rows of that kind were seen, and no row has its own.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Criterion:
    """How far a figure may be from its reference.

    Attributes:
        name: in the JSON.
        reason: why so far and no further.
        share: of the reference, which is positive where a share is given.
        points: in the row's own unit, where no share is given.
    """

    name: str
    reason: str
    share: float = 0.0
    points: float = 0.0

    def tolerance(self, reference: float) -> float:
        """How far ours may be from this reference, in its unit."""
        return self.points or self.share * abs(reference)


EXACT = Criterion("exact", "a count, or a bound that leaves no room")
ARITHMETIC = Criterion(
    "arithmetic", "the same arithmetic on printed figures: their rounding is left", share=0.005
)
EXTRACTED = Criterion(
    "extracted", "a blind extraction against the truth of the simulated drive", share=0.01
)
CLAIMED = Criterion("claimed", "the 3 % that Talagala et al. claim for their values", share=0.03)
MEAN = Criterion(
    "mean", "a mean over runs: another system of the same kind is as far off", share=0.10
)
RATIO = Criterion("ratio", "a ratio of two means, each within 10 %", share=0.20)
EFFECT = Criterion("effect", "what a change is worth, or a share, in points of a %", points=5)
BALANCE = Criterion("balance", "a mean against the one it was made to match, in %", points=1)
SWITCH = Criterion("switch", "a track switch in points of a revolution", points=0.5)
EQUATION = Criterion("equation", "a simulated mean against its closed form, in %", points=2)
THEORY = Criterion("theory", "a simulated mean against its closed form", share=0.02)
DISKSIM_MEAN = Criterion("disksim-mean", "two simulators of the same system", share=0.02)
DISKSIM_SPREAD = Criterion("disksim-spread", "the same for a standard deviation", share=0.05)
DISKSIM_BURST = Criterion("disksim-burst", "two simulators on the same trace", share=0.01)
