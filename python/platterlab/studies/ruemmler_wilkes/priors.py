"""Values of its models of the C2200A that the paper does not print, with the range of each."""

from platterlab.studies.constants import Constant

SINGLE_MS = Constant(
    "linear_single_ms",
    4.047,
    (3.0, 5.0),
    "the published single-cylinder seek between which and the full stroke the basic model draws a "
    "line: its data sheet's value is not printed, and Table 2's curve stands in for it",
)
FULL_MS = Constant(
    "linear_full_ms",
    28.176,
    (25.0, 32.0),
    "the published full-stroke seek, of which the same holds",
)
PHASE_TURNS = Constant(
    "phase_turns",
    0.0,
    (0.25, 0.5, 0.75),
    "where the platter of the free-running models stands when the simulation starts: any place",
)
CONSTANTS = (SINGLE_MS, FULL_MS, PHASE_TURNS)
