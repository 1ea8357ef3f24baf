"""The study of Gim et al.: its rows are there and hold."""

import re
import sys
from pathlib import Path

import pytest

from platterlab import studies
from platterlab.cli import study as command
from platterlab.studies import Request
from study_rules import complaints
from test_study_tables import shown

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "docs"))

import validation  # noqa: E402 (stands beside the pages it writes)

WANTED = {
    *(f"table-2/disk{number}" for number in range(1, 6)),
    "disk1/aligned_sectors",
    "disk1/mean_response_ms",
    "disk1/mean_error",
    *(
        f"figure-5/{size}/{part}"
        for size in ("512k", "1024k")
        for part in ("disk", "allocator", "both")
    ),
    *(f"figure-5/model{model}/{size}" for model in (1, 2, 3) for size in ("512k", "1024k")),
    "figure-2/original_max_sessions",
    "figure-2/aligned_max_sessions",
    *(f"{what}/change" for what in ("start-up", "buffers")),
    *(f"rest/{disk}/{size}" for disk in ("original", "aligned") for size in ("512k", "4096k")),
    *(
        f"{rate}/{disk}_streams"
        for rate in ("mp3", "mpeg2", "hdtv")
        for disk in ("original", "aligned")
    ),
    "hdtv/more_streams",
    "rest/longer",
    "cache/gain_512k",
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    request = Request(
        out=tmp_path_factory.mktemp("gim"), data=None, seed=0, progress=lambda _what, _share: None
    )
    return studies.find("gim").run(request)


def test_every_row_is_there_and_none_is_off_for_no_reason(outcome):
    rows = {row.id: row for row in outcome.rows}
    assert rows.keys() >= WANTED
    assert outcome.unexplained == []
    page = ROOT / "docs" / "validation" / "gim.md"
    made = validation.page(studies.find("gim"), outcome)
    assert page.read_text(encoding="utf-8") == made, "run `docs/validation.py gim`"
    assert complaints(row.to_json() for row in outcome.rows) == []


def test_what_was_put_in_or_chosen_with_the_result_known_says_so(outcome):
    rows = {row.id: row.verdict for row in outcome.rows}
    put_in = [f"table-2/disk{number}" for number in range(1, 6)]
    put_in += ["disk1/sectors", "disk1/aligned_sectors", "figure-2/original_max_sessions"]
    assert {rows[name] for name in put_in} == {"by construction"}
    assert rows["disk1/mean_response_ms"] == "fitted"
    printed = {row.id: row.paper for row in outcome.rows}
    assert printed["disk1/mean_response_ms"] == 27.74, "the drive's; 27.61 is the paper's model's"
    assert rows["figure-5/512k/both"] in {"fitted", "not reproduced"}


def test_every_gain_of_figure_5_says_how_sure_it_is(outcome):
    gains = [row for row in outcome.rows if row.id.startswith("figure-5/")]
    assert len(gains) > 30
    assert [row.id for row in gains if not row.interval] == []


@pytest.mark.parametrize("size", ["512k", "1024k"])
def test_most_of_the_gain_is_the_file_systems(outcome, size):
    rows = {row.id: row.ours for row in outcome.rows}
    disk, allocator, both = (
        rows[f"figure-5/{size}/{part}"] for part in ("disk", "allocator", "both")
    )
    assert 0 < 3 * disk < allocator < both
    assert (1 + both / 100) == pytest.approx((1 + disk / 100) * (1 + allocator / 100), rel=1e-9)
    assert both == rows[f"figure-5/model3/{size}"]


def test_the_third_model_gains_most(outcome):
    rows = {row.id: row.ours for row in outcome.rows}
    for size, chance_points in (("512k", 0.5), ("1024k", 0.0)):
        first, second, third = (rows[f"figure-5/model{model}/{size}"] for model in (1, 2, 3))
        assert third > second - chance_points
        assert second > first > 0


def test_more_fragmentation_gains_more(outcome):
    rows = {row.id: row.ours for row in outcome.rows}
    for size in ("512k", "1024k"):
        curve = [rows[f"figure-5/model3/{size}/{share}pct"] for share in (5, 10, 15, 20, 25)]
        assert curve == sorted(curve)


def test_every_row_shows_its_number_at_80_columns(outcome, capsys):
    told = shown(outcome, capsys)
    assert max(map(len, told.splitlines())) <= 80
    assert "…" not in told
    numbers = re.findall(r"-?[\d,]+\.?\d*", told)
    for row in outcome.rows:
        assert command.short(row.ours) in numbers, row.id


def test_every_figure_is_drawn(outcome):
    assert [path.stem for path in outcome.figures] == [
        "figure-1",
        "figure-2",
        "figure-3",
        "figure-4",
        "buffers",
        "figure-5",
        "later-drives",
    ]
    assert all(path.stat().st_size > 5_000 for path in outcome.figures)
