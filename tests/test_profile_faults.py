"""`profile check` and `profile edit`: all that is wrong at once, each at its place."""

import json
import os

import pytest

from conftest import command
from platterlab import library

DRIVE = "hp-c2200a"


@pytest.fixture
def wrong(tmp_path):
    """A profile with three faults on three lines, and where they are."""
    lines = library.text_of(DRIVE).splitlines()
    places = {}
    for number, line in enumerate(lines):
        key = line.partition("=")[0].strip()
        for name, value in (
            ("speed_rpm", "-1"),
            ("sector_bytes", '"many"'),
            ("sectors_per_track", "0"),
        ):
            if key == name and name not in places:
                lines[number] = f"{key} = {value}"
                places[name] = number + 1
    path = tmp_path / "wrong.toml"
    path.write_text("\n".join(lines) + "\n")
    assert len(places) == 3
    return path, sorted(places.values())


def test_all_faults_are_told_at_once_in_the_order_of_their_lines(run, wrong):
    path, lines = wrong
    checked = run("profile", "check", path, "--json")
    assert checked.code == 2
    (told,) = json.loads(checked.out)["profiles"]
    assert [int(one.split(", line ")[1].split(",")[0]) for one in told["errors"]] == lines
    assert told["error"] == told["errors"][0]
    text = run("profile", "check", path).out.replace("\n", "")
    assert all(f", line {line}, " in text for line in lines)


def test_overrides_are_told_of_together():
    drive = library.load(DRIVE)
    told = drive.faults_with({"zone[0].sectors_per_track": 1.5, "spindle.speed_rpm": "fast"})
    assert len(told) == 2
    assert all(any(key in one for one in told) for key in ("zone[0]", "spindle.speed_rpm"))
    assert drive.faults_with({"spindle.speed_rpm": 5400}) == []


def test_a_correct_edit_is_written_and_a_wrong_one_is_not(run, tmp_path):
    mine = tmp_path / "mine.toml"
    made = run("profile", "edit", DRIVE, "--set", "spindle.speed_rpm=5400", "--out", mine)
    assert (made.code, library.load(str(mine)).facts()["derived"]["rotation_ms"]) == (
        0,
        pytest.approx(60_000 / 5400),
    )
    before = mine.read_text()
    ran = run("profile", "edit", mine, "--set", "spindle.speed_rpm=-1", "--set", "seek.kind=odd")
    assert ran.code == 2
    assert "spindle.speed_rpm" in ran.err
    assert "seek.kind" in ran.err
    assert mine.read_text() == before
    assert "--out" in run("profile", "edit", DRIVE).err


def test_an_editor_changes_a_profile_that_keeps_its_comments(run, tmp_path, monkeypatch):
    mine = tmp_path / "mine.toml"
    mine.write_text("# mine\n" + library.text_of(DRIVE))
    monkeypatch.setenv("VISUAL", "sed -i s/^speed_rpm.*/speed_rpm=5400/")
    assert run("profile", "edit", mine).code == 0
    assert mine.read_text().startswith("# mine\n")
    rotation_ms = library.load(str(mine)).facts()["derived"]["rotation_ms"]
    assert rotation_ms == pytest.approx(60_000 / 5400)
    monkeypatch.setenv("VISUAL", "no-such-editor")
    ran = run("profile", "edit", mine)
    assert (ran.code, "EDITOR" in ran.err) == (2, True)
    monkeypatch.setenv("VISUAL", "'vi")
    ran = run("profile", "edit", mine)
    assert (ran.code, "VISUAL: 'vi: a quote is not closed" in ran.err) == (2, True)


def test_without_a_terminal_an_editor_has_to_be_named(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(library.text_of(DRIVE))
    none_named = {**os.environ, "VISUAL": "", "EDITOR": "", "TMPDIR": str(tmp_path)}
    ran = command("profile", "edit", mine, env=none_named)
    assert (ran.returncode, "vi needs a terminal; name an editor" in ran.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == [mine]
