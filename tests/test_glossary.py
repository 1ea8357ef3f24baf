"""The glossary: every key, word, column and flag that it names is one of the program's."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
HEADS = ("| word ", "|---")


def rows() -> list[list[str]]:
    """The cells of each line of the glossary's tables."""
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    tables = [line for line in lines if line.startswith("|") and not line.startswith(HEADS)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in tables]


def named(mark: str) -> list[str]:
    return re.findall(rf"\b{mark} `([^`]+)`", "\n".join(row[-1] for row in rows()))


def missing(names: list[str], text: str) -> list[str]:
    """Names whose last key, where `*` stands for any ending, is not a word of a text."""
    assert names
    last = {name: re.escape(name.split(".")[-1].removesuffix("[]")) for name in names}
    ends = r"(?![\w-])"
    return [
        name
        for name, key in last.items()
        if not re.search(rf"(?<![\w-]){key.replace(chr(92) + '*', '[a-z_]*')}{ends}", text)
    ]


def test_every_line_has_its_cells():
    assert all(len(row) == 4 and all(row[:3]) for row in rows())


def test_no_word_stands_twice():
    words = [word for row in rows() for word in row[0].split(", ")]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("mark", "page"), [("P", "profile.md"), ("E", "experiment.md"), ("R", "results.md")]
)
def test_what_it_names_stands_in_the_reference(mark, page):
    words = re.findall(r"`[^`\n]+`", (REFERENCE / page).read_text(encoding="utf-8"))
    assert not missing(named(mark), "\n".join(words))


def test_its_flags_are_those_of_the_commands():
    flags = re.findall(r"`(--[a-z-]+)`", "\n".join(row[-1] for row in rows()))
    assert not missing(flags, (REFERENCE / "commands.md").read_text(encoding="utf-8"))


def test_its_measured_values_are_those_of_an_extraction():
    source = ROOT / "crates" / "extract" / "src" / "extraction.rs"
    assert not missing(named("X"), source.read_text(encoding="utf-8"))


def test_its_figures_are_printed():
    figures = ("error_figures.rs", "cpu.rs")
    sources = [path for path in (ROOT / "crates").rglob("src/**/*.rs") if path.name in figures]
    assert not missing(named("F"), "\n".join(path.read_text(encoding="utf-8") for path in sources))


QUOTING = "docs/validation/"
"""Pages that quote what programs print, and so keep to the first of the two lists alone."""


def refused(page: str) -> dict[str, str]:
    """Each word that a page does not use, with the one that it does."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    listed = glossary.partition("## Words that pages do not use")[2]
    if page.startswith(QUOTING):
        listed = listed.partition("\nThese are refused in all")[0]
    lines = re.findall(r"^- \*\*(.+?)\*\*.*?, not (.*(?:\n  .*)*)", listed, re.MULTILINE)
    return {
        word.lower(): right for right, words in lines for word in re.findall(r"`([^`]+)`", words)
    }


def prose(page: str) -> str:
    """A page without its code, line by line; what commands print of themselves is prose."""
    blocks = r"^```(?!text)[^`\n]*\n.*?^```$|^\$.*?$"
    page = re.sub(blocks, lambda code: re.sub(r".", " ", code[0]), page, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", " ", page)


def found_in(page: str, name: str = "README.md") -> list[str]:
    """The lines of a page that have a word which is refused, be it over the end of a line."""
    words = refused(name)
    either = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    found = [
        (page[: one.start()].count("\n") + 1, " ".join(one[0].split()))
        for one in re.finditer(rf"(?<!there )\b(?:{either})\b", page, re.IGNORECASE)
    ]
    return [f"{line}: {word!r}, say {words[word.lower()]!r}" for line, word in found]


def test_pages_use_the_first_column():
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    pages = [name for name in listed if not name.startswith(("docs/notes/", "docs/glossary.md"))]
    assert len(pages) > 50
    wrong = [
        f"{name}:{line}"
        for name in pages
        for line in found_in(prose((ROOT / name).read_text(encoding="utf-8")), name)
    ]
    assert not wrong, "\n".join(wrong)


def test_it_sees_whole_words_in_prose_alone():
    assert found_in(prose("It waits A Turn.\n")) == ["1: 'A Turn', say 'revolution'"]
    assert found_in(prose("\n```text\nit goes on\n```\n")) == ["3: 'goes on', say 'continues'"]
    assert found_in("It is no file.")
    assert not found_in("There is no file.")
    assert found_in("as DiskSim\nhas it") == ["1: 'DiskSim has it', say 'according to'"]
    assert found_in("No read tells of it.") == ["1: 'tells of', say 'reported'"]
    assert not found_in("No read tells of it.", QUOTING + "gim.md")
    assert found_in("It goes on.", QUOTING + "gim.md")
    assert not found_in(prose("`a turn` a turning point\n```sh\nhangs on\n```\n"))
