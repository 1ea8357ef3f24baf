"""The page of every report: self-contained, live in a browser, readable in print."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import vl_convert
from altair.utils.schemapi import debug_mode

from platterlab.html_table import table
from platterlab.output import write_text
from platterlab.report.script import script
from platterlab.report.style import Spec

__all__ = ["chart", "header", "notices", "table", "write"]


def write(target: Path, title: str, body: Iterable[str]) -> int:
    """Writes a page around a body and gives its size in bytes.

    Raises:
        InputError: the target's folder does not exist.
    """
    # A chart is checked when it is whole; altair would check each of its parts beside that.
    with debug_mode(False):
        page = "".join(_page(title, body))
    write_text(target, page)
    return target.stat().st_size


def _page(title: str, body: Iterable[str]) -> Iterable[str]:
    style = _beside("page.css")
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} – Platterlab</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    )
    yield from body
    yield f'<script type="module">{script()}</script>\n</body>\n</html>\n'


def _beside(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def header(title: str, about: str, figures: Sequence[tuple[str, str]]) -> str:
    """The top of the page: a title, a line about it, and the figures to see first."""
    line = f"<p>{escape(about)}</p>\n" if about else ""
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in figures
    )
    return (
        f'<header>\n<h1>{escape(title)}</h1>\n{line}<dl class="figures">{items}</dl>\n</header>\n'
    )


def chart(title: str, about: str, spec: Spec) -> str:
    """A chart: a drawing for print, and the specification that makes it live."""
    # In a script no `<` is safe: one of a comment and one of a script together hide its end.
    data = json.dumps(spec).replace("<", "\\u003c")
    still = _steady(vl_convert.vegalite_to_svg(spec), data)
    return (
        f"<section>\n<h2>{escape(title)}</h2>\n<p>{escape(about)}</p>\n"
        f'<div class="chart">{still}</div>\n'
        f'<script type="application/json">{data}</script>\n</section>\n'
    )


def _steady(drawing: str, data: str) -> str:
    """A drawing whose clips are named by what it shows, not by how many were drawn before it."""
    of = hashlib.sha256(data.encode()).hexdigest()[:8]
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        return found[1] + names.setdefault(found[2], f"clip-{of}-{len(names)}")

    return re.sub(r"""(<clipPath id="|clip-path="url\(#)(clip\d+)""", named, drawing)


def notices(title: str, sentences: Sequence[str]) -> str:
    """A list of warnings; nothing where there are none."""
    if not sentences:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>\n" for sentence in sentences)
    return f'<section class="notices">\n<h2>{escape(title)}</h2>\n<ul>\n{items}</ul>\n</section>\n'
