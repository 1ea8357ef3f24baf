"""The order of drives by speed, as in the text on Table 3; all of it was put in."""

from platterlab.measure.advice import Quantity
from platterlab.studies.criteria import EXACT, MEAN
from platterlab.studies.row import Bound, Row
from platterlab.studies.talagala.published import BUS_BOUND
from platterlab.studies.talagala.table3 import PUT_IN, Measured

GROUP = "Sections 1, 5.1 and 6: drives beside each other"
SIMULATED = ("hp97560", "rz26")
SEAGATE, IBM = ("hawk", "barracuda"), ("ultrastar", "9zx")

ORDERS: tuple[tuple[str, str, Quantity, tuple[str, ...], Bound, str], ...] = (
    ("least_track_skew", "Barracuda's head switch over the least of other SCSI drives",
     "track_skew_ms", ("barracuda",), "at-most",
     "the Barracuda has the lowest head and cylinder switch times (section 5.1.1)"),
    ("least_cylinder_skew", "Barracuda's cylinder switch over the least of other SCSI drives",
     "cylinder_skew_ms", ("barracuda",), "at-most",
     "the Barracuda has the lowest head and cylinder switch times (section 5.1.1)"),
    ("least_mtm", "9ZX's MTM over the least of other SCSI drives",
     "mtm_ms", ("9zx",), "at-most", "the 9ZX had the lowest MTM (section 5.1.1)"),
    ("most_mtm", "Micropolis' MTM over the most of other SCSI drives",
     "mtm_ms", ("micropolis",), "at-least", "the highest was the Micropolis (section 5.1.1)"),
    ("ide_mtm", "the greater MTM of the IDE drives over the least of SCSI drives",
     "mtm_ms", BUS_BOUND, "at-most",
     "low MTM values, quite a bit better than most SCSI disks (section 5.1.2)"),
    ("ide_bandwidth", "the greater outer bandwidth of the IDE drives over the least of SCSI drives",
     "outer_mib_s", BUS_BOUND, "at-most",
     "SCSI bandwidth and switching characteristics are better (sections 1 and 6)"),
    ("ide_track_skew", "the lesser head switch of the IDE drives over the most of SCSI drives",
     "track_skew_ms", BUS_BOUND, "at-least",
     "SCSI bandwidth and switching characteristics are better (sections 1 and 6)"),
    ("ide_cylinder_skew", "the lesser cylinder switch of the IDE drives over the most of SCSI's",
     "cylinder_skew_ms", BUS_BOUND, "at-least",
     "SCSI bandwidth and switching characteristics are better (sections 1 and 6)"),
)  # fmt: skip
"""Those named against all other SCSI drives: id, words, quantity, the drives, which way, claim."""


def rows(drives: list[Measured]) -> list[Row]:
    """A row for each order; nothing where a drive is missing."""
    found = {drive.published.key: drive for drive in drives}
    scsi = [key for key in found if key not in BUS_BOUND and key not in SIMULATED]
    if not {*SEAGATE, *IBM, *BUS_BOUND, "micropolis"} <= found.keys():
        return []

    def values(keys: tuple[str, ...] | list[str], quantity: Quantity) -> list[float]:
        return [found[key].value(quantity) for key in keys]

    def between(named: list[float], others: list[float], bound: Bound) -> float:
        if bound == "at-most":
            return max(named) / min(others)
        return min(named) / max(others)

    made = []
    for key, what, quantity, named, bound, claim in ORDERS:
        others = values([one for one in scsi if one not in named], quantity)
        made.append(_row(key, what, between(values(named, quantity), others, bound), bound, claim))
    ibm, seagate = (values(keys, "outer_mib_s") for keys in (IBM, SEAGATE))
    hawk = values(("hawk",), "mtm_ms")
    others = values(("ultrastar", "micropolis"), "mtm_ms")
    cylinders = values(("hawk", "ultrastar"), "cylinder_skew_ms")
    return [
        *made,
        _row("ibm_bandwidth", "the lesser outer bandwidth of IBM's over the greater of Seagate's",
             between(ibm, seagate, "at-least"), "at-least",
             "Seagate's switch well, IBM's have better overall bandwidth (section 6)"),
        _row("hawk_mtm", "Hawk's MTM over the lesser of UltraStar's and Micropolis'",
             between(hawk, others, "at-most"), "at-most",
             "the Hawk has a better MTM than UltraStar and Micropolis (section 5.1.1)"),
        _row("hawk_cylinder_skew", "Hawk's cylinder switch over the UltraStar's",
             cylinders[0] / cylinders[1], "about",
             "comparable to that of the UltraStar (section 5.1.1)"),
    ]  # fmt: skip


def _row(key: str, what: str, ours: float, bound: Bound, claim: str) -> Row:
    return Row(
        f"order/{key}",
        what,
        None,
        ours,
        "",
        target=1.0,
        bound=bound,
        criterion=MEAN if bound == "about" else EXACT,
        evidence="by construction",
        used=PUT_IN,
        claim=claim,
        group=GROUP,
    )
