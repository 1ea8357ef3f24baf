"""What a study is: a published experiment that can be run again."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from platterlab.studies.row import Row

Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is done, from 0 to 1."""


@dataclass(frozen=True)
class Request:
    """How to run a study.

    Attributes:
        out: the folder for figures and tables, which exists; None to draw nothing.
        data: the folder of the traces that the study needs and Platterlab may not ship.
        seed: of every random choice.
        progress: to be called now and then.
    """

    out: Path | None
    data: Path | None
    seed: int
    progress: Progress

    def part(self, begin: float, end: float) -> "Request":
        """The same for a part of the study, which takes these shares of the whole from 0 to 1."""
        whole = self.progress
        return replace(
            self, progress=lambda what, share: whole(what, begin + share * (end - begin))
        )


@dataclass(frozen=True)
class Outcome:
    """What a study found."""

    rows: list[Row]
    figures: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a reader has to know to judge the rows: a sentence each."""

    @property
    def holds(self) -> bool:
        """No row is out of its tolerance."""
        return all(row.within is not False for row in self.rows)


@dataclass(frozen=True)
class Study:
    """A published experiment.

    Attributes:
        name: what `platterlab study` calls it.
        title: what it shows, in a line.
        source: the paper, with the section, table or figure.
        run: does it. Raises InputError when `Request.data` lacks something.
    """

    name: str
    title: str
    source: str
    run: Callable[[Request], Outcome]

    def to_json(self, outcome: Outcome) -> dict[str, Any]:
        """The study and what it found as one JSON object."""
        return {
            "schema_version": 1,
            "study": self.name,
            "title": self.title,
            "source": self.source,
            "holds": outcome.holds,
            "rows": [row.to_json() for row in outcome.rows],
            "figures": [str(path) for path in outcome.figures],
            "notes": outcome.notes,
        }
