"""The report of a measured drive: the sawtooth, the zones, the seeks, and every value."""

from collections.abc import Iterable, Sequence

from platterlab import __version__, manifest
from platterlab.answers import Estimate, Extraction
from platterlab.measure import figures, one_place, samples
from platterlab.measure.advice import NOT_THE_MEDIAS, QUANTITIES, is_limited
from platterlab.measure.bundle import PROFILE, REPORT, Bundle
from platterlab.measure.environment import Described
from platterlab.measure.origins import ok
from platterlab.measure.track_angles import angles
from platterlab.measure.track_path import path
from platterlab.report import page, self_check, track_places
from platterlab.report.sawtooth import sawtooth
from platterlab.report.style import Spec
from platterlab.report.surface import answers, bandwidth, seeks

_ABOUT = {
    "complete": "Everything that was looked for was found.",
    "start": "What the start alone tells was found; what takes a map of the tracks is marked.",
    "doubted": "All that a profile needs was found; what is not sure beside it is marked.",
    "partial": "Some of what was looked for was not found; the table says why.",
    "unsupported": "No rotation was found, and so nothing of what depends on it.",
}


def build(
    found: Extraction, bundle: Bundle, bundle_id: str, status: str, warned: Sequence[str]
) -> int:
    """Draws a bundle as one HTML file that needs no network; gives its size in bytes.

    Args:
        found: the extraction.
        bundle: with samples and environment; the report is written into it.
        bundle_id: of the bundle.
        status: how much was found.
        warned: what a reader has to know.

    Raises:
        InputError: the bundle cannot be read.
    """
    made_by, word = bundle.environment(), status
    if status == "complete" and not made_by["device"]["whole"]:
        word = "start"
    elif status == "complete" and (warned or not _sure_zones(found)):
        word = "doubted"
    about = f"Bundle {bundle_id}. {_ABOUT[word]}"
    body = _body(found, made_by, bundle, about, warned)
    return page.write(bundle.path(REPORT), made_by["device"]["name"], body)


def _body(
    found: Extraction,
    made_by: Described,
    bundle: Bundle,
    about: str,
    warned: Sequence[str],
) -> Iterable[str]:
    runs = bundle.runs()
    yield page.header(made_by["device"]["name"], about, _figures(found, made_by))
    yield page.notices("Before you use these values", warned)
    for heading, about, spec in [*_charts(found, made_by, runs), *_tracks(found, bundle, runs)]:
        yield page.chart(heading, about, spec)
    yield _values(found)
    yield self_check.table(found)
    if found["zones"]:
        yield _zones(found)
    if found["bandwidth_fits"]:
        yield _fits(found)
    if found["seek_fits"]:
        yield _seek_fits(found)
    yield _probes(runs)
    yield _made(made_by)


def _sure_zones(found: Extraction) -> bool:
    """Whether each zone is known: where it begins, and its tracks."""
    return all(
        zone[name]["status"] == "ok"
        for zone in found["zones"]
        for name in ("first_lba", "sectors_per_track")
    )


def _charts(
    found: Extraction, made_by: Described, runs: list[samples.Run]
) -> list[tuple[str, str, Spec]]:
    sector_bytes = made_by["device"]["logical_sector_bytes"]
    drawn = []
    # Its lines are drawn of what is likely, where no map of the tracks was to confirm it.
    drawn_of = found if made_by["device"]["whole"] else one_place.likely(found)
    if (spec := sawtooth(drawn_of, runs)) is not None:
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
                "interval: over cylinders where they are known, else over sectors.",
                spec,
            )
        )
    if (spec := self_check.overlay(found)) is not None:
        drawn.append(("Measured and simulated", self_check.ABOUT, spec))
    if not drawn:
        about = "What each request took, in order. Nothing here comes around with a platter."
        drawn.append(("Answers", about, answers(runs)))
    return drawn


