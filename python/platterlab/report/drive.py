"""The report of a measured drive: the sawtooth, the zones, the seeks, and every value."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from platterlab import __version__, manifest
from platterlab.measure import samples
from platterlab.measure.advice import QUANTITIES, quantity
from platterlab.measure.bundle import SAMPLES, Bundle
from platterlab.report import page, self_check
from platterlab.report.sawtooth import sawtooth
from platterlab.report.style import Spec
from platterlab.report.surface import answers, bandwidth, seeks

_ABOUT = {
    "complete": "Everything that was looked for was found.",
    "partial": "Some of what was looked for was not found; the table says why.",
    "unsupported": "No rotation was found, and so nothing of what depends on it.",
}


def build(folder: Path, target: Path, bundle_id: str, status: str) -> int:
    """Draws a bundle as one HTML file that needs no network; gives its size in bytes.

    Args:
        folder: the bundle's, with samples, extraction and environment.
        target: the file to write.
        bundle_id: of the bundle.
        status: how much was found.

    Raises:
        InputError: the bundle cannot be read.
    """
    bundle = Bundle(folder)
    found, made_by = bundle.extraction(), bundle.environment()
    runs = samples.read(folder / SAMPLES)
    name = str(made_by["device"]["name"])
    body = _body(found, made_by, runs, (name, bundle_id, status))
    return page.write(target, name, body)


def _body(
    found: dict[str, Any],
    made_by: dict[str, Any],
    runs: list[samples.Run],
    title: tuple[str, str, str],
) -> Iterable[str]:
    name, bundle_id, status = title
    yield page.header(name, f"Bundle {bundle_id}. {_ABOUT[status]}", _figures(found, made_by))
    yield page.notices("Before you use these values", found["warnings"])
    for heading, about, spec in _charts(found, made_by, runs):
        yield page.chart(heading, about, spec)
    yield _values(found)
    yield self_check.table(found)
    if found["zones"]:
        yield _zones(found)
    if found["bandwidth_fits"]:
        yield _fits(found)
    if found.get("seek_fits"):
        yield _seek_fits(found)
    yield _probes(runs)
    yield _made(made_by)


def _charts(
    found: dict[str, Any], made_by: dict[str, Any], runs: list[samples.Run]
) -> list[tuple[str, str, Spec]]:
    sector_bytes = int(made_by["device"]["logical_sector_bytes"])
    drawn = []
    if (spec := sawtooth(found, runs)) is not None:
        drawn.append(
            (
                "SKIPPY",
                "Each dot is a request; the lines are what the extracted values predict. L1 waits "
                "for the next revolution, L2 makes this one, L3 also crosses a track boundary, "
                "L4 a cylinder boundary. Scroll to zoom, drag to move.",
                spec,
            )
        )
    if (spec := bandwidth(found, sector_bytes)) is not None:
        drawn.append(
            (
                "Zones",
                "Bandwidth of sequential reads over the drive, sectors per track of each zone, "
                "and curves through it. Click a curve in the legend to see it alone.",
                spec,
            )
        )
    if (spec := seeks(found)) is not None:
        drawn.append(
            (
                "Seeks",
                "Least time to move and settle, without the minimum time to media, with its 95 % "
                "interval: over cylinders where they are known, and over sectors.",
                spec,
            )
        )
    if (spec := self_check.overlay(found)) is not None:
        drawn.append(("Measured and simulated", self_check.ABOUT, spec))
    if not drawn:
        about = "What each request took, in order. Nothing here comes around with a platter."
        drawn.append(("Answers", about, answers(runs)))
    return drawn


def _figures(found: dict[str, Any], made_by: dict[str, Any]) -> list[tuple[str, str]]:
    device = made_by["device"]
    capacity = device["capacity_sectors"] * device["logical_sector_bytes"]
    figures = [("capacity", f"{capacity / 1e9:,.2f} GB")]
    if found["rotation_ms"]["status"] == "ok":
        figures.append(("rpm", f"{60_000 / found['rotation_ms']['value']:,.1f}"))
    for key, name, digits in (
        ("surfaces", "surfaces", 0),
        ("sectors_per_track", "sectors per track", 0),
        ("mtm_ms", "MTM, ms", 2),
        ("outer_mib_s", "MiB/s, outer", 2),
        ("seek_max_ms", "longest seek, ms", 2),
    ):
        if found[key]["status"] == "ok":
            figures.append((name, f"{found[key]['value']:,.{digits}f}"))
    if (model := found.get("model")) and model["angles"]:
        share = 100 * model["angles_right"] / model["angles"]
        figures.append(("angles as simulated, %", f"{share:.1f}"))
    return figures


def _values(found: dict[str, Any]) -> str:
    rows = []
    for key, name, alias, unit, _ in QUANTITIES:
        estimate = quantity(found, key)
        title = f"{name} (“{alias}” in the paper)" if alias and alias not in name else name
        rows.append(
            [
                title,
                _number(estimate["value"], unit),
                _interval(estimate["ci95"], estimate["value"]),
                estimate["status"],
                _reading(estimate),
            ]
        )
    about = (
        "With 95 % intervals. Ambiguous: the samples allow more than one answer. Unsupported: they "
        "say nothing about it."
    )
    headings = ["", "value", "95 % interval", "status", "read off from"]
    return page.table("Values", about, headings, rows, "values")


def _zones(found: dict[str, Any]) -> str:
    rows = [
        [
            f"{index}",
            _number(zone["first_lba"]["value"], "", 0),
            _number(zone["sectors_per_track"]["value"], ""),
            *(
                _number(quantity(zone, name)["value"], "", digits)
                for name, digits in (
                    ("skippy_sectors_per_track", 2),
                    ("track_skew_ms", 4),
                    ("cylinder_skew_ms", 4),
                    ("mib_s", 4),
                )
            ),
            zone["sectors_per_track"]["status"],
        ]
        for index, zone in enumerate(found["zones"], start=1)
    ]
    headings = ["", "first sector", "sectors per track", "the same from SKIPPY's slope"]
    headings += ["track skew, ms", "cylinder skew, ms", "MiB/s", "status"]
    about = "Tracks counted between their boundaries; SKIPPY and ZONED ran inside each zone."
    return page.table("Zones, outermost first", about, headings, rows)


def _fits(found: dict[str, Any]) -> str:
    rows = []
    for fit in found["bandwidth_fits"]:
        points = "outermost and innermost" if fit["two_point"] else "all places"
        criterion = "–" if fit["aic"] is None else f"{fit['aic']:,.0f}"
        rows.append([fit["curve"], points, f"{fit['rms_mib_s']:.4f}", criterion])
    about = (
        "Best first, by Akaike's criterion: what is left over, against the number of parameters."
    )
    headings = ["curve", "through", "RMS left, MiB/s", "criterion"]
    return page.table("Curves through the bandwidth", about, headings, rows)


def _seek_fits(found: dict[str, Any]) -> str:
    rows = [
        [
            fit["against"],
            "{:.4f} + {:.6g} √d".format(*fit["short_ms"]),
            f"{fit['boundary']:,}",
            "{:.4f} + {:.6g} d".format(*fit["long_ms"]),
            f"{fit['rms_ms']:.4f}",
        ]
        for fit in found["seek_fits"]
    ]
    about = "Least squares, the minimum time to media removed; in milliseconds."
    headings = ["d in", "short seeks", "up to", "long seeks", "RMS left, ms"]
    return page.table("Curves through the seeks", about, headings, rows)


def _probes(runs: list[samples.Run]) -> str:
    probes = dict.fromkeys(run.probe for run in runs)
    rows = []
    for probe in probes:
        mine = [run for run in runs if run.probe == probe]
        requests = sum(run.requests for run in mine)
        time_s = sum(run.drive_time_s for run in mine)
        rows.append([probe, f"{len(mine)}", f"{requests:,}", f"{time_s:,.1f}"])
    headings = ["probe", "runs", "requests", "drive time, s"]
    return page.table("What it took", "Time on the device's clock.", headings, rows)


def _made(made_by: dict[str, Any]) -> str:
    rows = [["started", str(made_by["started"])], ["platterlab", str(made_by["platterlab"])]]
    for group in ("options", "host"):
        rows += [[f"{group}: {key}", _said(value)] for key, value in made_by[group].items()]
    rows += [list(line) for line in manifest.lines({"inputs": made_by.get("inputs", ())})]
    device = made_by["device"]
    for key in ("capacity_sectors", "logical_sector_bytes", "physical_sector_bytes"):
        rows.append([f"device: {key.replace('_', ' ')}", f"{device[key]:,}"])
    rows.append(["device: host overhead", f"{device['host_overhead_us']:.2f} µs"])
    rows += [[f"device: {key}", value] for key, value in device["facts"]]
    rows.append(["report by", f"Platterlab {__version__}"])
    return page.table("Made by", "What it takes to get the same again.", [], rows, "made")


def _number(value: float | None, unit: str, digits: int | None = None) -> str:
    if value is None:
        return "–"
    if digits is None:
        digits = 0 if float(value).is_integer() else 4
    return f"{value:,.{digits}f} {unit}".rstrip()


def _reading(estimate: dict[str, Any]) -> str:
    note = estimate["note"]
    return f"{estimate['method']}: {note}" if note else str(estimate["method"])


def _interval(ci95: list[float] | None, value: float | None) -> str:
    if ci95 is None or value is None:
        return "–"
    low, high = ci95
    if low == high:
        return "exact" if float(value).is_integer() else "–"
    return f"{low:,.4f} … {high:,.4f}"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
