"""A table of a page, for those that draw charts and those that do not."""

import re
from collections.abc import Sequence
from html import escape

_LETTER_PX = 8.6
"""Of a page's font, in which most of what a table holds are digits."""
_PADDING_PX = 17.6
_MOST_PX = 816
"""Of a page's text."""


class Markup(str):
    """A cell that is HTML already; whoever makes it has escaped what came from outside."""

    __slots__ = ()


def table(
    title: str,
    about: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    kind: str = "plain",
) -> str:
    """A section with a table; `kind` is its class in the style sheet.

    Where the table is wider than the page, each row becomes a block of its own, in which every
    cell has its heading: none is cut.
    """
    # A dotted key breaks behind its dots.
    head = "".join(f"<th>{escape(name).replace('.', '.<wbr>')}</th>" for name in headings)
    if kind == "plain" and _width_px(headings, rows) > _MOST_PX:
        kind = "plain wide"
    body = "".join(f"<tr>{_cells(headings, row)}</tr>\n" for row in rows)
    return (
        f"<section>\n<h2>{escape(title)}</h2>\n<p>{escape(about)}</p>\n"
        f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>\n</section>\n"
    )


def _width_px(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> float:
    """The least that a table takes apart from its first column, whose cells break."""
    words = [max(map(len, re.split(r"(?<=\.)| ", name))) for name in headings]
    cells = [[*(len(row[at]) for row in rows if at)] for at in range(len(headings))]
    return sum(
        _PADDING_PX + _LETTER_PX * max([word, *lengths])
        for word, lengths in zip(words, cells, strict=True)
    )


def _cells(headings: Sequence[str], row: Sequence[str]) -> str:
    names = headings or [""] * len(row)
    cells = zip(names, row, strict=True)
    return "".join(f"<td{_named(name)}>{_told(cell)}</td>" for name, cell in cells)


def _named(heading: str) -> str:
    return f' data-heading="{escape(heading)}"' if heading else ""


def _told(cell: str) -> str:
    """A cell, in which the half width of an interval can stand below its mean."""
    if isinstance(cell, Markup):
        return cell
    mean, mark, half_width = escape(cell).partition(" ± ")
    return f"{mean} <small>± {half_width}</small>" if mark else mean
