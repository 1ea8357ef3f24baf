"""`platterlab characterize` on simulated drives: the bundle, resumption, faults, bad input."""

import errno
import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from conftest import COMMAND, silent
from platterlab import InputError, Profile, library
from platterlab.measure import Bundle, Job, Target, characterize, samples
from platterlab.measure.outcome import MeasurementError

FILES = {
    "environment.json",
    "extraction.json",
    "manifest.json",
    "profile.toml",
    "report.html",
    "samples.parquet",
}


@pytest.fixture(autouse=True)
def _plain_report(monkeypatch):
    """Drawing takes seconds, and test_drive_report.py looks at it."""

    def build(_found, bundle, *_about):
        bundle.path("report.html").write_text("drawn")

    monkeypatch.setattr("platterlab.report.drive.build", build)


def measured(target: str, out: Path, **options: object):
    return characterize(Job(Target(target, **options), out), silent)


def near(found: dict, name: str, truth: float, share: float = 0.01) -> bool:
    return abs(found[name]["value"] / truth - 1.0) <= share


def test_a_simulated_drive_leaves_a_bundle(run, tmp_path):
    said = run("characterize", "hp-97560", "--out", tmp_path / "hp", "--json").json()
    assert said["status"] == "complete"
    # Movements do not tell these two apart.
    told = (
        "The order of tracks is not known: the profile assumes cylinder-serpentine, which may as "
        "well be traditional."
    )
    assert said["warnings"] == [told]
    values = said["values"]
    assert values["surfaces"]["value"] == 19
    assert values["sectors_per_track"]["value"] == 72
    assert near(values, "rotation_ms", 60_000 / 4002, 1e-5)
    assert near(values, "track_skew_ms", 8 / 72 * 60_000 / 4002)
    assert {path.name for path in (tmp_path / "hp").iterdir()} == FILES
    bundle = Bundle(tmp_path / "hp")
    assert bundle.check() == []
    assert bundle.id == said["bundle"] == samples.fingerprint(bundle.runs())


def test_the_loop_closes(tmp_path):
    first = measured("ibm-ultrastar-xp", tmp_path / "one")
    assert first.profile is not None
    second = measured(str(first.profile), tmp_path / "two", seed=3)
    assert second.status == "complete"
    for name, estimate in first.extraction.items():
        # The spikes tell the switch to within a sector time, and the jitter is the host's.
        if not isinstance(estimate, dict) or name in (
            "spikes_head_switch_ms",
            "jitter_ms",
            "self_check",
            "layout",
            "model",
            # Of writes, the transfer hides some; the profile has what reads show.
            "head_switch_ms",
            "cylinder_switch_ms",
        ):
            continue
        assert near(second.extraction, name, estimate["value"]), name
    models = [outcome.extraction["model"] for outcome in (first, second)]
    by_reads, again = ([it["head_switch_ms"], it["seeks"][0]["seek_ms"]] for it in models)
    assert by_reads == pytest.approx(again, abs=0.02)
    counts = [
        [zone["sectors_per_track"]["value"] for zone in outcome.extraction["zones"]]
        for outcome in (first, second)
    ]
    assert counts[0] == counts[1] == [184, 180, 168, 156, 148, 142, 134, 120]


def test_the_profile_says_where_each_value_comes_from(tmp_path):
    outcome = measured("dec-rz26", tmp_path / "rz")
    text = outcome.profile.read_text()
    shown = Profile.parse(text, "profile.toml").facts()
    origins = {value["key"]: value for value in shown["values"]}
    rotation = origins["spindle.rotation_ms"]
    assert rotation["kind"] == "measured"
    assert outcome.bundle.id in rotation["from"]
    low, high = rotation["ci95"]
    assert low < rotation["value"] < high
    assert origins["zone[0].order"]["kind"] == "assumed"
    assert shown["derived"]["capacity_sectors"] == library.load("dec-rz26").capacity_sectors


