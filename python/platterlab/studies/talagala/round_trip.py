"""Round trip: random drives are measured blind behind a noisy host and compared with the truth."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from platterlab._core import Measurement
from platterlab.answers import Estimate, Zone
from platterlab.documents import Json
from platterlab.measure.advice import Quantity
from platterlab.measure.origins import ok
from platterlab.measure.run import measure_all
from platterlab.studies.counted import none_row
from platterlab.studies.criteria import EXACT as EXACT_BOUND
from platterlab.studies.row import Interval, Row
from platterlab.studies.sample import share_interval
from platterlab.studies.talagala.random_drive import random_drive
from platterlab.studies.talagala.truth import ZoneTruth, truth, zones

DRIVES = 1_000
RIGHT, WRONG = 0.01, 0.03
WANTED_PCT = 99.0
EDGE_TRACKS = 2
"""How far from its place the edge of a zone may be found."""
QUANTITIES: tuple[Quantity, ...] = (
    "rotation_ms",
    "sectors_per_track",
    "surfaces",
    "mtm_ms",
    "track_skew_ms",
    "cylinder_skew_ms",
    "seek_max_ms",
    "outer_mib_s",
    "inner_mib_s",
)
EXACT = ("surfaces", "sectors_per_track")

Verdict = Literal["right", "flagged", "off", "wrong"]
ORDER: tuple[Verdict, ...] = ("right", "flagged", "off", "wrong")


@dataclass(frozen=True)
class Trip:
    """How one drive came out: the worst of its values, and what was not right."""

    seed: int
    verdict: Verdict
    text: str


def run(drives: int, seed: int, progress: Callable[[float], None]) -> list[Trip]:
    """Measures `drives` random drives, two at a time."""
    trips: list[Trip] = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for trip in pool.map(_trip, range(seed * drives, (seed + 1) * drives)):
            trips.append(trip)
            progress(len(trips) / drives)
    return trips


def rows(trips: list[Trip]) -> list[Row]:
    """The two figures that count, and how often a value is wrong and not flagged."""
    group = _group(trips)
    counts = Counter(trip.verdict for trip in trips)
    extra: Json = {"drives": len(trips), **{word: counts[word] for word in ORDER}}
    extra["failures"] = [trip.text for trip in trips if trip.verdict != "right"]
    return [
        Row(
            id="round-trip/right_share",
            what="all values within 1 %, counts exact",
            paper=None,
            ours=100.0 * counts["right"] / len(trips),
            unit="%",
            target=WANTED_PCT,
            criterion=EXACT_BOUND,
            group=group,
            bound="at-least",
            extra=extra,
        ),
        none_row(
            "round-trip/silently_wrong",
            "drives with a value off by 3 % and not flagged",
            counts["wrong"],
            group=group,
        ),
        _rate(trips),
    ]


def _rate(trips: list[Trip]) -> Row:
    """The share, and where it may lie."""
    wrong = sum(trip.verdict == "wrong" for trip in trips)
    return Row(
        id="round-trip/silently_wrong_share",
        what="the share of drives with a wrong value that is not flagged",
        paper=None,
        ours=100.0 * wrong / len(trips),
        unit="%",
        interval=_pct(share_interval(wrong, len(trips))),
        group=_group(trips),
    )


def _group(trips: list[Trip]) -> str:
    return f"{len(trips):,} random drives: geometry, zones, skews, MTM, bandwidth, longest seek"


def _pct(interval: Interval) -> Interval:
    return 100.0 * interval[0], 100.0 * interval[1]


def notes(trips: list[Trip]) -> list[str]:
    """The drives that did not come out right, a line each."""
    return [trip.text for trip in trips if trip.verdict != "right"]


def _trip(seed: int) -> Trip:
    profile = random_drive(seed)
    measurement = Measurement.simulated(profile, noise="typical", seed=seed)
    measure_all(measurement)
    found = measurement.extraction()
    true = truth(profile)
    worst: Verdict = "right"
    said = []
    for quantity in QUANTITIES:
        verdict = _judge(found[quantity], true[quantity], exact=quantity in EXACT)
        if verdict != "right":
            value, note = found[quantity]["value"], found[quantity]["note"]
            said.append(f"{quantity} {verdict}: {value} for {true[quantity]:.5f} ({note})")
        worst = max(worst, verdict, key=ORDER.index)
    verdict, text = _judge_zones(found["zones"], zones(profile))
    if verdict != "right":
        said.append(text)
    worst = max(worst, verdict, key=ORDER.index)
    return Trip(seed, worst, f"seed {seed}: " + "; ".join(said))


def _judge_zones(found: list[Zone], true: list[ZoneTruth]) -> tuple[Verdict, str]:
    """All zones, each with its tracks, its bandwidth, and its edge to within two tracks."""
    counted = [one for zone in found for one in (zone["first_lba"], zone["sectors_per_track"])]
    flagged = any(estimate["status"] != "ok" for estimate in counted)
    if len(found) != len(true):
        text = f"{len(found)} zones for {len(true)}"
        return ("flagged" if flagged else "wrong"), text
    worst: Verdict = "right"
    said = []
    for index, (zone, wanted) in enumerate(zip(found, true, strict=True), start=1):
        verdicts = [
            _judge(zone["sectors_per_track"], wanted.sectors_per_track, exact=True),
            _judge(zone["mib_s"], wanted.mib_s, exact=False),
            _judge_edge(zone["first_lba"], wanted),
        ]
        verdict = max(verdicts, key=ORDER.index)
        if verdict != "right":
            said.append(f"zone {index} {verdict}: {_said(zone)} for {wanted}")
        worst = max(worst, verdict, key=ORDER.index)
    return worst, "; ".join(said)


def _said(zone: Zone) -> str:
    """The values of a zone that are compared, each with its reason if it is not sure."""
    values = (("first_lba", zone["first_lba"]), ("sectors_per_track", zone["sectors_per_track"]))
    said = [
        f"{name} {estimate['value']}" + (f" ({estimate['note']})" if estimate["note"] else "")
        for name, estimate in (*values, ("mib_s", zone["mib_s"]))
    ]
    return ", ".join(said)


def _judge_edge(estimate: Estimate, true: ZoneTruth) -> Verdict:
    if (first := ok(estimate)) is None:
        return "flagged"
    apart = abs(first - true.first_lba)
    return "right" if apart <= EDGE_TRACKS * true.sectors_per_track else "wrong"


def _judge(estimate: Estimate, true: float, *, exact: bool) -> Verdict:
    if (value := ok(estimate)) is None:
        return "flagged"
    apart = abs(value / true - 1.0)
    if apart == 0.0 or (not exact and apart <= RIGHT):
        return "right"
    if exact or apart > WRONG:
        return "wrong"
    return "off"
