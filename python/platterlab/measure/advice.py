"""Warnings with advice: what a reader of a measurement has to know, and what to do about it."""

from typing import Literal

from platterlab.answers import Extraction, MeasuredDevice
from platterlab.measure import model_zones, subject
from platterlab.measure.origins import ok

Quantity = Literal[
    "rotation_ms", "sectors_per_track", "surfaces", "mtm_ms", "overhead_ms", "access_ms",
    "stm_sectors", "sector_ms", "track_skew_ms", "cylinder_skew_ms", "head_switch_ms",
    "spikes_head_switch_ms", "cylinder_switch_ms", "outer_mib_s", "predicted_outer_mib_s",
    "inner_mib_s", "seek_min_ms", "seek_max_ms", "jitter_ms",
]  # fmt: skip

# Name in the extraction, for people, the paper's name where it differs, unit, wanted when local.
QUANTITIES: tuple[tuple[Quantity, str, str, str, bool], ...] = (
    ("rotation_ms", "rotation", "RotationTime", "ms", True),
    ("sectors_per_track", "sectors per track, outermost", "Sectors/Track", "", True),
    ("surfaces", "surfaces", "heads", "", True),
    ("mtm_ms", "minimum time to media (MTM)", "MTM", "ms", True),
    ("overhead_ms", "answer from the drive's cache", "", "ms", True),
    ("access_ms", "shortest request", "MTM + TransferTime", "ms", True),
    ("stm_sectors", "sectors passing meanwhile (STM)", "STM", "", True),
    ("sector_ms", "one sector under the head", "TransferTime", "ms", True),
    ("track_skew_ms", "track skew", "head switch time", "ms", True),
    ("cylinder_skew_ms", "cylinder skew", "cylinder switch time", "ms", True),
    ("head_switch_ms", "head switch, true", "", "ms", True),
    ("spikes_head_switch_ms", "head switch, from downward spikes", "", "ms", True),
    ("cylinder_switch_ms", "switch to the next cylinder, true", "", "ms", True),
    ("outer_mib_s", "bandwidth, outer", "", "MiB/s", False),
    ("predicted_outer_mib_s", "the same from the geometry", "", "MiB/s", False),
    ("inner_mib_s", "bandwidth, inner", "", "MiB/s", False),
    ("seek_min_ms", "seek, least", "", "ms", False),
    ("seek_max_ms", "seek, most", "", "ms", False),
    ("jitter_ms", "host's jitter", "", "ms", True),
)
TITLES: dict[str, tuple[str, str]] = {name: (title, unit) for name, title, _, unit, _ in QUANTITIES}
"""Names for people, and units."""
ESSENTIAL: tuple[Quantity, ...] = (
    "rotation_ms",
    "sectors_per_track",
    "surfaces",
    "mtm_ms",
    "track_skew_ms",
    "cylinder_skew_ms",
)
GLOBAL: tuple[Quantity, ...] = ("outer_mib_s", "inner_mib_s", "seek_min_ms", "seek_max_ms")
AT_THE_START: tuple[Quantity, ...] = ("rotation_ms", "sectors_per_track")
"""What one place can tell: in which order surfaces and cylinders come takes a map of the drive."""
NOT_THE_MEDIAS = "not the media's"
"""How the note of a bandwidth begins that something else than the media limits."""


def is_limited(note: str) -> bool:
    """Whether the note of a bandwidth says that something else than the media limits it."""
    return note.startswith(NOT_THE_MEDIAS)


def status(found: Extraction, *, quick: bool) -> str:
    """`complete`, `partial`, or `unsupported` where no rotation was found."""
    if found["rotation_ms"]["status"] != "ok":
        return "unsupported"
    known = all(found[name]["status"] == "ok" for name in _wanted(found, quick=quick))
    return "complete" if known else "partial"


def _wanted(found: Extraction, *, quick: bool) -> tuple[Quantity, ...]:
    """Without these a measurement is not complete; with one surface there is no track skew."""
    wanted = AT_THE_START if quick else ESSENTIAL + GLOBAL
    return tuple(name for name in wanted if name != "track_skew_ms" or ok(found["surfaces"]) != 1)


