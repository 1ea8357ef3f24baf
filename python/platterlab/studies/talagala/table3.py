"""Table 3 again: nine simulated drives, measured blind, with the paper's values and the truth."""

from dataclasses import dataclass
from itertools import takewhile

from platterlab._core import Measurement
from platterlab.answers import Extraction
from platterlab.known import known
from platterlab.measure.advice import Quantity
from platterlab.measure.run import measure_all
from platterlab.measure.samples import Run
from platterlab.studies.criteria import EXACT, EXTRACTED
from platterlab.studies.row import Interval, Row
from platterlab.studies.study import Request
from platterlab.studies.talagala import assumed
from platterlab.studies.talagala.published import (
    QUANTITIES,
    ULTRASTAR_ZONES,
    WHOLE,
    Published,
)
from platterlab.studies.talagala.truth import truth, zone_sectors

SKIPPY_S = 5.0

PUT_IN = "the profile was built of this value; what is tested is the blind extraction"


@dataclass(frozen=True)
class Measured:
    """One drive: the paper's row, the samples, what was extracted, and the truth."""

    published: Published
    runs: list[Run]
    found: Extraction
    truth: dict[str, float]
    zones: list[int]

    def value(self, quantity: Quantity) -> float:
        """What was extracted."""
        return known(self.found[quantity]["value"])


def measure(published: Published, request: Request) -> Measured:
    """Measures a drive of the library behind a typical host."""
    profile = assumed.drive(published, request)
    measurement = Measurement.simulated(
        profile, noise="typical", seed=request.seed, host=assumed.host(request)
    )
    runs = measure_all(measurement)
    return Measured(
        published, runs, measurement.extraction(), truth(profile), zone_sectors(profile)
    )


def rows(drives: list[Measured]) -> list[Row]:
    """A row for every value of every drive; the UltraStar's zones among them."""
    made = []
    for drive in drives:
        made += [*_values(drive), _skippy_time(drive)]
        if drive.published.key == "ultrastar":
            made += _zones(drive)
    return made


def _values(drive: Measured) -> list[Row]:
    made = []
    for quantity, what, unit in QUANTITIES:
        estimate, true = drive.found[quantity], drive.truth[quantity]
        is_found = estimate["status"] == "ok"
        ours = drive.value(quantity) if is_found else 0.0
        paper = getattr(drive.published, quantity)
        made.append(
            Row(
                id=f"{drive.published.key}/{quantity}",
                what=what,
                paper=None if paper is None else float(paper),
                ours=ours,
                unit=unit,
                target=true,
                criterion=EXACT if quantity in WHOLE else EXTRACTED,
                interval=interval(estimate["ci95"]) if is_found else None,
                evidence="by construction",
                used=PUT_IN,
                group=drive.published.name,
                extra={
                    "truth": true,
                    "error_pct": 100.0 * (ours / true - 1.0) if is_found else None,
                    "ci95": estimate["ci95"],
                    "status": estimate["status"],
                    "method": estimate["method"],
                },
            )
        )
    return made


def interval(ci95: list[float] | None) -> Interval | None:
    """The 95 % interval of an estimate, if it has one."""
    return None if ci95 is None else (float(ci95[0]), float(ci95[1]))


def _zones(drive: Measured) -> list[Row]:
    found = [zone["sectors_per_track"]["value"] for zone in drive.found["zones"]]
    name = drive.published.name
    made = [
        Row(
            id="ultrastar/zones",
            what="zones",
            paper=float(len(ULTRASTAR_ZONES)),
            ours=float(len(found)),
            unit="",
            target=float(len(drive.zones)),
            criterion=EXACT,
            evidence="by construction",
            used=PUT_IN,
            group=name,
            extra={"truth": len(drive.zones)},
        )
    ]
    for index, (paper, true) in enumerate(zip(ULTRASTAR_ZONES, drive.zones, strict=True)):
        ours = found[index] if index < len(found) else None
        made.append(
            Row(
                id=f"ultrastar/zone_{index + 1}_sectors_per_track",
                what=f"sectors per track, zone {index + 1}",
                paper=paper,
                ours=float(ours or 0.0),
                unit="",
                target=float(true),
                criterion=EXACT,
                evidence="by construction",
                used=PUT_IN,
                group=name,
                extra={"truth": true},
            )
        )
    return made


def _skippy_time(drive: Measured) -> Row:
    local = list(takewhile(lambda run: run.probe != "zoned", drive.runs))
    seconds = sum(run.drive_time_s for run in local if run.probe == "skippy")
    return Row(
        id=f"{drive.published.key}/skippy_s",
        what="drive time of the SKIPPY that finds the geometry",
        paper=None,
        ours=seconds,
        unit="s",
        target=SKIPPY_S,
        group=drive.published.name,
        bound="at-most",
        criterion=EXACT,
    )
