"""Maps of tracks: `platterlab characterize --tracks`."""

import csv
import json

import pytest

from platterlab import library
from platterlab._core import tracks

DISK1 = "samsung-120g-disk1"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return tmp_path_factory.mktemp("tracks") / "bundle"


@pytest.fixture(scope="module")
def mapped(bundle):
    from platterlab.measure.outcome import Job
    from platterlab.measure.run import characterize
    from platterlab.measure.target import Target

    return characterize(Job(Target(DISK1, tracks="fast"), bundle), lambda *_: None)


def test_a_map_has_every_track_and_the_layout(mapped, bundle):
    found = mapped.to_json()["map"]
    assert mapped.status == "complete"
    assert found["tracks"] == 4 * 52_949
    assert abs(found["track_switch_pct"]["value"] - 14.13) < 0.01
    layout = found["layout"]
    assert layout["class"]["value"] == "seek-first"
    assert layout["surfaces"]["value"] == 4
    assert layout["serpentine_cylinders"]["value"] == 512
    assert layout["seek_direction"]["value"] == "forward"
    assert "hybrid-serpentine" in layout["order"]["alternatives"]
    assert len(found["zones"]) == 16
    assert found["seen_tracks"] < 2_000
    assert 0.0 < found["most_missed_pct"] < 1.0
    assert not (bundle / "profile.toml").exists()


def test_the_table_of_tracks_is_true(mapped, bundle):
    profile = library.load(DISK1)
    table = mapped.bundle.path("tracks.csv")
    rows = list(csv.DictReader(table.read_text().splitlines()))
    firsts = [int(row["first_lba"]) for row in rows]
    true = tracks(profile, firsts)
    assert true["track_first_lba"].tolist() == firsts
    lengths = [int(row["sectors_per_track"]) for row in rows]
    assert true["track_data_sectors"].tolist() == lengths
    assert "Lengths of tracks" in (bundle / "report.html").read_text()


def test_a_map_is_read_again_from_its_samples(mapped, bundle, run, tmp_path):
    again = run("characterize", bundle, "--out", tmp_path / "again", "--json").json()
    assert again["map"] == mapped.to_json()["map"]
    assert again["bundle"] == mapped.bundle.id


def test_a_file_has_no_tracks_and_says_so(run, tmp_path):
    image = tmp_path / "image"
    image.write_bytes(bytes(16 << 20))
    result = run("characterize", image, "--tracks", "every", "--out", tmp_path / "b", "--json")
    found = result.json()
    assert found["status"] == "unsupported"
    assert any("no rotation" in sentence.lower() for sentence in found["warnings"])
    assert image.read_bytes() == bytes(16 << 20)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tracks", "slow"), "write `every` or `fast`"),
        (("--tracks", "fast", "--write"), "only reads"),
        (("--tracks", "fast", "--quick"), "only reads"),
    ],
)
def test_wrong_options_are_refused(run, options, said):
    result = run("characterize", "hp-97560", *options)
    assert result.code == 2
    assert said in result.err


def test_the_dry_run_says_what_it_would_read(run):
    found = json.loads(run("characterize", DISK1, "--tracks", "fast", "--dry-run", "--json").out)
    assert found["requests"] > 0
    assert found["steps"] == [f"read {DISK1} in the simulator; change no file"]
