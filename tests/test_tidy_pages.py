"""The rules for the project's own documents that a machine can check."""

import re

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
