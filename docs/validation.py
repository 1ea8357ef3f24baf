"""Writes docs/validation: `make validation`, or some studies alone with their names after it.

A page a study with all its rows, and README.md with a line for each claim of `claims.toml`. A study
whose data is not at hand keeps its page and its lines.
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from platterlab import studies
from platterlab._core import InputError
from platterlab.data import folder
from platterlab.studies import Outcome, Request, Row, Study

HERE = Path(__file__).parent
FOLDER = HERE / "validation"
UNITS = {"mib_s": "MiB/s"}
HEAD = "| row | what | paper | ours | compared with | verdict |\n|---|---|---|---|---|---|\n"
VERDICTS = """
| verdict | what it says |
|---|---|
| reproduced | ours is as near as the kind of row asks for, and nothing of the row went into it |
| fitted | the same, with the figure in view when something was chosen |
| by construction | it was put in and found again: this tests the way, and not the paper |
| not reproduced | with the reason, or "unknown"; "undecided" where more runs would tell |
| no figure published | ours alone, or a goal of our own that is reached |
"""


@dataclass(frozen=True)
class Claim:
    """A line of the first page.

    Attributes:
        what: is claimed.
        data: it is shown on.
        metric: what is compared.
        study: that runs it.
        row: that answers.
    """

    what: str
    data: str
    metric: str
    study: str
    row: str


def claims() -> list[Claim]:
    """All of them, in the order of the page."""
    text = (HERE / "claims.toml").read_text(encoding="utf-8")
    return [Claim(**one) for one in tomllib.loads(text)["claim"]]


def main(names: list[str]) -> int:
    """Runs the studies and writes what they found."""
    lines = _lines((FOLDER / "README.md").read_text(encoding="utf-8"))
    for name in names or studies.names():
        one = studies.find(name)
        try:
            outcome = one.run(Request(out=None, data=folder(), seed=0, progress=_quiet))
        except InputError as error:
            sys.stderr.write(f"platterlab: {name} is left as it is: {error}\n")
            continue
        (FOLDER / f"{name}.md").write_text(page(one, outcome), encoding="utf-8")
        lines |= claimed(name, outcome.rows)
    (FOLDER / "README.md").write_text(overview(lines), encoding="utf-8")
    return 0


def page(one: Study, outcome: Outcome) -> str:
    """A study's page: what is held against something first, the rest as an appendix."""
    counts = ", ".join(f"{count} {word}" for word, count in outcome.verdicts.items())
    held = [row for row in outcome.rows if not row.is_appendix]
    told = [row for row in outcome.rows if row.is_appendix]
    notes = "".join(f"* {note}\n" for note in outcome.notes)
    parts = [
        f"# {one.title}\n\n{one.source}.\n\n`platterlab study {one.name}` makes this page's rows: "
        f"{counts}. [What the verdicts say](README.md#verdicts).\n",
        _tables(held),
        f"\n## Notes\n\n{notes}" if notes else "",
        "\n# Appendix: reported, and compared with nothing\n" if told else "",
        _tables(told),
    ]
    return "".join(parts)


def _tables(rows: Iterable[Row]) -> str:
    return "".join(
        (f"\n## {group}\n" if group else "") + f"\n{HEAD}{''.join(map(_line, part))}"
        for group, part in groupby(rows, lambda row: row.group)
    )


def claimed(study: str, rows: Iterable[Row]) -> dict[str, str]:
    """A study's lines of the first page, by what they claim.

    Raises:
        KeyError: a claim is of a row that there is not.
    """
    found = {row.id: row for row in rows}
    own = [claim for claim in claims() if claim.study == study]
    return {claim.what: _claim(claim, found[claim.row]) for claim in own}


def _claim(claim: Claim, row: Row) -> str:
    published = _figure(row, row.paper) or _held_against(row) or "–"
    ours = _figure(row, row.ours) + _interval(row)
    where = f"[`{claim.study}`]({claim.study}.md) `{row.id}`"
    cells = (claim.what, claim.data, claim.metric, published, ours, row.verdict, where)
    return f"| {' | '.join(cells)} |"


def overview(lines: dict[str, str]) -> str:
    """The first page."""
    table = "\n".join(lines[claim.what] for claim in claims() if claim.what in lines)
    studied = ", ".join(f"[{name}]({name}.md)" for name in studies.names())
    return (
        "# Validation: what is claimed, and what came of it\n\n"
        "Each line is a row of a study; `platterlab study NAME` runs it again, and each study has "
        f"a page with all of them: {studied}. What the papers say, table by table, and which row "
        "answers: [coverage](coverage.md). How it was found out: [notes](../notes/README.md).\n\n"
        "| claim | data | metric | published | ours, 95 % | verdict | study, row |\n"
        f"|---|---|---|---|---|---|---|\n{table}\n\n## Verdicts\n{VERDICTS}\n"
        "Tolerances are fixed by the kind of row (`python/platterlab/studies/criteria.py`), and "
        "the whole interval has to be within. Pages are written by `make validation`; traces and "
        "parameter files are looked for in the folder that `PLATTERLAB_DATA` names.\n"
    )


def _lines(text: str) -> dict[str, str]:
    """The lines of a page that is there, by what they claim."""
    table = re.findall(r"^(\| (.+?) \| .*)$", text, re.MULTILINE)
    return {what: line for line, what in table}


def _line(row: Row) -> str:
    bold = "**" if row.verdict == "not reproduced" else ""
    word = row.why or (row.used if row.verdict in ("fitted", "by construction") else "")
    cells = (
        f"`{row.id}`",
        row.what.strip(),
        _figure(row, row.paper),
        _figure(row, row.ours) + _interval(row),
        _held_against(row),
        f"{bold}{row.verdict}{bold}" + (f": {word}" if word else ""),
    )
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"


def _held_against(row: Row) -> str:
    if row.reference is None:
        return ""
    before, sign = {"about": ("", "±"), "at-most": ("≤ ", "+"), "at-least": ("≥ ", "−")}[row.bound]
    allowed = f" {sign} {row.allowed:.4g}" if row.allowed or row.bound == "about" else ""
    return f"{before}{_figure(row, row.reference)}{allowed}"


def _figure(row: Row, value: float | None) -> str:
    return "" if value is None else f"{value:.4g} {UNITS.get(row.unit, row.unit)}".strip()


def _interval(row: Row) -> str:
    return "" if row.interval is None else " [{:.4g}, {:.4g}]".format(*row.interval)


def _quiet(_what: str, _share: float) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
