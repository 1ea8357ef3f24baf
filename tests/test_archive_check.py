"""`archive check` and `archive add`: what may not be shared is found, and left out of the copy."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet
import pytest

from platterlab.measure import samples
from platterlab.measure.bundle import Bundle

# No one machine's: put together, so that no file of the tree names a folder of somebody.
HOME = "/" + "home" + "/alice"
SERIAL = "WD-WCC4E1234567"


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A bundle as it should be."""
    from platterlab import cli

    place = tmp_path_factory.mktemp("sound")
    assert cli.run(["characterize", "mock", "--quick", "--out", str(place / "bundle")]) == 0
    return place / "bundle"


@pytest.fixture
def bundle(sound, tmp_path):
    shutil.copytree(sound, tmp_path / "bundle")
    return tmp_path / "bundle"


def described(folder: Path, shift_ps: int = 0, **device: object) -> Path:
    """The bundle as if of another device, and of other samples where times are shifted."""
    bundle = Bundle(folder)
    runs = [
        samples.Run(
            run.plan,
            run.end,
            run.error,
            {
                name: values + shift_ps if name.endswith("_ps") else values
                for name, values in run.columns.items()
            },
        )
        for run in bundle.runs()
    ]
    environment = bundle.environment()
    environment["device"] |= device
    options = environment["options"]
    samples.write(bundle.path("samples.parquet"), runs, options)
    bundle.write_json("environment.json", environment)
    bundle.seal(samples.fingerprint(runs), "complete")
    return folder


def of_a_disk(folder: Path, serial: str | None, model: str = "WDC WD10", shift_ps: int = 0) -> Path:
    facts = [["kind", "block device"], ["path", "/dev/sdb"], ["vendor", "ATA"], ["model", model]]
    if serial is not None:
        facts.append(["serial", serial])
    return described(folder, shift_ps, name="/dev/sdb", facts=facts)


