"""`archive publish`: the same bytes, nothing of others' run or replaced, statuses as they are."""

import json
import os
import re
import shutil
from html import escape
from pathlib import Path

import pytest

from conftest import here
from platterlab.measure.bundle import Bundle

HOSTILE = "<!--<script>alert(1)</script><b title='\"&"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """An archive of two models: one measured twice, at one place and over the whole drive."""
    from platterlab import cli

    place = tmp_path_factory.mktemp("archive")
    for name, line in {
        "quick": ["hp-c2200a", "--quick"],
        "mock": ["mock", "--quick"],
        "whole": ["hp-c2200a"],
    }.items():
        assert cli.run(["characterize", *line, "--out", str(place / name)]) == 0
        assert cli.run(["archive", "add", str(place / name), "--archive", str(place / "a")]) == 0
    return place / "a"


@pytest.fixture
def copy(archive, tmp_path):
    return Path(shutil.copytree(archive, tmp_path / "archive"))


def publish(run, archive: Path, site: Path, *more: str) -> dict:
    return run("archive", "publish", site, "--archive", archive, *more, "--json").json()


@pytest.fixture(scope="module")
def published(archive, tmp_path_factory) -> tuple[dict, Path]:
    """What is said of the archive's site, and the site, which no test changes."""
    site = tmp_path_factory.mktemp("published") / "site"
    ran = here("archive", "publish", site, "--archive", archive, "--json")
    return json.loads(ran.stdout), site


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def changed(bundle: Path, **device: object) -> None:
    environment = json.loads((bundle / "environment.json").read_text())
    environment["device"] |= device
    Bundle(bundle).write_json("environment.json", environment)
    sealed(bundle)


def sealed(folder: Path) -> None:
    """Its checksums are those of what it holds now, as of a bundle that somebody made up."""
    bundle = Bundle(folder)
    bundle.seal(bundle.id, bundle.manifest().status)


def without_scripts(page: str) -> str:
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_site_has_an_index_and_a_page_for_each_model(published):
    told, site = published
    assert (told["models"], told["measurements"], told["drives"], told["bad"]) == (2, 3, 0, [])
    pages = [name for name in told["files"] if name.startswith("model-")]
    reports = [name for name in told["files"] if name.startswith("report-")]
    assert (len(pages), len(reports)) == (2, 3)
    assert {path.name for path in site.iterdir()} == {
        *told["files"],
        "platterlab-site.json",
    }
    index = (site / "index.html").read_text()
    for word in ("HP C2200A (simulated)", "Mock disk (simulated)", 'type="search"', "<svg"):
        assert word in index
    links = re.findall(r'href="([^"]*)"', without_scripts(index))
    assert sorted(links) == sorted(pages)
    (page,) = (name for name in pages if "c2200a" in name)
    text = (site / page).read_text()
    for title in ("Zone map", "Bandwidth", "Seek curve", "Rotation, skews and switches"):
        assert f"<h2>{title}</h2>" in text
    assert "unsupported" in text, "what the quick measurement did not look for"
    for name in re.findall(r'href="([^"]*)"', without_scripts(text)):
        assert (site / name).is_file(), name


def test_a_bandwidth_that_is_not_the_medias_is_called_so(published):
    _, site = published
    slowed = {page.name for page in site.glob("*.html") if "not the media" in small(page)}
    (model,) = (page.name for page in site.glob("model-*.html") if "HP C2200A" in page.read_text())
    assert slowed == {"index.html", model}


def small(page: Path) -> str:
    """What a page says below its values."""
    return " ".join(re.findall(r"<small>(.*?)</small>", page.read_text()))


def test_the_same_archive_makes_the_same_bytes(run, archive, published, tmp_path):
    publish(run, archive, tmp_path / "other")
    assert texts(published[1]) == texts(tmp_path / "other")


def test_nothing_is_fetched_and_no_place_is_told(archive, published):
    for path in published[1].glob("*.html"):
        page = path.read_text()
        links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", without_scripts(page))
        assert not [link for link in links if ":" in link or link.startswith("/")]
        assert str(archive) not in page
        if path.name.startswith("report-"):
            assert page.index("Content-Security-Policy") < page.index("<style>")
            assert "default-src 'none'" in page


def test_names_from_bundles_are_text(run, copy, tmp_path):
    for bundle in copy.iterdir():
        if bundle.is_dir():
            facts = [["model", HOSTILE], ["firmware", HOSTILE], ["kind", "block device"]]
            changed(bundle, facts=facts, name=HOSTILE)
            environment = json.loads((bundle / "environment.json").read_text())
            environment["started"] = environment["platterlab"] = HOSTILE
            Bundle(bundle).write_json("environment.json", environment)
            sealed(bundle)
    told = publish(run, copy, tmp_path / "site", "--no-reports")
    assert (told["models"], told["measurements"]) == (1, 3)
    for name in told["files"]:
        page = (tmp_path / "site" / name).read_text()
        for part in ("<!--", "<script>alert", "<b title", "</script><b"):
            assert part not in page.replace("<!doctype", "")
        assert escape(HOSTILE) in page