def test_a_drive_of_any_name_has_a_profile(tmp_path):
    """DEL stands in JSON as it is and in TOML by its number alone; a file's name is not an id."""
    drive = tmp_path / "grö--ße (2).toml"
    text = library.load("mock").to_toml()
    drive.write_text(
        re.sub("(?m)^name = .*$", r'name = "odd \\u007f 💾 \\"drive\\""', text, count=1)
    )
    outcome = measured(str(drive), tmp_path / "out", quick=True)
    assert outcome.profile is not None
    made = library.load(str(outcome.profile))
    assert (made.id, made.name) == ("measured-gr-e-2", 'odd \x7f 💾 "drive", measured')


def test_a_measured_profile_simulates(run, tmp_path):
    measured("dec-rz26", tmp_path / "rz", quick=True)
    trace = tmp_path / "arrivals.trace"
    trace.write_text("".join(f"{40 * i} 0 {7919 * i} 8 {i % 2}\n" for i in range(200)))
    profile = tmp_path / "rz" / "profile.toml"
    assert run("simulate", "-p", profile, "-t", trace, "--json").code == 0


def test_the_same_seed_gives_the_same_samples(tmp_path):
    ids = [measured("mock", tmp_path / name, quick=True).bundle.id for name in "ab"]
    assert ids[0] == ids[1]
    assert measured("mock", tmp_path / "c", quick=True, seed=1).bundle.id != ids[0]


def test_a_recording_gives_the_same_values(run, tmp_path):
    assert run("characterize", "hp-97560", "--out", tmp_path / "hp").code == 0
    again = run("characterize", tmp_path / "hp", "--out", tmp_path / "again", "--json").json()
    first = Bundle(tmp_path / "hp")
    assert again["bundle"] == first.id
    assert Bundle(tmp_path / "again").extraction() == first.extraction()


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"errors_from": 700}, "input/output error"),
        ({"gone_from": 700}, "the device is gone"),
        ({"shrink": (700, 100)}, "it shrank"),
        ({"short_at": 700}, "bytes moved"),
    ],
)
def test_a_failing_device_loses_no_samples(tmp_path, faults, message):
    whole = measured("mock", tmp_path / "whole", quick=True)
    with pytest.raises(MeasurementError, match=message) as raised:
        measured("mock", tmp_path / "broken", quick=True, faults=faults)
    found = re.search(r"([0-9,]+) samples are kept", str(raised.value))
    assert found
    kept = int(found[1].replace(",", ""))
    # That it shrank shows at the first request for what is gone.
    assert kept > 700 if "shrink" in faults else kept == 700
    assert "--resume" in str(raised.value)
    resumed = Job(Target("mock", quick=True), tmp_path / "broken", resume=True)
    outcome = characterize(resumed, silent)
    assert outcome.bundle.id == whole.bundle.id
    assert outcome.extraction == whole.extraction


def test_a_full_disk_loses_no_samples(tmp_path, monkeypatch):
    write, left = samples.write, [3]

    def until_full(path, runs):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, runs)

    monkeypatch.setattr(samples, "write", until_full)
    with pytest.raises(MeasurementError, match=r"No space left on device(.|\n)*--resume"):
        measured("mock", tmp_path / "full", quick=True)
    monkeypatch.undo()
    assert len(Bundle(tmp_path / "full").runs()) == 3
    resumed = Job(Target("mock", quick=True), tmp_path / "full", resume=True)
    assert characterize(resumed, silent).status == "complete"