def everything(folder: Path) -> str:
    """All texts of a folder, and what the samples say of themselves."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".parquet"
    ]
    for path in folder.rglob("*.parquet"):
        texts.append(str(pyarrow.parquet.read_schema(path).metadata))
    return "\n".join(texts)


def problems(ran) -> list[tuple[str, str]]:
    assert ran.code == 1, ran.err
    told = json.loads(ran.out)
    assert told["ok"] is False
    return [
        (one["kind"], f"{one['where']}: {one['what']}")
        for checked in told["checked"]
        for one in checked["problems"]
    ] + [(one["kind"], f"{one['where']}: {one['what']}") for one in told["stray"]]


def test_a_good_bundle_is_good(run, bundle):
    told = run("archive", "check", bundle, "--json").json()
    (one,) = told["checked"]
    assert (told["ok"], told["stray"], one["problems"]) == (True, [], [])
    assert (one["values_agree"], one["model"], one["serial_hash"]) == (True, "Mock disk", None)
    said = run("archive", "check", bundle)
    assert said.out.startswith(f"ok   {one['bundle']}  Mock disk (simulated)\n")
    assert "cannot be recognised" in said.out
    assert said.out.endswith("1 bundle, 0 bad\n")


def test_a_value_that_the_samples_do_not_say_is_found(run, bundle):
    extraction = json.loads((bundle / "extraction.json").read_text())
    extraction["rotation_ms"]["value"] *= 1.001
    extraction["sectors_per_track"]["status"] = "ambiguous"
    Bundle(bundle).write_json("extraction.json", extraction)
    Bundle(bundle).seal(Bundle(bundle).id, "complete")
    found = problems(run("archive", "check", bundle, "--json"))
    assert [kind for kind, _ in found] == ["values", "values"]
    assert "rotation_ms.value: is 8.341" in found[0][1]
    assert "sectors_per_track.status: is 'ambiguous'; the samples say 'ok'" in found[1][1]
    assert run("archive", "check", bundle, "--no-values").code == 0


def test_what_another_version_read_otherwise_is_a_note(run, bundle):
    extraction = json.loads((bundle / "extraction.json").read_text())
    extraction["platterlab"], extraction["rotation_ms"]["value"] = "0.0.9", 8.0
    Bundle(bundle).write_json("extraction.json", extraction)
    Bundle(bundle).seal(Bundle(bundle).id, "complete")
    (one,) = run("archive", "check", bundle, "--json").json()["checked"]
    assert one["values_agree"] is False
    assert any("read by 0.0.9" in note and "rotation_ms" in note for note in one["notes"])


def test_a_bundle_from_before_the_simulated_drive_was_kept_is_good(run, bundle):
    extraction = json.loads((bundle / "extraction.json").read_text())
    del extraction["model"]
    Bundle(bundle).write_json("extraction.json", extraction)
    Bundle(bundle).seal(Bundle(bundle).id, "complete")
    assert run("archive", "check", bundle, "--json").json()["ok"] is True


def spoil_checksum(folder: Path) -> None:
    (folder / "profile.toml").write_text("id = 7\n")


def spoil_profile(folder: Path) -> None:
    spoil_checksum(folder)
    Bundle(folder).seal(Bundle(folder).id, "complete")


def take_samples(folder: Path) -> None:
    (folder / "samples.parquet").unlink()


def other_id(folder: Path) -> None:
    Bundle(folder).seal("0" * 12, "complete")


def link(folder: Path) -> None:
    (folder / "report.html").rename(folder.parent / "elsewhere.html")
    (folder / "report.html").symlink_to(folder.parent / "elsewhere.html")


def link_manifest(folder: Path) -> None:
    (folder / "manifest.json").rename(folder.parent / "elsewhere.json")
    (folder / "manifest.json").symlink_to(folder.parent / "elsewhere.json")


def add_file(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def make_executable(folder: Path) -> None:
    (folder / "tracks.csv").write_text("a\n")
    (folder / "profile.toml").chmod(0o755)
    (folder / "tracks.csv").unlink()


def unfinished(folder: Path) -> None:
    (folder / "manifest.json").unlink()


FAULTS = {
    spoil_checksum: ("damaged", "profile.toml: is not as it was left"),
    spoil_profile: ("damaged", "profile.toml"),
    take_samples: ("damaged", "samples.parquet: is missing"),
    other_id: ("damaged", "not those of bundle 000000000000"),
    link: ("damaged", "report.html: is not a regular file"),
    link_manifest: ("damaged", "manifest.json: is a link"),
    add_file: ("stray", "notes.txt: is not named by the manifest"),
    make_executable: ("stray", "profile.toml: is executable"),
    unfinished: ("damaged", "holds no complete measurement"),
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
def test_each_fault_is_told_at_its_place(run, bundle, spoil):
    kind, said = FAULTS[spoil]
    spoil(bundle)
    found = problems(run("archive", "check", bundle, "--json"))
    assert [one for one, _ in found] == [kind]
    assert said in found[0][1]
    text = run("archive", "check", bundle)
    assert text.code == 1
    assert "bad  " in text.out
    assert said in text.out


def test_whose_it_is_is_found_and_left_out(run, bundle, tmp_path):
    facts = [
        ["kind", "block device"],
        ["path", "/dev/sdb"],
        ["model", "WDC WD10"],
        ["serial", SERIAL],
        ["wwid", "naa.50014ee2b1234567"],
        ["backing_file", f"{HOME}/disk & co.img"],
    ]
    environment = json.loads((bundle / "environment.json").read_text())
    environment["options"]["target"] = f"/dev/disk/by-id/ata-WDC_WD10_{SERIAL}"
    environment["host"]["hostname"] = "alices-laptop"
    environment["inputs"] = [{"what": "profile", "path": f"{HOME}/my.toml", "bytes": 1}]
    Bundle(bundle).write_json("environment.json", environment)
    report = bundle / "report.html"
    page = report.read_text().replace("</body>", f"<p>{HOME}/disk &amp; co.img</p></body>")
    report.write_text(page)
    described(bundle, facts=facts, name=f"/dev/disk/by-id/ata-WDC_WD10_{SERIAL}")
    found = problems(run("archive", "check", bundle, "--json"))
    assert {kind for kind, _ in found} == {"personal"}
    said = "\n".join(text for _, text in found)
    for place in (
        "environment.json: device.name:",
        "environment.json: device.facts.serial:",
        "environment.json: device.facts.wwid:",
        "environment.json: device.facts.backing_file:",
        "environment.json: host.hostname:",
        "environment.json: options.target:",
        "environment.json: inputs.0.path:",
        "samples.parquet: target:",
        "report.html: line ",
    ):
        assert place in said, place
    for secret in (SERIAL, "alices-laptop", HOME):
        assert secret not in said
    assert "`archive add` leaves what says whose it is out" in run("archive", "check", bundle).out

    home = ("--archive", tmp_path / "archive")
    added = run("archive", "add", bundle, *home, "--json").json()
    assert len(added["left_out"]) == len(found)
    kept = everything(Path(added["folder"]))
    for secret in (SERIAL, "alices-laptop", HOME, "50014ee2b1234567", "by-id"):
        assert secret not in kept, secret
    assert "/dev/sdb" in kept
    assert "disk &amp; co.img" in kept
    assert run("archive", "check", *home).code == 0
    assert run("archive", "check", added["folder"]).code == 0
    assert added["bundle"] == Bundle(bundle).id


def test_nothing_is_changed_where_nothing_is_left_out(run, bundle, tmp_path):
    added = run("archive", "add", bundle, "--archive", tmp_path / "archive", "--json").json()
    assert added["left_out"] == []
    for path in bundle.iterdir():
        assert (Path(added["folder"]) / path.name).read_bytes() == path.read_bytes()


def test_a_drive_is_recognised_by_its_serial_number_and_no_more(run, sound, tmp_path):
    home = ("--archive", tmp_path / "archive")
    added = []
    for number, serial in enumerate(("S1", "S1", "S2", None)):
        folder = of_a_disk(shutil.copytree(sound, tmp_path / str(number)), serial, shift_ps=number)
        added.append(run("archive", "add", folder, *home, "--json").json())
    hashes = [one["serial_hash"] for one in added]
    assert hashes[0] == hashes[1] != hashes[2]
    assert hashes[3] is None
    assert [one["duplicates"] for one in added] == [[], [added[0]["bundle"]], [], []]
    assert len(added[3]["same_model"]) == 3
    told = run("archive", "list", *home, "--json").json()
    (model,) = told["models"]
    assert (model["model"], model["simulated"]) == ("WDC WD10", False)
    assert (model["drives"], model["measurements"], model["not_recognised"]) == (2, 4, 1)
    duplicates = {one["bundle"]: one["duplicates"] for one in told["bundles"]}
    assert duplicates[added[0]["bundle"]] == [added[1]["bundle"]]
    assert duplicates[added[3]["bundle"]] == []
    assert "2 drives" in run("archive", "list", *home).out

    again = of_a_disk(shutil.copytree(sound, tmp_path / "again"), "S2", shift_ps=9)
    said = run("archive", "check", again, *home, "--no-values")
    assert said.code == 1, "a serial number in plain text"
    assert f"the same drive was measured before: {added[2]['bundle']}" in said.out
    said = run("archive", "add", again, *home)
    assert f"the same drive was measured before: {added[2]['bundle']}" in said.out
    twin = run("archive", "check", tmp_path / "3", *home, "--no-values")
    assert "its samples are in the archive already" in twin.out


def test_an_archive_is_checked_whole(run, bundle, tmp_path):
    folder = tmp_path / "archive"
    home = ("--archive", folder)
    added = run("archive", "add", bundle, *home, "--json").json()
    assert (folder / ".gitattributes").read_text().splitlines()[1] == "* -text"
    (folder / "README.md").write_text("# Our drives\n")
    assert run("archive", "check", *home).code == 0
    shutil.copytree(added["folder"], folder / "123456789abc")
    bad = shutil.copytree(added["folder"], folder / "bbbbbbbbbbbb")
    (bad / "profile.toml").write_text("")
    (folder / "notes.txt").write_text("")
    (folder / "empty").mkdir()
    (folder / "elsewhere").symlink_to(bundle)
    (folder / ".0123.7.partial").mkdir()
    found = problems(run("archive", "check", folder, "--json"))
    assert sorted(kind for kind, _ in found) == ["damaged", "damaged", "name", *["stray"] * 4]
    said = run("archive", "check", *home)
    totals, unread = said.out.splitlines()[-2:]
    assert totals == "4 bundles, 3 bad, 4 stray files"
    assert unread == "values of 4 bundles were not compared with samples: use --values"
    assert f"ok   {added['bundle']}" in said.out


def test_what_may_not_be_read_is_told_and_the_rest_goes_on(run, bundle, tmp_path, monkeypatch):
    home = ("--archive", tmp_path / "archive")
    added = run("archive", "add", bundle, *home, "--json").json()
    closed = tmp_path / "archive" / "0123456789ab"
    shutil.copytree(added["folder"], closed)
    read_bytes = Path.read_bytes

    def refused(path: Path) -> bytes:
        if path.parent == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refused)
    ran = run("archive", "check", *home)
    assert ran.code == 1
    assert f"ok   {added['bundle']}" in ran.out
    assert "manifest.json: Permission denied" in ran.out
    listed = run("archive", "list", *home, "--json").json()
    assert [one["bundle"] for one in listed["bundles"]] == [added["bundle"]]
    assert "Permission denied" in listed["bad"][0]["problem"]


def test_an_empty_archive_is_no_fault(run, tmp_path):
    (tmp_path / "archive").mkdir()
    told = run("archive", "check", tmp_path / "archive", "--json").json()
    assert (told["ok"], told["checked"], told["stray"]) == (True, [], [])


@pytest.mark.parametrize("name", ["there-is-none", "file"])
def test_what_is_no_folder_is_bad_input(run, tmp_path, name):
    (tmp_path / "file").write_text("")
    for line in (
        ["archive", "check", tmp_path / name],
        ["archive", "check", "--archive", tmp_path / name],
    ):
        ran = run(*line)
        assert (ran.code, ran.out) == (2, "")
        assert name in ran.err
        assert ran.err.count("\n") == 1