def test_a_device_without_a_name_is_shown(run, copy, tmp_path):
    for bundle in copy.iterdir():
        if bundle.is_dir():
            changed(bundle, facts=[["kind", "file"]], name="")
    told = publish(run, copy, tmp_path / "site", "--no-reports")
    assert (told["models"], told["measurements"]) == (1, 3)
    assert "model not known: no name" in (tmp_path / "site" / "index.html").read_text()


LARGE = {"value": 1e308, "status": "ok", "ci95": [1e308, -1e308]}
DRAWN = {
    "zones": [{"sectors_per_track": {"value": 1e300, "status": "ok"}}],
    "seeks": [{"distance_sectors": 1e18, "seek_ms": -1e18, "half_width_ms": -1e18}],
    "outer_mib_s": LARGE,
    "inner_mib_s": {"value": 1e-300, "status": "ambiguous", "ci95": [-1e18, 1e18]},
    "seek_min_ms": {"value": -4.0, "status": "ok"},
    "rotation_ms": {"value": 0.0, "status": "ok"},
    "track_skew_ms": {"value": None, "status": "ok"},
}
REFUSED = {
    "rates": [{"lba": -1, "sectors_per_ms": 1.0}],
    "seeks": [{"distance_sectors": 1, "seek_ms": 1e300, "half_width_ms": 0}],
    "pieces": [{"first_lba": 0, "first_track": 0, "cycles": 1, "sectors": []}],
}
STRANGE = [DRAWN, *({key: value} for key, value in REFUSED.items())]


