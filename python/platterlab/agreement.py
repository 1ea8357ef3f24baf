"""Compares simulated with measured times, of arrays or of files."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Agreement, InputError, demerit_ms, row_labels
from platterlab.comparison import Comparison, groups_of
from platterlab.wrong_file import in_file

Times = NDArray[np.float64]

_WRITE = np.uint8(row_labels()["operation"].index("write"))


def unpaired(measured: Times, simulated: Times) -> Comparison:
    """Compares two distributions of times in milliseconds that belong to different requests.

    Raises:
        InputError: one of the two is empty.
    """
    if not len(measured) or not len(simulated):
        raise InputError("nothing to compare: one of the two has no times")
    return Comparison(
        measured_requests=len(measured),
        simulated_requests=len(simulated),
        measured_mean_ms=float(measured.mean()),
        simulated_mean_ms=float(simulated.mean()),
        demerit_ms=demerit_ms(simulated, measured),
        exact=True,
        errors=None,
    )


class Pairing:
    """Compares simulated and measured times of the same requests, chunk by chunk.

    Memory is constant: beyond half a million requests, times go into bins.
    """

    def __init__(self) -> None:
        self._agreement = Agreement()

    def add(self, measured: Times, simulated: Times, operation: NDArray[np.uint8]) -> None:
        """Adds requests; those that lack one of the two times are left out.

        Args:
            measured: in milliseconds, not a number where unknown.
            simulated: the same.
            operation: codes of `row_labels()["operation"]`.
        """
        both = ~(np.isnan(measured) | np.isnan(simulated))
        if both.all():
            self._agreement.add(simulated, measured, operation)
        elif both.any():
            self._agreement.add(simulated[both], measured[both], operation[both])

    def groups(self) -> dict[str, Comparison] | None:
        """All, reads and writes, where there are any; None before the first request."""
        return groups_of(self._agreement.figures())


def compare_groups(
    measured: Times, simulated: Times, write: NDArray[np.bool_]
) -> dict[str, Comparison]:
    """Compares paired times: all, reads and writes, without the requests that lack a time.

    Raises:
        InputError: no request has both times.
    """
    pairing = Pairing()
    pairing.add(measured, simulated, write.astype(np.uint8) * _WRITE)
    groups = pairing.groups()
    if groups is None:
        raise InputError("nothing to compare: no request has both times")
    return groups


def compare_files(measured: Path, simulated: Path | None) -> dict[str, Comparison]:
    """Compares two results files, or the two columns of one.

    The measured times are in the column `measured_ms`, or `service_ms` where there is none; the
    simulated ones in `service_ms`. Requests pair up when both files hold the same addresses.

    Raises:
        InputError: a file or a column is missing, or there is nothing to compare.
    """
    if simulated is None:
        from platterlab.results_file import ResultsFile

        rows = ResultsFile(measured)
        return compare_groups(
            rows.numbers("measured_ms", unknown=True),
            rows.numbers("service_ms", unknown=True),
            rows.is_write(),
        )
    real = _side(measured, ["measured_ms", "service_ms"])
    model = _side(simulated, ["service_ms"])
    if _same_requests(real, model):
        return compare_groups(real.times, model.times, real.write)
    known = [side.times[~np.isnan(side.times)] for side in (real, model)]
    return {"all": unpaired(known[0], known[1])}


@dataclass(frozen=True)
class _Side:
    times: Times
    write: NDArray[np.bool_]
    lba: NDArray[np.float64] | None


def _side(path: Path, candidates: list[str]) -> _Side:
    """The first of the candidate columns that holds a time, and what distinguishes the requests."""
    from platterlab.results_file import ResultsFile

    rows = ResultsFile(path)
    usable = [name for name in candidates if name in rows.columns]
    if not usable:
        wanted = " or ".join(candidates)
        raise in_file(path, f"has no column {wanted}; it has {', '.join(rows.columns)}")
    for name in usable:
        times = rows.numbers(name, unknown=True)
        if not np.isnan(times).all():
            break
    return _Side(
        times=times,
        write=rows.is_write()
        if "operation" in rows.columns
        else np.zeros(len(times), dtype=np.bool_),
        lba=rows.numbers("lba") if "lba" in rows.columns else None,
    )


def _same_requests(real: _Side, model: _Side) -> bool:
    if len(real.times) != len(model.times):
        return False
    if real.lba is None or model.lba is None:
        return True
    return np.array_equal(real.lba, model.lba)
