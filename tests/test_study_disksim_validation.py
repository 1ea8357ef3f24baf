"""The study of DiskSim's drives, where their files lie."""

import numpy as np
import pytest

from platterlab import data, studies
from platterlab._core import InputError, Requests
from platterlab.calibrate.outcome import judged
from platterlab.studies import Request
from platterlab.studies.disksim_validation.binned import binned_demerit_ms
from platterlab.studies.disksim_validation.drives import DRIVES, FOLDER, Measured
from platterlab.studies.disksim_validation.rows import drive_rows
from platterlab.studies.disksim_validation.runs import FORMAT, run_drive

FILES = data.folder()


def _quiet(_what: str, _share: float) -> None:
    pass


def test_without_the_files_it_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="DiskSim's drives"):
        studies.find("disksim-validation").run(Request(None, None, 0, _quiet))


def test_a_turn_missed_is_counted_once() -> None:
    measured = np.full(100, 6.0)
    simulated = measured.copy()
    simulated[:4] += [8.0, -7.9, 4.0, 16.0]
    figures = judged(simulated, measured, 8.0)
    assert figures["slipped_revolution"] == pytest.approx(0.02)
    assert figures["within_0.25_ms"] == pytest.approx(0.96)


@pytest.mark.skipif(FILES is None, reason="no measured traces")
@pytest.mark.parametrize("which", DRIVES, ids=lambda which: which.name)
def test_the_binned_demerit_is_the_published_one(which: Measured) -> None:
    assert FILES is not None
    trace = Requests.load(str(which.trace(FILES)), FORMAT, options={"gap": "after"})
    disksim = which.disksim_ms(FILES)
    measured = trace.columns()["service_ms"][: len(disksim)]
    # The published figures are rounded, the Barracuda's upwards by a thousandth.
    assert binned_demerit_ms(disksim, measured) == pytest.approx(which.demerit_ms, abs=0.0015)


@pytest.mark.skipif(
    FILES is None or not (FILES / FOLDER / "atlas10k.trace").is_file(), reason="no measured traces"
)
def test_the_unseen_half_of_a_real_drive_is_foretold() -> None:
    assert FILES is not None
    which = next(drive for drive in DRIVES if drive.name == "atlas-10k")
    drive = run_drive(which, FILES, 0, _quiet)
    assert drive.found.angles is not None
    rows = {row.id: row for row in drive_rows(drive, drive.found.angles.rotation_ms)}
    assert all(row.within is not False for row in rows.values())
    prefix = "atlas-10k/calibrated-unseen"
    assert rows[f"{prefix}/demerit_ms"].ours < 0.08
    assert rows[f"{prefix}/median_abs_error_ms"].ours < 0.03
    assert rows[f"{prefix}/within_0.25_ms"].ours > 0.96
    assert drive.found.reading.gap == "before"
