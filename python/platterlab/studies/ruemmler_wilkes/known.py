"""Rows of this study that are known not to come out as the paper has them, and why."""

FED_BACK_PRINTED = (
    "Table 2's 1.1 ms for reads: no read of the week was faster than 4 ms plus its transfer"
)

KNOWN: dict[str, str] = {
    "rotation-as-printed": FED_BACK_PRINTED,
    "rotation-free-as-printed": f"{FED_BACK_PRINTED}; what the authors' value meant is unknown",
    "ladder/*factor": f"its last model's demerit: {FED_BACK_PRINTED}",
    "rotation-free": "the spindle is 49.5 ppm off its nominal speed, and the phase drifts away",
    "table-1/*": (
        "unknown: how the average is taken is not said; a sum of average parts that leaves out the "
        "time on the media comes near it"
    ),
}
