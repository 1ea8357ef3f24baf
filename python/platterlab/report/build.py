"""Puts a report together: text, tables, charts and the script that makes them live."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

import vl_convert

from platterlab import __version__
from platterlab.output import replacing
from platterlab.report.charts import Spec, charts
from platterlab.report.digest import Digest, digest

# Replaces the drawing in each figure with a live one.
_SCRIPT = """
for (const figure of document.querySelectorAll(".chart")) {
  const spec = JSON.parse(figure.nextElementSibling.textContent);
  const options = { renderer: "svg", actions: { export: true, source: false, compiled: false,
                    editor: false } };
  vegaEmbed(figure, spec, options);
}
"""


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
    page = "".join(_page(found, progress))
    with replacing(target) as partial:
        partial.write_text(page, encoding="utf-8")
    return Written(requests=found.requests, size_bytes=len(page.encode()))


def _page(found: Digest, progress: Callable[[float], None]) -> Iterable[str]:
    drive = str(found.manifest.get("drive", "Per-request results"))
    style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(drive)} – Platterlab</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    )
    yield from _head(found, drive)
    drawn = charts(found)
    for index, (title, about, spec) in enumerate(drawn):
        yield _figure(title, about, spec)
        progress(0.3 + 0.6 * (index + 1) / len(drawn))
    yield from _tables(found)
    script = vl_convert.javascript_bundle(_SCRIPT).replace("</script", "<\\/script")
    yield f'<script type="module">{script}</script>\n</body>\n</html>\n'


def _head(found: Digest, drive: str) -> Iterable[str]:
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
    yield f"<header>\n<h1>{escape(drive)}</h1>\n"
    if "trace" in made_by:
        timing, trace = escape(str(made_by["timing"])), escape(str(made_by["trace"]))
        yield f"<p>serving {trace}, {timing} timing</p>\n"
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures)
    yield f'<dl class="figures">{items}</dl>\n</header>\n'


def _figure(title: str, about: str, spec: Spec) -> str:
    still = vl_convert.vegalite_to_svg(spec)
    data = json.dumps(spec).replace("</", "<\\/")
    return (
        f"<section>\n<h2>{escape(title)}</h2>\n<p>{escape(about)}</p>\n"
        f'<div class="chart">{still}</div>\n'
        f'<script type="application/json">{data}</script>\n</section>\n'
    )


def _tables(found: Digest) -> Iterable[str]:
    names = [name for name in found.times[0] if name != "kind"]
    rows = [[row["kind"], *(f"{row[name]:,.2f}" for name in names)] for row in found.times]
    yield _section("Times", "In milliseconds.", ["", *names], rows)
    if found.agreement:
        rows = []
        for name, one in found.agreement.items():
            figures = one.to_json()
            rows.append([name, *(f"{(figures[key] or 0) * by:,.2f}" for key, _, by in _AGREEMENT)])
        about = "Simulated against recorded service time, in ms; errors are of single requests."
        yield _section("Agreement", about, ["", *(heading for _, heading, _ in _AGREEMENT)], rows)
    total = sum(found.cache.values())
    rows = [
        [name, f"{many:,}", f"{100 * many / total:.1f} %"] for name, many in found.cache.items()
    ]
    yield _section("Drive buffer", "What it made of the requests.", ["", "requests", "share"], rows)
    made = [[name.replace("_", " "), _said(value)] for name, value in found.manifest.items()]
    made.append(["report by", f"Platterlab {__version__}"])
    yield _section("Made by", "What it takes to get the same numbers again.", [], made, "made")


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


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {item}" for key, item in value.items()) or "–"
    return "–" if value is None else str(value)


def _section(
    title: str, about: str, headings: list[str], rows: list[list[str]], kind: str = "plain"
) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows
    )
    return (
        f"<section>\n<h2>{escape(title)}</h2>\n<p>{escape(about)}</p>\n"
        f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>\n</section>\n"
    )
