"""What goes with a release: who wrote what, how to cite it, and what a tag sets off."""

import re
import subprocess
import sys
import tomllib

import yaml

from conftest import ROOT

MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))


def test_the_licences_of_all_parts_are_listed():
    checked = subprocess.run(
        [sys.executable, "docs/licences.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr
    page = (ROOT / "LICENCES.md").read_text(encoding="utf-8")
    assert "| ? |" not in page
    assert "None" not in page
    for name in ("pyo3", "rayon", "numpy", "pyarrow", "altair", "distributed"):
        assert f"| {name} |" in page
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "LICENCES.md" in project["license-files"]


def test_a_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == MANIFEST["workspace"]["package"]["version"]
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert cited["license"] == ["Apache-2.0", "MIT"]


def test_a_tag_builds_tries_and_publishes():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    # YAML 1.1 takes the key `on` for a truth value.
    flow = yaml.safe_load(text)
    assert flow[True]["push"]["tags"] == ["v*"]
    jobs = flow["jobs"]
    targets = {one["target"] for one in jobs["wheels"]["strategy"]["matrix"]["include"]}
    for system in ("x86_64-unknown-linux", "aarch64-unknown-linux", "apple-darwin", "windows"):
        assert any(system in target for target in targets), system
    assert set(jobs["publish"]["needs"]) == {"wheels", "sdist"}
    tested = set(re.findall(r"-p (platterlab-\w+)", text))
    members = {f"platterlab-{path.name}" for path in (ROOT / "crates").iterdir()}
    assert tested
    assert tested <= members


def test_wheels_reach_the_glibc_that_is_stated():
    """Zig links against it: the compiler of most machines asks for a newer one."""
    oldest = "2_28"
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`manylinux_{oldest}`" in contributing
    assert f"--compatibility manylinux_{oldest}" in (ROOT / "Makefile").read_text(encoding="utf-8")
    flow = yaml.safe_load(
        (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    )
    wheels = flow["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    assert {one["manylinux"] for one in wheels if "linux" in one["target"]} == {oldest}


def test_a_wheel_is_pressed_as_hard_wherever_it_is_made():
    for made in (ROOT / "Makefile", ROOT / ".github" / "workflows" / "release.yml"):
        assert "--compression-level 9 " in made.read_text(encoding="utf-8"), made


def test_a_wheel_and_an_install_are_held_to_what_is_promised():
    """5 MB and 250 MB, of a million bytes each, wherever they are made."""
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"wc -c < dist/\*\.whl\)\" -le (\d+)", release) == ["5000000"]
    assert re.findall(r"^WHEEL_BYTES := (\d+)$", makefile, re.M) == ["5000000"]
    assert 'test "$$(wc -c < $$wheel)" -le $(WHEEL_BYTES)' in makefile
    assert re.findall(r"du -s --block-size=(\d+) alone.*-le (\d+)", release) == [("1000000", "250")]
