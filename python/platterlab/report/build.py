"""Puts a report together: text, tables, charts and the script that makes them live."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from platterlab import __version__, manifest
from platterlab.report import page
from platterlab.report.charts import charts
from platterlab.report.digest import Digest, digest


@dataclass(frozen=True)
class Written:
    """A report on disk."""

    requests: int
    size_bytes: int


def build(results: Path, target: Path, progress: Callable[[float], None]) -> Written:
    """Draws per-request results as one HTML file that needs no network.

    Args:
        results: a .parquet or .csv file of `platterlab simulate --per-request`.
        target: the file to write.
        progress: called with the share that is done.

    Raises:
        InputError: the results cannot be read, or the target's folder does not exist.
    """
    found = digest(results)
    progress(0.3)
    drive = str(found.manifest.get("drive", "Per-request results"))
    size_bytes = page.write(target, drive, _body(found, drive, progress))
    return Written(requests=found.requests, size_bytes=size_bytes)


def _body(found: Digest, drive: str, progress: Callable[[float], None]) -> Iterable[str]:
    yield _head(found, drive)
    drawn = charts(found)
    for index, (title, about, spec) in enumerate(drawn):
        yield page.chart(title, about, spec)
        progress(0.3 + 0.6 * (index + 1) / len(drawn))
    yield from _tables(found)


def _head(found: Digest, drive: str) -> str:
    made_by = found.manifest
    simulated = next(row for row in found.times if row["kind"] == "service")
    figures = [
        ("requests", f"{found.requests:,}"),
        ("mean service time", f"{simulated['mean']:.2f} ms"),
        ("95th percentile", f"{simulated['p95']:.2f} ms"),
    ]
    if found.agreement:
        overall = found.agreement["all"]
        figures.append(("measured mean", f"{overall.measured_mean_ms:.2f} ms"))
        figures.append(
            ("demerit", f"{overall.demerit_ms:.2f} ms ({overall.demerit_pct:.1f} %)"),
        )
    about = ""
    if "trace" in made_by:
        about = f"serving {made_by['trace']}, {made_by.get('timing', 'open')} timing"
    return page.header(drive, about, figures)


def _tables(found: Digest) -> Iterable[str]:
    names = [name for name in found.times[0] if name != "kind"]
    rows = [[row["kind"], *(f"{row[name]:,.2f}" for name in names)] for row in found.times]
    yield page.table("Times", "In milliseconds.", ["", *names], rows)
    if found.agreement:
        rows = []
        for name, one in found.agreement.items():
            figures = one.to_json()
            rows.append([name, *(f"{(figures[key] or 0) * by:,.2f}" for key, _, by in _AGREEMENT)])
        about = "Simulated against recorded service time, in ms; errors are of single requests."
        yield page.table("Agreement", about, ["", *(heading for _, heading, _ in _AGREEMENT)], rows)
    total = sum(found.cache.values())
    rows = [
        [name, f"{many:,}", f"{100 * many / total:.1f} %"] for name, many in found.cache.items()
    ]
    yield page.table(
        "Drive buffer", "What it made of the requests.", ["", "requests", "share"], rows
    )
    made = [[name, value] for name, value in manifest.lines(found.manifest)]
    made.append(["report by", f"Platterlab {__version__}"])
    yield page.table("Made by", "What it takes to get the same numbers again.", [], made, "made")


# Figure, heading, factor.
_AGREEMENT = (
    ("demerit_ms", "demerit", 1),
    ("demerit_pct", "of mean, %", 1),
    ("rmse_ms", "RMSE", 1),
    ("median_abs_error_ms", "median", 1),
    ("p95_abs_error_ms", "p95", 1),
    ("within_100_us", "≤ 0.1 ms, %", 100),
    ("within_500_us", "≤ 0.5 ms, %", 100),
    ("within_1_ms", "≤ 1 ms, %", 100),
)
