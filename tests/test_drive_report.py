"""The report of a measured drive: what is in it, and that it needs no network."""

import re
from pathlib import Path

import pytest

from conftest import silent
from platterlab.measure import Job, Target, characterize


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the UltraStar."""
    out = tmp_path_factory.mktemp("report") / "ultrastar"
    return characterize(Job(Target("ibm-ultrastar-xp"), out), silent).bundle.path("report.html")


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a file, behind which mostly nothing turns."""
    folder = tmp_path_factory.mktemp("file")
    (folder / "image").write_bytes(bytes(1 << 20))
    job = Job(Target(str(folder / "image")), folder / "out")
    return characterize(job, silent).bundle.path("report.html")


def test_every_value_is_in_it(page):
    text = page.read_text()
    for word in (
        "MTM point: 48 sectors",
        "track skew 0.86",
        "cylinder skew 2.17",
        "one boundary in 18",
        "184 a track",
        "head switch time",
        "quadratic",
        "angles as simulated, %",
        "Zones, outermost first",
        "Measured and simulated",
        "Angles",
        "Order of tracks",
        "least 2.3",
        "Made by",
    ):
        assert word in text, word
    assert text.count('<div class="chart"><svg') == 6, "drawn for print too"


def test_it_fetches_nothing(page):
    text = re.sub(r"<script.*?</script>", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", text)
    assert not [link for link in links if not link.startswith(("#", "data:"))]


def test_a_page_of_nothing_says_so(nothing):
    text = nothing.read_text()
    assert "mostly nothing turns behind a file or a loop device" in text
    assert "Answers" in text
