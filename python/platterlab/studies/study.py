"""The type of a study: a published experiment that can be run again."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from platterlab import manifest as manifests
from platterlab.documents import Json
from platterlab.studies.constants import Constant
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
        constants: other values of the study's own, by name.
    """

    out: Path | None
    data: Path | None
    seed: int
    progress: Progress
    constants: Mapping[str, float] = field(default_factory=dict)

    def constant(self, one: Constant) -> float:
        """What a constant is in this run."""
        return self.constants.get(one.name, one.value)

    def changed(self, stated: Mapping[str, Constant]) -> dict[str, float]:
        """What those of `stated` are that this run takes otherwise, by the same keys."""
        values = {key: self.constant(one) for key, one in stated.items()}
        return {key: value for key, value in values.items() if value != stated[key].value}

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
        """No row is off but those of which the study says why."""
        return not self.unexplained

    @property
    def unexplained(self) -> list[Row]:
        """The rows that are off for no reason known beforehand."""
        return [row for row in self.rows if row.is_unexplained]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many rows have each verdict."""
        return dict(Counter(row.verdict for row in self.rows))


@dataclass(frozen=True)
class Study:
    """A published experiment.

    Attributes:
        name: what `platterlab study` calls it.
        title: what it shows, in a line.
        source: the paper, with the section, table or figure.
        run: does it. Raises InputError when `Request.data` lacks something.
        constants: what the paper does not print and the study assumes.
        reads: what it reads in `Request.data`, files and folders, as far as they are there.
    """

    name: str
    title: str
    source: str
    run: Callable[[Request], Outcome]
    constants: tuple[Constant, ...] = ()
    reads: tuple[str, ...] = ()

    def manifest(self, request: Request) -> Json:
        """What it takes to get the same rows again.

        Raises:
            InputError: something that it reads cannot be read.
        """
        named = [request.data / name for name in self.reads] if request.data else []
        inputs = [("data", str(path)) for path in named if path.exists()]
        constants = {one.name: request.constant(one) for one in self.constants}
        return manifests.of(inputs, study=self.name, seed=request.seed, constants=constants)

    def to_json(self, outcome: Outcome, request: Request) -> Json:
        """The study and what it found at this request as one JSON object."""
        return {
            "schema_version": 1,
            "study": self.name,
            "title": self.title,
            "source": self.source,
            "holds": outcome.holds,
            "verdicts": outcome.verdicts,
            "rows": [row.to_json() for row in outcome.rows],
            "figures": [str(path) for path in outcome.figures],
            "notes": outcome.notes,
            "manifest": self.manifest(request),
        }


def explained(rows: Iterable[Row], reasons: Mapping[str, str]) -> list[Row]:
    """The rows, with the reasons that are known for those that may be off.

    They stand under patterns of row ids; the first that fits counts.
    """

    def known(row: Row) -> str:
        return next((why for key, why in reasons.items() if fnmatchcase(row.id, key)), row.reason)

    return [replace(row, reason=known(row)) for row in rows]
