"""The study of DiskSim's drives, where their files lie."""

from pathlib import Path

import numpy as np
import pytest

from platterlab import data, studies
from platterlab._core import InputError, demerit_ms
from platterlab.calibration.outcome import judged
from platterlab.studies import Request
from platterlab.studies.disksim_validation.binned import binned_demerit_ms
from platterlab.studies.disksim_validation.drives import DRIVES, FOLDER, Measured
from platterlab.studies.disksim_validation.edge import find_edge, scattered
from platterlab.studies.disksim_validation.rows import drive_rows
from platterlab.studies.disksim_validation.runs import run_drive

FILES = data.folder()


def _quiet(_what: str, _share: float) -> None:
    pass


def test_without_the_files_it_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="DiskSim's drives"):
        studies.find("disksim-validation").run(Request(None, None, 0, _quiet))


@pytest.mark.skipif(FILES is None, reason="no measured traces")
def test_all_that_is_missing_or_damaged_is_said_before_anything_is_fitted(tmp_path: Path) -> None:
    assert FILES is not None
    for path in (FILES / FOLDER).rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(FILES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(path)
    folder = tmp_path / FOLDER
    (folder / "cheetah9LP.model").unlink()
    cut = {
        "barracuda.trace": (FILES / FOLDER / "barracuda.trace").read_bytes()[: 47 * 5000],
        "atlas_III.trace": b"garbage",
        "reference-output/atlas10k.perreq.txt.gz": (
            FILES / FOLDER / "reference-output" / "atlas10k.perreq.txt.gz"
        ).read_bytes()[:5000],
    }
    for name, content in cut.items():
        (folder / name).unlink()
        (folder / name).write_bytes(content)
    with pytest.raises(InputError) as raised:
        studies.find("disksim-validation").run(Request(None, tmp_path, 0, _quiet))
    said = str(raised.value).splitlines()
    assert len(said) == 4, said
    for line, words in zip(
        said,
        ("atlas10k.perreq", "atlas_III.trace", "barracuda.trace", "`cheetah9LP.model`"),
        strict=True,
    ):
        assert words in line


def test_a_turn_missed_is_counted_once() -> None:
    measured = np.full(100, 6.0)
    simulated = measured.copy()
    simulated[:4] += [8.0, -7.9, 4.0, 16.0]
    figures = judged(simulated, measured, 8.0)
    assert figures["slipped_revolution"] == pytest.approx(0.02)
    assert figures["within_0.25_ms"] == pytest.approx(0.96)


def test_the_scatter_near_the_edge_is_found_and_makes_as_many_slips() -> None:
    turn_ms, scatter_ms, shift_ms, count = 8.0, 0.15, 0.05, 40_000
    rng = np.random.default_rng(4)
    latency_ms = rng.uniform(0, turn_ms, count)
    latency_ms[::4] = 0.0  # answered by the buffer
    later_ms = rng.normal(shift_ms, scatter_ms, count)
    turns = (later_ms > latency_ms).astype(int) - (later_ms < latency_ms - turn_ms)
    turns[latency_ms == 0] = 0
    strays = rng.random(count) < 0.002
    simulated_ms = rng.uniform(1, 12, count) + latency_ms
    measured_ms = simulated_ms + np.where(strays, 1, turns) * turn_ms
    edge = find_edge(simulated_ms, measured_ms, latency_ms, turn_ms)
    assert edge.scatter_ms == pytest.approx(scatter_ms, rel=0.1)
    assert edge.shift_ms == pytest.approx(shift_ms, abs=0.02)
    assert edge.strays == pytest.approx(0.001, rel=0.5)
    left = scattered(simulated_ms[:5_000], latency_ms[:5_000], turn_ms, edge.scatter_ms, 1)
    # Half a normal distribution's mean deviation passes either edge.
    expected = 0.75 * 2 * scatter_ms / np.sqrt(2 * np.pi) / turn_ms
    assert left.slipped.mean() == pytest.approx(expected, rel=0.12)
    slipped_ms = simulated_ms[:5_000] + turns[:5_000] * turn_ms
    assert left.demerit_ms.min() < demerit_ms(simulated_ms[:5_000], slipped_ms)
    assert left.demerit_ms.max() > np.median(left.demerit_ms) > left.demerit_ms.min() > 0


@pytest.mark.skipif(FILES is None, reason="no measured traces")
@pytest.mark.parametrize("which", DRIVES, ids=lambda which: which.name)
def test_the_binned_demerit_is_the_published_one(which: Measured) -> None:
    assert FILES is not None
    disksim = which.disksim_ms(FILES)
    measured = which.requests(FILES).columns()["service_ms"][: len(disksim)]
    # The published figures are rounded, the Barracuda's upwards by a thousandth.
    assert binned_demerit_ms(disksim, measured) == pytest.approx(which.demerit_ms, abs=0.0015)


@pytest.mark.skipif(
    FILES is None or not (FILES / FOLDER / "atlas10k.trace").is_file(), reason="no measured traces"
)
def test_the_unseen_half_of_a_real_drive_is_predicted() -> None:
    assert FILES is not None
    which = next(drive for drive in DRIVES if drive.name == "atlas-10k")
    drive = run_drive(which, FILES, 0, _quiet)
    assert drive.found.angles is not None
    rows = {row.id: row for row in drive_rows(drive)}
    assert all(row.within is not False for row in rows.values())
    prefix = "atlas-10k/calibrated-unseen"
    assert rows[f"{prefix}/demerit_ms"].ours < 0.08
    assert rows[f"{prefix}/median_abs_error_ms"].ours < 0.03
    assert rows[f"{prefix}/within_0.25_ms"].ours > 0.96
    assert drive.found.reading.gap == "before"