def test_an_interruption_keeps_the_samples(tmp_path):
    """A file of the page cache's speed: broken off by SIGINT, and gone on with."""
    image = tmp_path / "image"
    image.write_bytes(bytes(1 << 20))
    out = tmp_path / "out"
    slow = [COMMAND, "characterize", "ibm-dtta", "--out", out]
    process = subprocess.Popen(slow, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out / "runs" / "0003.parquet").is_file() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("it was done before the signal came")
    assert process.returncode == 130
    assert "--resume" in said
    done = subprocess.run([*slow, "--resume", "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["status"] == "complete"


def test_resuming_asks_for_the_same_options(run, tmp_path):
    with pytest.raises(MeasurementError):
        measured("mock", tmp_path / "out", quick=True, faults={"gone_from": 500})
    ran = run("characterize", "mock", "--quick", "--seed", 9, "--resume", "--out", tmp_path / "out")
    assert ran.code == 2
    assert "was begun with seed 0, not 9" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hp-97650"], "did you mean hp-97560"),
        (["./nothing"], "no such file or device"),
        (["hp-97560", "--noise", "loud"], "write `typical` or `off`"),
        (["hp-97560", "--noise", "loud", "--dry-run"], "write `typical` or `off`"),
        (["hp-97560", "--region", "0:1k"], "are for real devices"),
        (["image", "--region", "12"], "START:LENGTH"),
        (["image", "--region", "0:0"], "at least one sector"),
        (["image", "--write"], "say where it may be written"),
        (["image", "--region", "0:8G"], "is not on its"),
        (["image", "--i-will-lose-data", "image"], "without --write"),
        (["empty"], "is not a bundle"),
        (["."], ".: is not a bundle"),
        (["zzz"], "`platterlab profile list` has all"),
        (["97560"], "did you mean hp-97560"),
        (["hp-97560", "--write", "--read-only"], "exclude each other"),
    ],
)
def test_bad_input_is_told(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("image").write_bytes(bytes(1 << 20))
    Path("empty").mkdir()
    ran = run("characterize", *arguments, "--out", "out")
    assert ran.code == 2, ran.err
    assert message in ran.err
    assert not Path("out").exists()


def test_a_folder_in_use_is_not_touched(run, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes").write_text("mine")
    ran = run("characterize", "mock", "--quick", "--out", tmp_path / "out")
    assert ran.code == 2
    assert "name another folder" in ran.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes"]


def test_a_changed_bundle_is_told(tmp_path):
    outcome = measured("mock", tmp_path / "out", quick=True)
    profile = outcome.bundle.path("profile.toml")
    profile.write_text(profile.read_text().replace("surfaces = 15", "surfaces = 16"))
    assert "checksum differs" in outcome.bundle.check()[0]


def test_the_archive_keeps_and_compares(run, tmp_path):
    home = ("--archive", tmp_path / "archive")
    ids = []
    for seed in (0, 1):
        measured("mock", tmp_path / str(seed), quick=True, seed=seed)
        ids.append(run("archive", "add", tmp_path / str(seed), *home, "--json").json()["bundle"])
    assert run("archive", "add", tmp_path / "0", *home).code == 2
    listed = run("archive", "list", *home, "--json").json()["bundles"]
    assert {entry["bundle"] for entry in listed} == set(ids)
    rows = run("archive", "compare", *ids, *home, "--json").json()["values"]
    tracks = next(row for row in rows if row["key"] == "sectors_per_track")
    assert tracks["first"] == tracks["second"] == 150
    assert tracks["differs"] is False
    assert run("archive", "compare", "zz", ids[0], *home).code == 2


def test_an_empty_bundle_is_no_target():
    with pytest.raises(InputError):
        Bundle(Path("nowhere")).environment()


def test_zones_that_are_not_sure_are_said_so():
    from platterlab.cli.characterized import _zones_line

    def zone(begins: str, count: str) -> dict[str, object]:
        estimate = {"value": 90.0, "ci95": [90.0, 90.0], "method": "", "note": ""}
        known = {"first_lba": {**estimate, "status": begins}}
        known["sectors_per_track"] = {**estimate, "status": count}
        return {**known, "surface_sectors_per_track": []}

    sure, begins, both = zone("ok", "ok"), zone("ambiguous", "ok"), zone("ambiguous", "ambiguous")
    assert _zones_line([sure, sure]) == "zones: 2; sectors per track 90, 90"
    assert _zones_line([sure, begins]).startswith("zones: 2 (1 of them ambiguous); ")
    assert _zones_line([begins, both]).startswith("zones: 2 (all ambiguous); ")
