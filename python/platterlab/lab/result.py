"""The result of a simulation: figures as attributes, rows as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from platterlab._core import InputError
from platterlab.extras import need
from platterlab.lab import charts, timeline

if TYPE_CHECKING:
    import altair as alt
    import pyarrow as pa


class Figures(Mapping[str, Any]):
    """A summary whose keys are attributes as well; they name their units.

    >>> from platterlab.lab.result import Figures
    >>> figures = Figures({"response_ms": {"mean_ms": 5.0}})
    >>> figures.response_ms.mean_ms, figures.to_dict()
    (5.0, {'response_ms': {'mean_ms': 5.0}})
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> Any:
        return _shown(self._values[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, key: str) -> Any:
        values = self.__dict__.get("_values", {})
        if key in values:
            return _shown(values[key])
        raise AttributeError(f"no figure {key!r}; there are {', '.join(values)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists."""
        return dict(self._values)

    def __repr__(self) -> str:
        return f"Figures({self._values!r})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(key)}</th><td>{escape(_cell(value))}</td></tr>"
            for key, value in _flat(self._values)
        )
        return f"<table>{rows}</table>"


class Result:
    """The result of a simulation.

    Attributes:
        figures: the summary of a drive, or of an experiment the core's report over its runs.
        manifest: what it takes to get the same bits again.
        complete: whether every run came to its end.
        notes: what a reader should know.

    >>> import platterlab as pl
    >>> system = pl.Experiment.of_toml(
    ...     pl.Experiment.examples()["raid5-sptf"],
    ...     values={"replications": 1, "stop.requests": 1000, "stop.warm_up_requests": 0},
    ... )
    >>> result = pl.simulate(system, rows=True, requests=True)
    >>> result.requests.num_rows, result.rows.num_rows > 1000
    (1000, True)
    >>> result.runs[0].response_ms.mean_ms == result.mean_response_ms
    True
    >>> result.timeline.column_names
    ['begin_ms', 'what', 'busy', 'waiting']
    """

    def __init__(
        self,
        figures: Mapping[str, Any],
        manifest: Mapping[str, Any],
        *,
        complete: bool = True,
        notes: tuple[str, ...] = (),
        rows: pa.Table | None = None,
        requests: pa.Table | None = None,
    ) -> None:
        self.figures = Figures(figures)
        self.manifest = dict(manifest)
        self.complete = complete
        self.notes = notes
        self._rows = rows
        self._requests = requests

    @property
    def rows(self) -> pa.Table:
        """A row for each command at a drive, in order of completion.

        An Arrow table: polars, pandas and DuckDB take it without copying. Columns and units are
        those of `platterlab.results.COMMANDS`.

        Raises:
            InputError: the simulation was not asked for rows.
        """
        return _asked(self._rows, "rows")

    @property
    def requests(self) -> pa.Table:
        """Of an experiment, a row for each request to a volume.

        Raises:
            InputError: the simulation was not asked for requests.
        """
        return _asked(self._requests, "requests")

    @property
    def timeline(self) -> pa.Table:
        """Of an experiment, its first run over time: means over bins of equal width.

        Returns:
            `begin_ms` (of the bin), `what` (`requests`, or the name of a drive or a bus), `busy`
            (the share of the time that a drive was at work or a bus was taken; null for requests)
            and `waiting` (requests under way, or commands that waited for the drive; null for a
            bus). Of many drives the busiest are there.

        Raises:
            InputError: a single drive has none.
        """
        if "runs" not in self.figures:
            raise InputError("a drive by itself has no timeline: its rows have their times")
        need("tables")
        return timeline.table(self.figures.to_dict())

    @property
    def runs(self) -> list[Figures]:
        """Of an experiment, the report of each replication.

        Raises:
            InputError: a single drive has none.
        """
        if "runs" not in self.figures:
            raise InputError("a drive by itself has one run: `figures` is its summary")
        return [Figures(run["report"]) for run in self.figures.to_dict()["runs"]]

    @property
    def mean_response_ms(self) -> float | None:
        """From arrival to completion, over all runs; None if nothing was served."""
        if "runs" in self.figures:
            told = self.figures.to_dict()["mean_response_ms"]
            return None if told is None else float(told["mean"])
        told = self.figures.to_dict()["response"]
        return None if told is None else float(told["mean_ms"])

    def chart(self) -> alt.Chart:
        """The distribution of response times as a chart of Altair's: of requests, else of rows.

        Raises:
            InputError: the simulation was asked for neither.

        >>> import platterlab as pl
        >>> trace = pl.Trace.random(pl.Drive("mock"), 100, think_ms=5.0)
        >>> pl.simulate("mock", trace, rows=True).chart().to_dict()["encoding"]["x"]["title"]
        'response time, ms'
        """
        table = self.rows if self._requests is None else self._requests
        return charts.distribution(table.column("response_ms").drop_null().to_numpy())

    def __repr__(self) -> str:
        mean = self.mean_response_ms
        told = "nothing served" if mean is None else f"mean response {mean:.3f} ms"
        return f"<Result: {told}{'' if self.complete else ', broken off'}>"

    def _repr_html_(self) -> str:
        return self.figures._repr_html_()


def _asked(table: pa.Table | None, what: str) -> pa.Table:
    if table is None:
        raise InputError(f"there are no {what}: ask for them with simulate(..., {what}=True)")
    return table


def _shown(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Figures(value)
    return [_shown(one) for one in value] if isinstance(value, list) else value


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        elif not isinstance(value, list):
            yield f"{before}{key}", value


def _cell(value: object) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else str(value)
