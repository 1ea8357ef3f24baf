"""What the help texts of the program say: its commands, and what each takes."""

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    r"(?i)\bto write\b|\ba row per\b|\bas a page\b|\bas PNG\b"
    r"|^(File|Folder) (of|for) the (drawing|figures|new)\b"
    r"|in time, for ui|^The (bundle|page|archive)[;,]|^Keeps the work|^The page|\.html"
    r"|what is in it is kept|as one page"
)


@dataclass(frozen=True)
class Command:
    """A command that does something, and all that it takes."""

    words: tuple[str, ...]
    arguments: tuple[Taken, ...]
    options: tuple[Taken, ...]
    usual: tuple[tuple[str, ...], ...] = ()
    """The options of each of its examples."""
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
    named = ([word for word in row[:3] if word.startswith("-")] for row in panels["Options"])
    short = {names[1]: names[0] for names in named if len(names) > 1}
    examples = re.findall(r"Example: platterlab (.*\S)", text)
    shown = [_shown(example.split(" ", len(words))[-1], short) for example in examples]
    values = [given for _, given in shown]
    arguments = tuple(_with(one, at, values) for at, one in enumerate(arguments))
    options = tuple(_with(one, one.name, values) for one in options)
    usual = tuple(names for names, _ in shown)
    yield Command(words, arguments, options, usual, until_told="ends with Ctrl-C" in text)


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


def _shown(example: str, short: dict[str, str]) -> tuple[tuple[str, ...], dict[str | int, str]]:
    """The options of an example, and what is given to each and, by its number, to an argument."""
    given: dict[str | int, str] = {}
    name: str | int | None = None
    names = []
    for word in shlex.split(example):
        if re.fullmatch(r"-[\w-]*", word):
            name = short.get(word, word)
            names.append(name)
        else:
            arguments = sum(isinstance(key, int) for key in given)
            given[arguments if name is None else name] = word
            name = None
    return tuple(names), given


def _with(one: Taken, key: str | int, values: list[dict[str | int, str]]) -> Taken:
    """The same with what the examples give to it, which its own text may say as well."""
    found = [given[key] for given in values if re.fullmatch(r"[\w.-]+", given.get(key, ""))]
    return replace(one, about=f"{one.about} such as {found[0]}") if found else one


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
