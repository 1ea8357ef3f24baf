"""The pages of validation: one a study, each claim on the first; coverage names rows there are."""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from platterlab import studies

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "validation"
sys.path.append(str(ROOT / "docs"))

import validation  # noqa: E402 (stands beside the pages it writes)


def ids(study: str) -> set[str]:
    """The rows of a study's page."""
    page = (PAGES / f"{study}.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))


def test_every_study_has_a_page_and_every_claim_a_line_of_it():
    first = (PAGES / "README.md").read_text(encoding="utf-8")
    lines = validation._lines(first)
    assert validation.overview(lines) == first
    for name in studies.names():
        assert ids(name), name
        assert f"({name}.md)" in first
    for claim in validation.claims():
        assert claim.row in ids(claim.study), claim
        assert claim.row in lines[claim.what], claim


def test_the_first_page_is_a_screen():
    assert len((PAGES / "README.md").read_text(encoding="utf-8").splitlines()) <= 50


def test_coverage_names_rows_that_there_are():
    text = (PAGES / "coverage.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## .*?\(`([\w-]+)`\)$(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert len(sections) == 4
    for study, section in sections:
        known = ids(study)
        for line in re.findall(r"^\| (?!in the paper|---)(.*) \|$", section, re.MULTILINE):
            said = line.rsplit(" | ", 1)[1]
            named = re.findall(r"`([^`]+)`", said)
            if said.startswith(("none: ", "none yet")):
                continue
            assert named, line
            for name in named:
                pattern = re.sub(r"<[^>]*>", "*", name.replace("...", "*"))
                assert any(fnmatchcase(row, pattern) for row in known), (study, name)
