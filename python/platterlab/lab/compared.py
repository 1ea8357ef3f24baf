"""Arguments of `compare`, from files or memory, as the sides of a comparison."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

import numpy as np

from platterlab._core import InputError
from platterlab.comparing import sides
from platterlab.lab.experiment import Experiment
from platterlab.lab.result import Result
from platterlab.lab.tables import ArrowTable, in_memory
from platterlab.lab.trace import Trace

Compared: TypeAlias = "str | os.PathLike[str] | Result | Experiment | Trace | ArrowTable"
"""A file's name, or what a program has in memory."""


def side(what: Compared, number: int, columns: str | None, threads: int | None) -> sides.Side:
    """One side of a comparison.

    Args:
        what: a file, or an object of one of the kinds that have times.
        number: its place among the sides, from 1: what is in memory is called by it.
        columns: what the columns of a trace's file are.
        threads: of an experiment, the most runs at a time.

    Raises:
        InputError: it has no times.
    """
    if isinstance(what, str | os.PathLike):
        return sides.side(Path(what), columns=columns, threads=threads)
    if isinstance(what, Result):
        return _of_result(what, f"result {number}")
    if isinstance(what, Experiment):
        return sides.of_experiment(what.inner, f"experiment {number}", threads)
    if isinstance(what, Trace):
        return _of_trace(what, f"trace {number}", columns)
    return _of_table(what, f"table {number}")


def _of_result(result: Result, name: str) -> sides.Side:
    if "runs" not in result.figures:
        return _of_table(result.rows, name)
    if not result.complete:
        raise InputError(f"{name}: was broken off: its runs are not of the same length")
    return sides.of_runs(result.figures.to_dict()["runs"], name)


def _of_trace(trace: Trace, name: str, columns: str | None) -> sides.Rows:
    if trace.path is not None:
        options = trace.options if columns is None else {**trace.options, "columns": columns}
        return sides.of_trace(trace.path, options, trace_format=trace.format, device=trace.device)
    held = trace.columns
    if np.isnan(held["service_ms"]).all():
        raise InputError(f"{name}: has no measured times (`service_ms`): nothing to compare")
    return sides.of_columns([held], np.zeros(len(trace), np.uint64), name)


def _of_table(table: ArrowTable, name: str) -> sides.Rows:
    from platterlab.results_file import ResultsFile

    return sides.of_results(ResultsFile.of(in_memory(table), name), name)