def warnings(found: Extraction, device: MeasuredDevice, *, quick: bool) -> list[str]:
    """A sentence or two each, the gravest first."""
    said = [*subject.sentences(device), *_of_rotation(found, device)]
    if found["rotation_ms"]["status"] != "ok":
        return said
    wanted = _wanted(found, quick=quick)
    for name, title, *_ in QUANTITIES:
        estimate = found[name]
        if name in wanted and estimate["status"] != "ok":
            said.append(f"{title}: {estimate['status']}. {_sentence(estimate['note'])}".strip())
    if quick:
        said += _of_one_place(found)
    elif not found["zones"]:
        said.append(
            "Zones: not known. The profile has the first tracks all over the drive: of other "
            "places it is a guess."
        )
    said += _of_bandwidth(found)
    return said + _of_model(found)


def _of_one_place(found: Extraction) -> list[str]:
    """What a look at the start alone leaves open, and what would tell it."""
    if found["surfaces"]["status"] != "ambiguous":
        return []
    return [
        "Surfaces, skews and switches are those of the usual order of tracks: others look alike "
        "from one place. Measure without --quick to tell these apart."
    ]


def _of_model(found: Extraction) -> list[str]:
    """What the profile assumes, and where the angles that were measured do not come out by it."""
    said = []
    if order := model_zones.assumed_order(found):
        said.append(order)
    wrong = [
        each["note"]
        for each in found["self_check"]["disagreements"]
        if each["value"].startswith("model.")
    ]
    if wrong:
        others = f" So it is in {len(wrong)} zones." if len(wrong) > 1 else ""
        said.append(f"The profile does not foresee all rotational delays: {wrong[0]}.{others}")
    return said


def _of_rotation(found: Extraction, device: MeasuredDevice) -> list[str]:
    estimate = found["rotation_ms"]
    if estimate["status"] == "ok":
        return []
    note = _sentence(estimate["note"])
    facts = dict(device["facts"])
    if subject.cannot_rotate(facts):
        return ["No rotation found, and there is none to be found."]
    if subject.is_a_file(facts):
        return [f"No rotation found: mostly nothing turns behind a file or a loop device. {note}"]
    if subject.does_not_rotate(facts):
        return [f"No rotation found, as the kernel says. {note}"]
    if estimate["value"] is not None and (device["writes"] or not found["cached"]):
        return [f"The rotation is not certain. {note}"]
    if found["cached"]:
        said = f"No rotation found: a cache answers in place of the platter. {note} "
        if device["writes"]:
            if facts.get("transport") == "usb":
                # What it is to write through may never have gone that far.
                return [
                    f"{said}Writes were to be on the media before they were complete. Which cache "
                    "behind the USB bridge kept them is unknown: attach the drive by SATA or "
                    "SAS."
                ]
            return [f"{said}Turn the drive's write cache off (hdparm -W0) and measure again."]
        return [
            f"{said}Turn the drive's look-ahead off (hdparm -A0, sdparm --clear RCD) and measure "
            "again; writing probes (--write) get past a read cache."
        ]
    return [
        f"No rotation found. {note} A loop device, a file, a solid-state or a virtual disk has "
        "none; on a busy drive, stop what uses it and measure again."
    ]


def _of_bandwidth(found: Extraction) -> list[str]:
    outer, predicted = ok(found["outer_mib_s"]), ok(found["predicted_outer_mib_s"])
    said = found["outer_mib_s"]["note"]
    note = said if is_limited(said) else ""
    if outer is None:
        return []
    if predicted is None:
        # Without skews the geometry gives a bound alone, and the note holds the rate against it.
        return [_sentence(f"The outer bandwidth is {note}")] if note else []
    share = outer / predicted
    if 0.97 <= share <= 1.03:
        return []
    if share < 1.0:
        return [
            f"Sequential reads run at {100 * share:.0f} % of what the geometry allows"
            + (f". The outer bandwidth is {note}." if note else ": zones may not show.")
        ]
    return [
        f"Sequential reads run at {100 * share:.0f} % of what the geometry allows. Geometry and "
        "bandwidth disagree; do not trust both."
    ]


def _sentence(text: str) -> str:
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
