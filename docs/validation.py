"""Writes the tables of VALIDATION.md anew: `make validation`.

A table stands between `<!-- study NAME -->` and `<!-- end -->`; what is outside is written by hand.
Studies whose data is not at hand keep their old table.
"""

import re
import sys
from pathlib import Path

from platterlab import studies
from platterlab.data import folder
from platterlab.studies import Request, Row

PAGE = Path(__file__).parent.parent / "VALIDATION.md"
BLOCK = re.compile(r"(<!-- study ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
UNITS = {"mib_s": "MiB/s"}


def main() -> int:
    """Runs every study that the page shows."""
    data = folder()
    if data is None:
        sys.stderr.write("platterlab: VALIDATION.md needs the data folder; set PLATTERLAB_DATA\n")
        return 2
    PAGE.write_text(BLOCK.sub(lambda block: f"{block[1]}{_table(block[2])}{block[3]}",
                              PAGE.read_text(encoding="utf-8")), encoding="utf-8")  # fmt: skip
    return 0


def _table(name: str) -> str:
    request = Request(out=None, data=folder(), seed=0, progress=_quiet)
    rows = studies.find(name).run(request).rows
    head = "| row | what | paper | ours | held against | verdict |\n|---|---|---|---|---|---|\n"
    return head + "".join(map(_line, rows)) + f"\n`platterlab study {name}`\n"


def _line(row: Row) -> str:
    bold = "**" if row.verdict == "not reproduced" else ""
    why = f": {row.why}" if row.why else ""
    verdict = f"{bold}{row.verdict}{bold}{why}"
    cells = (
        f"`{row.id}`",
        row.what,
        _figure(row, row.paper),
        _figure(row, row.ours) + _interval(row),
        _held_against(row),
        verdict,
    )
    return f"| {' | '.join(cells)} |\n"


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
    sys.exit(main())