@pytest.mark.parametrize("strange", STRANGE, ids=["drawn", *REFUSED])
def test_strange_values_are_drawn_or_told(run, copy, tmp_path, strange):
    first = next(path.parent for path in copy.glob("*/profile.toml") if "Mock" in path.read_text())
    for path in copy.iterdir():
        if path.is_dir() and path != first:
            shutil.rmtree(path)
    extraction = json.loads((first / "extraction.json").read_text())
    Bundle(first).write_json("extraction.json", extraction | strange)
    sealed(first)
    told = publish(run, copy, tmp_path / "site", "--no-reports")
    assert (told["measurements"], len(told["bad"])) == ((1, 0) if strange is DRAWN else (0, 1))
    for name in told["files"]:
        page = (tmp_path / "site" / name).read_text()
        data = re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
        for one in data:
            json.loads(one, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


@pytest.mark.usefixtures("undrawn")
def test_a_bad_bundle_is_told_and_the_rest_is_shown(run, copy, tmp_path):
    (first, *_) = sorted(path for path in copy.iterdir() if path.is_dir())
    (first / "extraction.json").write_text("[]")
    told = publish(run, copy, tmp_path / "site")
    assert (told["measurements"], len(told["bad"])) == (2, 1)
    index = (tmp_path / "site" / "index.html").read_text()
    assert "Left out, as they are not sound" in index
    assert str(copy) not in index
    said = run("archive", "publish", tmp_path / "site", "--archive", copy)
    assert "left out, bad: " in said.out


@pytest.mark.usefixtures("undrawn")
def test_what_is_not_as_it_was_left_is_not_shown(run, copy, tmp_path):
    (first, *_) = sorted(path for path in copy.iterdir() if path.is_dir())
    extraction = json.loads((first / "extraction.json").read_text())
    extraction["rotation_ms"]["value"] *= 1.01
    Bundle(first).write_json("extraction.json", extraction)
    told = publish(run, copy, tmp_path / "site", "--no-reports")
    assert (told["measurements"], len(told["bad"])) == (2, 1)
    assert "checksum differs" in told["bad"][0]["problem"]
    listed = run("archive", "list", "--archive", copy, "--json").json()
    assert [Path(one["folder"]) for one in listed["bad"]] == [first]
    sealed(first)
    assert publish(run, copy, tmp_path / "site", "--no-reports")["bad"] == []


def test_a_bundle_is_no_archive(run, copy, tmp_path):
    (first, *_) = sorted(path for path in copy.iterdir() if path.is_dir())
    said = run("archive", "publish", tmp_path / "site", "--archive", first)
    assert said.code == 2
    assert "is a bundle; an archive is a folder of bundles" in said.err


def test_a_bundle_of_a_later_format_is_not_read(run, copy):
    (first, *_) = sorted(path for path in copy.iterdir() if path.is_dir())
    manifest = json.loads((first / "manifest.json").read_text())
    Bundle(first).write_json("manifest.json", manifest | {"schema_version": 99})
    said = run("archive", "check", copy)
    assert said.code == 1
    assert "schema_version 99: this version of platterlab reads 1" in said.out


@pytest.mark.usefixtures("undrawn")
def test_what_is_gone_from_the_archive_goes_from_the_site(run, copy, tmp_path):
    site = tmp_path / "site"
    before = publish(run, copy, site)
    (site / "CNAME").write_text("drives.example\n")
    mock = next(path for path in copy.glob("*/profile.toml") if "Mock" in path.read_text())
    shutil.rmtree(mock.parent)
    after = publish(run, copy, site)
    gone = set(before["files"]) - set(after["files"])
    assert len(gone) == 2
    assert {path.name for path in site.iterdir()} == {
        *after["files"], "platterlab-site.json", "CNAME",
    }  # fmt: skip


def test_a_folder_of_others_is_not_written_into(run, archive, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "thesis.tex").write_text("mine")
    ran = run("archive", "publish", site, "--archive", archive)
    assert (ran.code, ran.out) == (2, "")
    assert "holds something else" in ran.err
    assert texts(site) == {"thesis.tex": b"mine"}


@pytest.mark.usefixtures("undrawn")
def test_a_file_of_others_in_the_site_stays(run, archive, tmp_path):
    site = tmp_path / "site"
    told = publish(run, archive, site, "--no-reports")
    report = f"report-{next(path.name for path in sorted(archive.iterdir()) if path.is_dir())}.html"
    (site / report).write_text("mine")
    ran = run("archive", "publish", site, "--archive", archive)
    assert (ran.code, ran.out) == (2, "")
    assert f"{report}: is not of the site" in ran.err
    assert (site / report).read_text() == "mine"
    assert (site / "index.html").is_file()
    assert len(told["files"]) == 3


@pytest.mark.usefixtures("undrawn")
def test_a_marker_removes_nothing_but_pages(run, archive, tmp_path):
    site, mine = tmp_path / "site", tmp_path / "model-mine.html"
    mine.write_text("mine")
    publish(run, archive, site, "--no-reports")
    marker = site / "platterlab-site.json"
    marked = json.loads(marker.read_text())
    marked["files"] += ["../model-mine.html", str(mine), "notes.txt"]
    marker.write_text(json.dumps(marked))
    (site / "notes.txt").write_text("mine")
    publish(run, archive, site, "--no-reports")
    assert mine.read_text() == (site / "notes.txt").read_text() == "mine"


@pytest.mark.usefixtures("undrawn")
def test_a_page_that_is_a_link_is_replaced_and_not_followed(run, archive, tmp_path):
    site, mine = tmp_path / "site", tmp_path / "mine"
    mine.write_text("mine")
    publish(run, archive, site, "--no-reports")
    (site / "index.html").unlink()
    (site / "index.html").symlink_to(mine)
    publish(run, archive, site, "--no-reports")
    assert mine.read_text() == "mine"
    assert not (site / "index.html").is_symlink()


@pytest.mark.usefixtures("undrawn")
def test_a_report_that_is_a_link_is_not_shown(run, copy, tmp_path):
    (tmp_path / "secret").write_text("secret")
    for report in copy.glob("*/report.html"):
        report.unlink()
        report.symlink_to(tmp_path / "secret")
    told = publish(run, copy, tmp_path / "site")
    assert not [name for name in told["files"] if name.startswith("report-")]


def test_an_empty_archive_has_an_empty_site(run, tmp_path):
    (tmp_path / "archive").mkdir()
    told = publish(run, tmp_path / "archive", tmp_path / "site")
    assert (told["models"], told["files"]) == (0, ["index.html"])
    assert (
        "There is no measurement in this archive yet."
        in (tmp_path / "site" / "index.html").read_text()
    )


def test_bad_input_is_one_message(run, archive, tmp_path):
    (tmp_path / "file").write_text("")
    for line, said in (
        ([tmp_path / "site", "--archive", tmp_path / "none"], "there is no archive"),
        ([tmp_path / "site", "--archive", tmp_path / "file"], "is a file"),
        ([tmp_path / "file", "--archive", archive], "is a file"),
        ([archive / "site", "--archive", archive], "lies in the input"),
        ([archive, "--archive", archive], "is the input"),
    ):
        ran = run("archive", "publish", *line)
        assert (ran.code, ran.out) == (2, ""), line
        assert said in ran.err
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "site").exists()
    assert not (archive / "site").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_without_permission_it_says_so(run, archive, tmp_path):
    site = tmp_path / "site"
    site.mkdir(mode=0o500)
    ran = run("archive", "publish", site, "--archive", archive)
    assert (ran.code, ran.out) == (2, "")
    assert "you may not write" in ran.err
