"""A process flow of a device of 512-byte sectors on larger drives of 4,096-byte ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

import recorded_capture
from conftest import Ran
from platterlab.results_file import ResultsFile
from test_flow_bad_input import COMPUTE_NS, HEADER, Record, end, flow, process

SECTORS = 1_000_000
"""Of the flow's device: more than the larger drive has, whose sectors are larger."""
READ_BLOCK, WRITE_BLOCK, SYNCHRONOUS = 25, 26, 0
DATA_SHEET = (
    "--rpm", 7200, "--surfaces", 2, "--outer-mb-s", 200, "--sector-bytes", 4096,
)  # fmt: skip
TRACED, OF_512_BYTES, OF_4096_BYTES = "compress", "hp-97560", "toshiba-hdwe150"


def read(lba: int, sectors: int) -> Record:
    return (READ_BLOCK, 0, COMPUTE_NS, lba, sectors)


def write(lba: int, sectors: int) -> Record:
    return (WRITE_BLOCK, 0, COMPUTE_NS, lba, sectors, SYNCHRONOUS)


@pytest.fixture
def run_flow(run: Callable[..., Ran], tmp_path: Path) -> Callable[..., Ran]:
    """Runs a flow that reads and writes odd places, on a drive of a capacity."""
    device = HEADER["device"] | {"sectors": SECTORS}
    steps = [read(4, 16), write(7, 2), write(8, 8), read(80, 1), write(87, 1)]
    made = flow(process(0), *steps, end(0), header=HEADER | {"device": device})
    (tmp_path / "run.flow").write_bytes(made)

    def ran(capacity: str, *more: object, geometry: str = "") -> Ran:
        drive = tmp_path / "drive.toml"
        new = run("profile", "new", "--capacity", capacity, *DATA_SHEET, "--out", drive)
        assert new.code == 0, new.err
        drive.write_text(drive.read_text().replace("[geometry]", f"[geometry]\n{geometry}"))
        return run("simulate", tmp_path / "run.flow", "-p", drive, *more)

    return ran


def places(rows: Path) -> list[tuple[int, int, str]]:
    """Where the requests of a drive lie, and what they do."""
    table = ResultsFile(rows)
    columns = (table.numbers("lba"), table.numbers("sectors"), table.words("operation"))
    return [(int(lba), int(sectors), word) for lba, sectors, word in zip(*columns, strict=True)]


def test_every_sector_is_touched_that_a_request_has_a_byte_of(
    run_flow: Callable[..., Ran], tmp_path: Path
) -> None:
    rows = tmp_path / "rows.parquet"
    ran = run_flow("1GB", "--per-request", rows, "--json").json()
    assert places(rows) == [
        (0, 3, "read"), (0, 2, "write"), (1, 1, "write"), (10, 1, "read"), (10, 1, "write"),
    ]  # fmt: skip
    assert (ran["offered"], ran["served"]) == (5, 5)
    assert ran["runs"][0]["report"]["commands"]["partial_writes"] == 2


def test_the_summary_tells_of_writes_of_a_part_of_a_sector(run_flow: Callable[..., Ran]) -> None:
    ran = run_flow("1GB")
    assert ran.code == 0, ran.err
    assert "2 writes of a part of a sector" in " ".join(ran.out.split())


def test_a_smaller_drive_is_refused_by_its_bytes(run_flow: Callable[..., Ran]) -> None:
    ran = run_flow("500MB")
    assert (ran.code, ran.out) == (2, "")
    assert "1000000 sectors of 512 bytes (512.0 MB)" in " ".join(ran.err.split())
    assert "take a larger drive" in " ".join(ran.err.split())


def test_a_drive_that_takes_no_part_of_a_sector_is_refused(run_flow: Callable[..., Ran]) -> None:
    ran = run_flow("1GB", geometry="logical_sector_bytes = 4096")
    assert (ran.code, ran.out) == (2, "")
    assert "takes only whole sectors of 4096 bytes" in " ".join(ran.err.split())


def test_a_captured_run_replays_on_a_larger_drive(run: Callable[..., Ran], tmp_path: Path) -> None:
    captured, _ = recorded_capture.convert(TRACED, tmp_path)
    found = {}
    for drive in (OF_512_BYTES, OF_4096_BYTES):
        rows = tmp_path / f"{drive}.parquet"
        ran = run("simulate", captured, "-p", drive, "--model", "open", "--per-request", rows)
        assert ran.code == 0, ran.err
        found[drive] = places(rows)
    small, large = found[OF_512_BYTES], found[OF_4096_BYTES]
    assert len(small) == len(large) > 50
    assert large == [
        (lba // 8, -(-(lba + sectors) // 8) - lba // 8, word) for lba, sectors, word in small
    ]