def _tracks(
    found: Extraction, bundle: Bundle, runs: list[samples.Run]
) -> list[tuple[str, str, Spec]]:
    """Where tracks begin, and the way from one to the next, as far as these are known."""
    drawn = []
    surfaces, rotation_ms = ok(found["surfaces"]), ok(found["rotation_ms"])
    extracted = bundle.path(PROFILE)
    if surfaces and rotation_ms and extracted.is_file():
        text = extracted.read_text(encoding="utf-8")
        if (shown := angles(text, int(surfaces), rotation_ms, runs)) is not None:
            drawn.append(
                (
                    "Angles",
                    "Where on the platter sectors of the first tracks are: each dot is a read, the "
                    "lines are the profile. A line's end is a track's; the step to the next is the "
                    "skew, at a dark rule that from cylinder to cylinder.",
                    track_places.angles(shown),
                )
            )
    model = found["model"]
    if (way := path(found["layout"], model["zones"][0]["order"] if model else "")) is not None:
        about, turns = way
        drawn.append(("Order of tracks", about, track_places.path(turns)))
    return drawn


def _figures(found: Extraction, made_by: Described) -> list[tuple[str, str]]:
    device = made_by["device"]
    capacity = device["capacity_sectors"] * device["logical_sector_bytes"]
    figures = [("capacity", f"{capacity / 1e9:,.2f} GB")]
    if (rotation_ms := ok(found["rotation_ms"])) is not None:
        figures.append(("rpm", f"{60_000 / rotation_ms:,.1f}"))
    is_slowed = is_limited(found["outer_mib_s"]["note"])
    rate = f"MiB/s, outer, {NOT_THE_MEDIAS}" if is_slowed else "MiB/s, outer"
    for estimate, name, digits in (
        (found["surfaces"], "surfaces", 0),
        (found["sectors_per_track"], "sectors per track", 0),
        (found["mtm_ms"], "MTM, ms", 2),
        (found["outer_mib_s"], rate, 2),
        (found["seek_max_ms"], "longest seek, ms", 2),
    ):
        if (value := ok(estimate)) is not None:
            figures.append((name, f"{value:,.{digits}f}"))
    if (model := found["model"]) and model["angles"]:
        share = 100 * model["angles_right"] / model["angles"]
        figures.append(("angles as simulated, %", f"{share:.1f}"))
    return figures


def _values(found: Extraction) -> str:
    rows = []
    for key, name, alias, unit, _ in QUANTITIES:
        estimate = found[key]
        title = f"{name} (“{alias}” in the paper)" if alias and alias not in name else name
        rows.append(
            [
                title,
                figures.outermost(found)
                if key == "sectors_per_track"
                else figures.value(estimate, unit),
                figures.bounds(estimate),
                figures.status(estimate),
                _reading(estimate),
            ]
        )
    about = (
        "With 95 % intervals. Ambiguous: the samples allow more than one answer. Unsupported: they "
        "say nothing about it."
    )
    headings = ["", "value", "95 % interval", "status", "read off from"]
    return page.table("Values", about, headings, rows, "values")


def _zones(found: Extraction) -> str:
    rows = [
        [
            f"{index}",
            _number(zone["first_lba"]["value"], "", 0),
            figures.sectors_per_track(zone),
            _number(zone["skippy_sectors_per_track"]["value"], "", 2),
            _number(zone["track_skew_ms"]["value"], "", 4),
            _number(zone["cylinder_skew_ms"]["value"], "", 4),
            _number(zone["mib_s"]["value"], "", 4),
            zone["sectors_per_track"]["status"],
        ]
        for index, zone in enumerate(found["zones"], start=1)
    ]
    headings = ["", "first sector", "sectors per track", "the same from SKIPPY's slope"]
    headings += ["track skew, ms", "cylinder skew, ms", "MiB/s", "status"]
    about = "Tracks counted between their boundaries; SKIPPY and ZONED ran inside each zone."
    return page.table("Zones, outermost first", about, headings, rows)


def _fits(found: Extraction) -> str:
    rows = []
    for fit in found["bandwidth_fits"]:
        points = "outermost and innermost" if fit["two_point"] else "all places"
        rows.append([fit["curve"], points, f"{fit['rms_mib_s']:.4f}", f"{fit['aic']:,.0f}"])
    about = (
        "Best first, by Akaike's criterion: what is left over, against the number of parameters."
    )
    headings = ["curve", "through", "RMS left, MiB/s", "criterion"]
    return page.table("Curves through the bandwidth", about, headings, rows)


def _seek_fits(found: Extraction) -> str:
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


def _made(made_by: Described) -> str:
    rows = [["started", made_by["started"]], ["platterlab", made_by["platterlab"]]]
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


def _reading(estimate: Estimate) -> str:
    note = estimate["note"]
    return f"{estimate['method']}: {note}" if note else estimate["method"]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
