"""What the help texts of the program say: its commands, and what each takes."""

import contextlib
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from unittest import mock

from platterlab import cli

WIDE = {"COLUMNS": "2000", "NO_COLOR": "1", "TERM": "dumb"}
"""With so many columns every option stands on one line."""


@dataclass(frozen=True)
class Taken:
    """An option or an argument."""

    name: str
    kind: str
    about: str
    required: bool

    @property
    def is_flag(self) -> bool:
        return self.name.startswith("-") and self.kind == "<bool>"

    @property
    def is_output(self) -> bool:
        """Whether it names what the command writes, as far as the help tells."""
        return re.search(OUTPUT, self.about) is not None

    @property
    def is_file(self) -> bool:
        word = r"<path>|FILE|FOLDER|PROFILE|PATH|\.toml|\bbundle\b|\ba folder\b|\.parquet"
        return re.search(word, f"{self.kind} {self.about} {self.name}", re.IGNORECASE) is not None

    @property
    def is_number(self) -> bool:
        return re.search(r"<int|<float|REQUESTS|MIB|SECONDS", self.kind) is not None


OUTPUT = (
    r"(?i)\bto write\b|\ba row per\b|\bas a page\b|\bas PNG\b|^For the"
    r"|in time, for ui|^The (bundle|page|archive)[;,]|^Keeps the work|^The page|\.html"
    r"|what is in it is kept|as one page"
)


@dataclass(frozen=True)
class Command:
    """A command that does something, and all that it takes."""

    words: tuple[str, ...]
    arguments: tuple[Taken, ...]
    options: tuple[Taken, ...]
    until_told: bool = False
    """Whether it goes on until somebody ends it."""


def commands(words: tuple[str, ...] = ()) -> Iterator[Command]:
    """Every command, as the help texts name them from the first one on."""
    text = _help(words)
    panels = _panels(text)
    inner = [row[0] for row in panels.get("Commands", ())]
    if inner:
        for name in inner:
            yield from commands((*words, name))
        return
    arguments = tuple(_taken(row) for row in panels.get("Arguments", ()))
    options = tuple(_taken(row) for row in panels["Options"])
    options = tuple(one for one in options if one.name != "--help")
    yield Command(words, arguments, options, until_told="ends with Ctrl-C" in text)


def _help(words: tuple[str, ...]) -> str:
    said = io.StringIO()
    with mock.patch.dict(os.environ, WIDE), contextlib.redirect_stdout(said):
        assert cli.run([*words, "--help"]) == 0
    return said.getvalue()


def _panels(text: str) -> dict[str, list[list[str]]]:
    """By title, the rows of each panel, a row as its columns."""
    found: dict[str, list[list[str]]] = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("╭"):
            title = line.strip("╭─╮ ")
        elif line.startswith("│"):
            row = re.split(r"\s{2,}", line.strip("│").strip())
            found.setdefault(title, []).append(row)
    return found


def _taken(row: list[str]) -> Taken:
    required = row[0] == "*"
    name, *rest = row[required:]
    while rest and re.fullmatch(r"--?[a-z][\w-]*", rest[0]):
        del rest[0]
    # An option that takes no value has no kind: a sentence comes at once.
    if name.startswith("-") and rest and re.match(r"[A-Z][a-z]+[ ,]", rest[0]):
        rest.insert(0, "<bool>")
    kind, about = rest[0] if rest else "", " ".join(rest[1:])
    return Taken(name, kind, about, required)
