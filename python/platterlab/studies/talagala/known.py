"""Rows of this study that are known not to come out as the paper has them, and why."""

STEPS = "few zones make steps that no curve through two points follows"
SIMULATOR = (
    "unknown: the paper's HP 97560 is the Dartmouth simulator; ours has Ruemmler and Wilkes' values"
)
BUS = "a write's data comes over the bus while the arm moves: the profile's seek shows that shorter"

KNOWN: dict[str, str] = {
    "fits/ultrastar/*": "the zones of section 4.2 gain less than the two-point claim says",
    "fits/*/two_point_quadratic_over_linear": STEPS,
    "hp97560/*/against_paper": SIMULATOR,
    "*/seek_min_ms/against_paper": BUS,
    "*/seek_max_ms/against_paper": BUS,
    "round-trip/silently_wrong": "a zone's edge may be found where it is not: see the rate",
}
