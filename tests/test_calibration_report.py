"""The report of a calibration: what is in it, and that it needs no network."""

import re

import pytest

from made_up_drives import data_sheet, made_up, traced
from platterlab.cli import run

SECTIONS = (
    "Start and result",
    "The platter&#x27;s phases",
    "Seeks",
    "Off by size, sectors",
    "Off by distance, cylinders",
    "Off by zone",
    "Off by idle before it, ms",
    "What the trace tells",
    "What is not determined",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a made-up drive, calibrated from its data sheet."""
    folder = tmp_path_factory.mktemp("report")
    drive = made_up(3)
    trace = traced(drive, folder / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    (folder / "sheet.toml").write_text(data_sheet(drive).to_toml())
    sheet, target = str(folder / "sheet.toml"), folder / "report.html"
    said = ["calibrate", "-t", str(trace), "-p", sheet, "--rough", "--report", str(target)]
    assert run(said) == 0
    return target.read_text()


def test_it_has_start_and_result_and_what_is_off(page: str) -> None:
    for title in SECTIONS:
        assert f"<h2>{title}</h2>" in page, title
    assert "improved" in page
    assert page.count('<div class="chart"><svg') == 6, "drawn for print too"


def test_it_fetches_nothing(page: str) -> None:
    text = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", text)
    assert not [link for link in links if not link.startswith(("#", "data:"))]
