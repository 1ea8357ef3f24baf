"""One point of a sweep: a text that any machine runs to the same bits."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from platterlab import __version__, manifest, memory
from platterlab._core import Experiment, InputError
from platterlab.answers import Replication
from platterlab.intervals import half_width
from platterlab.wrong_file import in_file

Figures = dict[str, float | int | bool | None]
"""By the names of `FIGURES`."""

FIGURES = (
    ("mean_response_ms", "double"),
    ("half_width_95_ms", "double"),
    ("p95_response_ms", "double"),
    ("p95_half_width_95_ms", "double"),
    ("served_per_s", "double"),
    ("served_half_width_95_per_s", "double"),
    ("replications", "int64"),
    ("complete", "bool"),
)


@dataclass(frozen=True)
class Task:
    """The runs of one point.

    Attributes:
        experiment: the text of the experiment.
        shown: what messages call it.
        folder: where its relative paths begin.
        values: what its keys have at this point.
        seed: of the first replication.
        replications: how many, at least.
        half_width_pct: continue until the mean response is known so well; None for no more.
        most_replications: and no further than to this many.
        inputs: what the files that it names were when the sweep began: what for, path, sha256.
        fixed: what other keys have at all points, in place of the text's.
        version: of the program.
    """

    experiment: str
    shown: str
    folder: str
    values: Mapping[str, Any]
    seed: int
    replications: int
    half_width_pct: float | None = None
    most_replications: int = 64
    inputs: tuple[tuple[str, str, str], ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    @property
    def name(self) -> str:
        """The hash of all that decides the result: 16 hex digits."""
        told = dict(vars(self))
        del told["shown"], told["folder"]
        told["inputs"] = [[what, digest] for what, _, digest in self.inputs]
        text = json.dumps(told, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_text(self) -> str:
        """All of it as JSON."""
        return json.dumps(vars(self))

    @staticmethod
    def of_text(text: str) -> Task:
        """The task of a text that `to_text` made."""
        told = json.loads(text)
        told["inputs"] = tuple(tuple(one) for one in told["inputs"])
        return Task(**told)

    def parse(self, **more: Any) -> Experiment:
        """The experiment at this point.

        Raises:
            InputError: a key or a value is wrong.
        """
        values = {**self.fixed, **self.values, **more}
        return Experiment.parse(self.experiment, self.shown, self.folder, values)

    def with_inputs(self) -> Task:
        """The same with what its files are now. Raises InputError."""
        found = manifest.of(self.parse().inputs)["inputs"]
        inputs = tuple((one["what"], one["path"], one["sha256"]) for one in found)
        return replace(self, inputs=inputs)

    def run(self) -> Figures:
        """Runs it on this thread.

        Raises:
            InputError: something is wrong with a trace, or a file is another one here, or became
                another one meanwhile.
            MemoryError: it would take more memory than there is, by an estimate.
        """
        if self.version != __version__:
            raise InputError(f"the sweep is of version {self.version}; here is {__version__}")
        if self.inputs and self.with_inputs().inputs != self.inputs:
            raise in_file(self.shown, "a file that it names is another one here")
        found = self._found()
        named = [
            {"what": what, "path": path, "sha256": digest} for what, path, digest in self.inputs
        ]
        manifest.require_same({"inputs": named})
        return found

    def _found(self) -> Figures:
        """The figures of as many replications as are wanted."""
        runs = self._runs(self.seed, self.replications)
        if self.half_width_pct is not None:
            while len(runs) < self.most_replications and not self._is_known(runs):
                # A half more each time: few runs too many, and few times to look.
                more = min(max(2, len(runs) // 2), self.most_replications - len(runs))
                runs += self._runs(self.seed + len(runs), more)
        return _figures(runs)

    def _runs(self, seed: int, replications: int) -> list[Replication]:
        experiment = self.parse(seed=seed, replications=replications)
        memory.require([experiment.memory(1)])
        return experiment.start(1, False).finish()["runs"]

    def _is_known(self, runs: list[Replication]) -> bool:
        told = _figures(runs)
        mean, width = told["mean_response_ms"], told["half_width_95_ms"]
        if mean is None or width is None or self.half_width_pct is None:
            return False
        return width <= mean * self.half_width_pct / 100


def _figures(runs: list[Replication]) -> Figures:
    complete = not any(run["interrupted"] or run["queue_full"] for run in runs)
    reports = [run["report"] for run in runs]
    served = [response for one in reports if (response := one["response_ms"]) is not None]
    if len(served) < len(runs) or not complete:
        return {**dict.fromkeys(name for name, _ in FIGURES), "replications": len(runs),
                "complete": complete}  # fmt: skip
    means = [response["mean_ms"] for response in served]
    mean = math.fsum(means) / len(means)
    p95s = [one["p95_ms"] for one in served]
    rates = [1e3 * report["served"] / report["elapsed_ms"] for report in reports]
    elapsed_s = math.fsum(report["elapsed_ms"] for report in reports) / 1e3
    return {
        "mean_response_ms": mean,
        "half_width_95_ms": half_width(means),
        "p95_response_ms": math.fsum(p95s) / len(p95s),
        "p95_half_width_95_ms": half_width(p95s),
        "served_per_s": sum(one["served"] for one in reports) / elapsed_s,
        "served_half_width_95_per_s": half_width(rates),
        "replications": len(runs),
        "complete": complete,
    }
