"""The rules for the project's own documents that a machine can check."""

import re
from pathlib import Path

import pytest

from test_tidy import ROOT, complain, named, text

MOST_IN_A_CHANGE = 240


def without_kernel(page: str) -> str:
    """A page without what says which kernel runs it, if it is a notebook."""
    return re.sub(r"\A---\n.*?\n---\n\n", "", page, flags=re.DOTALL)


def test_documents_have_titles():
    complain(
        [name for name in named(".md") if not without_kernel(text(name)).startswith("# ")],
        "a document begins with its title",
    )


def test_the_changelog_can_be_read():
    bullets = re.findall(r"^- (.*(?:\n  .*)*)", text("CHANGELOG.md"), re.MULTILINE)
    assert len(bullets) > 40
    complain(
        [one for one in bullets if len(" ".join(one.split())) > MOST_IN_A_CHANGE],
        f"a change is told in at most {MOST_IN_A_CHANGE} characters, as a user notices it",
    )


def test_contributing_names_files_that_are_there():
    named_there = re.findall(
        r"`((?:[\w-]+/)+[\w.-]*|[\w-]+\.(?:md|toml|lock))`", text("CONTRIBUTING.md")
    )
    made = {"out/dist"}
    assert len(named_there) > 40
    complain(
        [name for name in named_there if name not in made and not (ROOT / name).exists()],
        "CONTRIBUTING.md speaks of files that are there",
    )


def test_the_code_map_is_complete():
    architecture = ROOT / "ARCHITECTURE.md"
    if not architecture.is_file():
        pytest.skip("no ARCHITECTURE.md")
    page = architecture.read_text(encoding="utf-8")
    # A crate by its path; inside crates and package, the folders of the first level.
    wanted = {f"crates/{name.split('/')[1]}" for name in named(".rs") if name.startswith("crates/")}
    inside = re.compile(r"(?:crates/\w+/src|python/platterlab)/(\w+/)")
    wanted |= {found[1] for name in named(".rs", ".py") if (found := inside.match(name))}
    complain(
        [folder for folder in sorted(wanted) if folder not in page],
        "the code map of ARCHITECTURE.md names every folder",
    )


def test_the_modules_of_the_package_are_on_the_map():
    modules = {
        Path(name).stem
        for name in named(".py")
        if re.fullmatch(r"python/platterlab/(?!__)\w+\.py", name)
    }
    rows = re.findall(r"^\| (`.*?) \|", text("ARCHITECTURE.md"), re.MULTILINE)
    on_the_map = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(on_the_map) == sorted(modules), "the table of modules in ARCHITECTURE.md"


def test_style_sheets_say_what_they_are():
    complain(
        [name for name in named(".css") if not re.match(r"/\* [A-Z]", text(name))],
        "a style sheet begins with a comment that says what it is",
    )
