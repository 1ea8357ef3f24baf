"""The code of the tutorial and the how-tos runs as it stands, and links lead somewhere."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, ROOT

DOCS = ROOT / "docs"
PAGES = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<why>.*?) -->\n)?```(?P<kind>\w+)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CANNOT = {
    "needs a disk", "needs root", "needs a cluster", "needs DiskSim's files",
    "needs fio, QEMU and libnbd", "runs until Ctrl-C", "needs something that writes",
    "needs a server", "needs the sources",
}  # fmt: skip
"""Why a block may be left out; everything else runs."""
RUN, SHOWN = ("sh", "python"), ("toml", "json", "yaml")
NEEDS = {"test-on-a-slow-disk": "/dev/fuse"}
"""Without which a page cannot be run at all."""

DRIVER = """
import subprocess

SHELL = subprocess.Popen(["bash"], stdin=-1, stdout=-1, text=True)


def sh(code):
    SHELL.stdin.write(f"set -euo pipefail\\n{code}echo\\necho DONE\\n")
    SHELL.stdin.flush()
    for line in SHELL.stdout:
        if line == "DONE\\n":
            return
    raise SystemExit(f"a command failed: {code}")


"""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """What is run, in order."""
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["why"] is None:
            assert found["kind"] in (*RUN, *SHOWN), f"{page.name}: a block of {found['kind']}"
            if found["kind"] in SHOWN:
                continue
            yield found["kind"], found["code"]
        else:
            assert found["why"] in CANNOT, found["why"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_to_do_works(page, tmp_path):
    """All blocks of a page one after the other: one shell and one Python know what came before."""
    if not os.access(NEEDS.get(page.stem, "/"), os.R_OK):
        pytest.skip(f"needs {NEEDS[page.stem]}")
    bin_ = COMMAND.parent
    script = tmp_path / "all.py"
    parts = [
        f"sh({code!r})\n" if kind == "sh" else f"exec(compile({code!r}, 'the page', 'exec'))\n"
        for kind, code in blocks(page)
    ]
    script.write_text(DRIVER + "".join(parts))
    folder = tmp_path / "here"
    folder.mkdir()
    environment = {
        **os.environ, "PATH": f"{bin_}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "100",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, script], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    assert parts or page.stem in ("index", "serve-a-disk", "import-disksim")


def test_there_is_a_how_to_for_each_question():
    index = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"\]\(([\w-]+\.md)\)", index)
    assert sorted([*listed, "index.md"]) == sorted(page.name for page in PAGES[1:])
    assert len(listed) >= 12


def test_the_site_is_built_and_every_link_leads_somewhere(tmp_path):
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    folders = ["-c", "docs", "-d", tmp_path / "doctrees", ".", tmp_path / "site"]
    built = subprocess.run(
        [*command, *folders], cwd=ROOT, capture_output=True, text=True, timeout=500, check=False
    )
    assert built.returncode == 0, built.stderr
    first = (tmp_path / "site" / "docs" / "index.html").read_text(encoding="utf-8")
    for page in ("tutorial", "how-to/index", "concepts/index", "reference/index", "glossary"):
        assert f'href="{page}.html"' in first
    python = (tmp_path / "site" / "docs" / "reference" / "python-api.html").read_text("utf-8")
    for name in ("Drive", "Trace", "Experiment", "simulate", "calibrate", "sweep"):
        assert f'id="platterlab.{name}"' in python


def test_the_pictures_of_concepts_are_those_that_the_code_draws():
    sys.path.insert(0, str(DOCS))
    import pictures

    drawn = {f"{name}.png" for name in pictures.PICTURES}
    assert {one.name for one in pictures.IMAGES.iterdir()} == drawn
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "concepts").glob("*.md"))
    assert set(re.findall(r"images/concepts/([\w-]+\.png)", pages)) == drawn
