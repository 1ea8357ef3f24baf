"""Profiles of data sheets: the capacity and rates that are stated come out, the rest is marked."""

import pytest

from platterlab._core import InputError, Profile, Requests
from platterlab.datasheet import DataSheet, profile_text, size_bytes

SHEET = {
    "name": "Big", "capacity_bytes": 8 * 10**12, "speed_rpm": 7200, "surfaces": 10,
    "outer_mb_s": 240, "inner_mb_s": 110, "seek_average_ms": 8.5, "seek_full_ms": 16,
    "cache_bytes": 256 << 20,
}  # fmt: skip


def _rate_mb_s(drive: Profile, first: int) -> float:
    reads = Requests.reads(drive, [(first + number * 2048, 2048) for number in range(150)])
    done = reads.replay(drive, timing="closed")["completion_ms"]
    return 140 * 2048 * drive.sector_bytes / 1e3 / float(done[-1] - done[9])


@pytest.mark.parametrize(
    "more",
    [
        {}, {"sector_bytes": 4096}, {"surfaces": 1, "capacity_bytes": 10**12}, {"zones": 1},
        {"speed_rpm": 15_000, "capacity_bytes": 6 * 10**11, "seek_average_ms": 3.4,
         "seek_full_ms": None},
    ],
)  # fmt: skip
def test_the_capacity_is_that_of_the_label(more):
    sheet = DataSheet(**(SHEET | more))
    drive = Profile.parse(profile_text(sheet), "t")
    over = drive.capacity_sectors * drive.sector_bytes - sheet.capacity_bytes
    cylinder = sheet.surfaces * sheet.sectors_per_track()[0] * sheet.sector_bytes
    assert 0 <= over <= cylinder


def test_sequential_reads_have_the_rates_of_the_sheet():
    drive = Profile.parse(profile_text(DataSheet(**SHEET)), "t")
    assert _rate_mb_s(drive, 0) == pytest.approx(240, rel=0.01)
    assert _rate_mb_s(drive, drive.capacity_sectors - 400_000) == pytest.approx(110, rel=0.01)


def test_what_is_stated_is_published_and_what_is_not_is_assumed():
    stated = profile_text(DataSheet(**SHEET))
    assert '[provenance."seek.full_ms"]\nkind = "published"' in stated
    assert '[provenance."seek.single_ms"]\nkind = "assumed"' in stated
    without = profile_text(DataSheet(**(SHEET | {"seek_full_ms": None})))
    assert '[provenance."seek.full_ms"]\nkind = "assumed"' in without


def test_a_name_is_written_as_it_is():
    name = 'Grö "ße" \\ 💾'
    drive = Profile.parse(profile_text(DataSheet(**(SHEET | {"name": name}))), "t")
    assert (drive.id, drive.name) == ("gr-e", name)


def test_everything_that_is_wrong_is_said_at_once():
    wrong = {"surfaces": 0, "inner_mb_s": 300, "seek_full_ms": 5, "sector_bytes": 520}
    with pytest.raises(InputError) as refused:
        profile_text(DataSheet(**(SHEET | wrong)))
    said = str(refused.value)
    for option in ("--surfaces", "--inner-mb-s", "seeks: ", "--sector-bytes"):
        assert option in said


@pytest.mark.parametrize("speed_rpm", [0, -5400, float("nan"), 59])
def test_a_wrong_speed_hides_nothing_else(speed_rpm):
    wrong = {"speed_rpm": speed_rpm, "surfaces": 0, "seek_single_ms": 9, "seek_full_ms": 5}
    with pytest.raises(InputError) as refused:
        profile_text(DataSheet(**(SHEET | wrong)))
    said = str(refused.value)
    for line in ("--rpm: from 60", "--surfaces", "seeks: single 9 < average 8.5 < full 5 ms"):
        assert line in said
    alone = {"seek_average_ms": None, "seek_full_ms": None, "speed_rpm": speed_rpm}
    with pytest.raises(InputError) as refused:
        profile_text(DataSheet(**(SHEET | alone)))
    assert "seeks" not in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"capacity_bytes": 1 << 20, "zones": 64}, "--capacity: one cylinder in each zone"),
        ({"inner_mb_s": 1e-3, "zones": 1}, "--inner-mb-s: a sector"),
        ({"bus_mb_s": 0}, "--bus-mb-s: from --outer-mb-s"),
        ({"bus_mb_s": 1e308}, "--bus-mb-s: from --outer-mb-s"),
        ({"name": "\udcff"}, "--name"),
    ],
)
def test_a_drive_that_is_not_what_was_stated_is_not_made(wrong, said):
    with pytest.raises(InputError, match=said):
        profile_text(DataSheet(**(SHEET | wrong)))


def test_a_bus_that_is_not_stated_is_as_fast_as_the_media():
    fast = profile_text(DataSheet(**(SHEET | {"outer_mb_s": 700, "bus_mb_s": None})))
    assert "read_mb_s = 700\n" in fast


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8TB", 8 * 10**12),
        ("1TiB", 2**40),
        ("256M", 2**28),
        ("512", 512),
        ("1.5 GB", 1_500_000_000),
    ],
)
def test_sizes_are_as_labels_have_them(text, size):
    assert size_bytes(text, "--capacity") == size


def test_the_command_writes_a_profile_that_is_correct(run, tmp_path):
    out = tmp_path / "my.toml"
    line = ["--capacity", "8TB", "--rpm", "7200", "--surfaces", "10", "--outer-mb-s", "240"]
    assert run("profile", "new", *line, "--out", out).code == 0
    assert "correct" in run("profile", "check", out).out
    assert run("profile", "new", *line).out.startswith("id = ")
    refused = run("profile", "new", *line, "--cache", "much")
    assert (refused.code, "write a size" in refused.err) == (2, True)
    other = tmp_path / "rows.parquet"
    other.write_text("somebody's")
    refused = run("profile", "new", *line, "--out", other)
    assert (refused.code, "ends in .toml" in refused.err) == (2, True)
    assert other.read_text() == "somebody's"
