"""The pages of the site: the index with its table to search, and one for each model."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from statistics import median_low

from platterlab import __version__
from platterlab.html_table import Markup
from platterlab.measure.advice import NOT_THE_MEDIAS, TITLES
from platterlab.measure.archive import Bad, Model
from platterlab.measure.documents import Estimate
from platterlab.report import page
from platterlab.report.archive import curves, overview
from platterlab.report.archive.measured import Measured, shown, standing

INDEX = "index.html"
_AT_ONE_PLACE = (
    "rotation_ms", "sectors_per_track", "surfaces", "mtm_ms", "track_skew_ms", "cylinder_skew_ms",
    "head_switch_ms",
)  # fmt: skip
_OVER_ALL = ("outer_mib_s", "inner_mib_s", "seek_min_ms", "seek_max_ms")
_STATUSES = "“Ambiguous”: the samples allow more than one answer. “Unsupported”: they say nothing."


def index(
    models: Sequence[tuple[Model, Sequence[Measured]]], bad: Sequence[Bad], names: dict[str, str]
) -> Iterable[str]:
    """The first page.

    Args:
        models: each with what was measured.
        bad: what is in the archive and no sound bundle.
        names: the file of each model's page, by its title.
    """
    every = [one for _, some in models for one in some]
    drives = sum(model.drives for model, _ in models)
    figures = [("models", f"{len(models):,}"), ("measurements", f"{len(every):,}")]
    if drives:
        figures.insert(1, ("distinct drives", f"{drives:,}"))
    about = f"Disk drives, measured from outside. Made by Platterlab {__version__}."
    yield page.header("Measured drives", about, figures)
    if not every:
        yield "<p>There is no measurement in this archive yet.</p>\n"
    else:
        yield _search()
        yield _models(models, names)
    yield page.notices("Left out, as they are not sound", [_without_folder(one) for one in bad])
    for title, said, spec in overview.charts({model.title: some for model, some in models}):
        yield page.chart(title, said, spec)
    if every:
        script = (Path(__file__).parent / "find.js").read_text(encoding="utf-8")
        yield f'<script type="module">\n{script}</script>\n'


def model_page(model: Model, some: Sequence[Measured], reports: dict[str, str]) -> Iterable[str]:
    """The page of one model.

    Args:
        model: it.
        some: its measurements.
        reports: the file of each bundle's own report, by its id.
    """
    yield f'<nav><a href="{INDEX}">All models</a></nav>\n'
    figures = [("capacity", f"{_capacity(some)} GB"), ("measurements", f"{len(some):,}")]
    if model.drives:
        figures.append(("distinct drives", f"{model.drives:,}"))
    for key, name, digits in (("rotation_ms", "rpm", 0), ("outer_mib_s", "MiB/s, outer", 2)):
        value, status = _typical(some, key)
        if value and status == "ok":
            shown_value = 60_000 / value if key == "rotation_ms" else value
            figures.append((name, f"{shown_value:,.{digits}f}"))
    yield page.header(model.title, _recognised(model), figures)
    for title, about, spec in curves.charts(some):
        yield page.chart(title, about, spec)
    about = f"With half the width of their 95 % intervals. {_STATUSES}"
    yield _values("Rotation and tracks", about, some, _AT_ONE_PLACE)
    yield _values("Bandwidth and seeks", "Over the whole drive.", some, _OVER_ALL)
    yield _measurements(some, reports)


def _search() -> str:
    return (
        '<form class="find" hidden>\n'
        '<label>Search <input type="search" name="words" autocomplete="off"></label>\n'
        '<label>Sort by <select name="order"></select></label>\n'
        "<output></output>\n</form>\n"
    )


def _models(models: Sequence[tuple[Model, Sequence[Measured]]], names: dict[str, str]) -> str:
    rows = []
    for model, some in models:
        link = f'<a href="{escape(names[model.title])}">{escape(model.title)}</a>'
        rows.append(
            [
                Markup(f"{link}<span hidden> {escape(_words(some))}</span>"),
                _capacity(some),
                _told(some, "rotation_ms", 0, per_minute=True),
                _told(some, "surfaces", 0),
                _told(some, "sectors_per_track", 0),
                _told(some, "outer_mib_s", 2),
                _told(some, "seek_min_ms", 2),
                _told(some, "seek_max_ms", 2),
                f"{model.drives:,}" if model.drives else "–",
                f"{len(some):,}",
            ]
        )
    headings = ["model", "GB", "rpm", "surfaces", "SPT", "MiB/s", "least seek, ms"]
    headings += ["longest seek, ms", "drives", "measured"]
    about = (
        "SPT: sectors per track of the outermost zone, of which the bandwidth is too. Of several "
        f"measurements the middle one. {_STATUSES} Drives are identified by a hash of their serial "
        "number; a dash where there is none."
    )
    return page.table("Models", about, headings, rows, "dense")


def _words(some: Sequence[Measured]) -> str:
    """What else a model is found by."""
    found = [
        word
        for one in some
        for word in (one.entry.id, one.entry.serial_hash, one.firmware, one.entry.status)
        if word
    ]
    return " ".join(dict.fromkeys(found))


def _typical(some: Sequence[Measured], key: str) -> tuple[float | None, str]:
    """The middle one of the values that are ok, else of the less certain ones, and the status."""
    for status in ("ok", NOT_THE_MEDIAS, "ambiguous"):
        estimates = [one.estimate(key) for one in some]
        values = [one.value for one in estimates if standing(one) == status and shown(one)]
        known = [value for value in values if value is not None]
        if known:
            return median_low(known), status
    return None, "unsupported"


def _told(some: Sequence[Measured], key: str, digits: int, *, per_minute: bool = False) -> str:
    value, status = _typical(some, key)
    if value is None or (per_minute and value <= 0):
        return "–"
    text = f"{60_000 / value if per_minute else value:,.{digits}f}"
    return text if status == "ok" else _small(text, status)


def _small(text: str, below: str) -> Markup:
    return Markup(f"{escape(text)} <small>{escape(below)}</small>")


def _capacity(some: Sequence[Measured]) -> str:
    return f"{max(one.entry.capacity_bytes for one in some) / 1e9:,.2f}"


def _recognised(model: Model) -> str:
    if model.entries[0].simulated:
        return "The answers of a model of the drive, and not of a drive."
    if not model.drives:
        return "No serial number was there to distinguish drives by."
    without = model.not_recognised
    return f"{without:,} measurements are of drives without a serial number." if without else ""


def _values(title: str, about: str, some: Sequence[Measured], keys: Sequence[str]) -> str:
    rows = [[one.label, *(_estimate(one.estimate(key)) for key in keys)] for one in some]
    names = (", ".join(TITLES[key]).rstrip(", ") for key in keys)
    return page.table(title, about, ["bundle", *names], rows, "dense")


def _estimate(estimate: Estimate) -> str:
    if not shown(estimate) or estimate.value is None:
        return Markup(f"<small>{escape(estimate.status)}</small>")
    digits = 0 if float(estimate.value).is_integer() else 4
    text, below = f"{estimate.value:,.{digits}f}", []
    if estimate.ci95 is not None and (half := abs(estimate.ci95[1] - estimate.ci95[0]) / 2) > 0:
        below.append("± <0.0001" if half < 0.00005 else f"± {half:,.{4 if digits else 0}f}")
    if standing(estimate) != "ok":
        below.append(standing(estimate))
    return _small(text, ", ".join(below)) if below else text


def _measurements(some: Sequence[Measured], reports: dict[str, str]) -> str:
    rows = []
    for one in some:
        report = reports.get(one.entry.id)
        link = Markup(f'<a href="{escape(report)}">report</a>') if report else "–"
        rows.append(
            [
                one.entry.id,
                one.entry.serial_hash or "not recognised",
                one.started,
                f"{one.capacity_sectors:,}",
                one.firmware or "–",
                one.version or "–",
                one.entry.status,
                link,
            ]
        )
    headings = ["bundle", "drive", "measured", "sectors", "firmware", "platterlab", "found"]
    about = (
        "Drives are identified by a hash of their serial number. A report is shown as its bundle "
        "brought it."
    )
    return page.table("Measurements", about, [*headings, "report"], rows, "dense")


def _without_folder(bad: Bad) -> str:
    """What is wrong with a bundle, without where the archive lies."""
    return bad.problem.replace(str(bad.folder), bad.folder.name)
