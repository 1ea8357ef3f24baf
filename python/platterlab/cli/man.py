"""`platterlab man`: manual pages, written from the commands themselves."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import __version__, output
from platterlab._core import InputError
from platterlab.cli.examples import EXAMPLES

_EXITS = (
    ("0", "Done."),
    ("1", "The work failed, or a condition holds that was to fail it."),
    ("2", "The input or the command line is wrong; one message says what would be right."),
    ("130", "Interrupted."),
)


def man(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND ...]", help="The command.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder to write the pages of all commands to, in man1."
        ),
    ] = None,
) -> None:
    """Print the manual page of a command, or write those of all.

    MANPATH=FOLDER has `man platterlab-simulate` find what --out FOLDER wrote.
    """
    if out is not None:
        pages = dict(_commands())
        if words:
            raise InputError("--out writes the pages of all commands; name none")
        folder = out / "man1"
        folder.mkdir(parents=True, exist_ok=True)
        for name, command in pages.items():
            title = "-".join(["platterlab", *name.split()])
            output.write_text(folder / f"{title}.1", page(name, command, list(pages)))
        typer.echo(f"{folder}: {len(pages)} pages")
        return
    asked = " ".join(words or ())
    pages = dict(_commands((words or [""])[0]))
    if asked not in pages:
        known = ", ".join(sorted(dict(_commands()))[1:])
        raise InputError(f"no command {asked!r}; there are {known}")
    typer.echo(page(asked, pages[asked], list(pages)), nl=False)


def _commands(first: str | None = None) -> Iterator[tuple[str, Any]]:
    """The program itself and every command, by its words; of others than `first` only those."""
    from platterlab import cli

    whole = cli.app()
    yield "", whole
    for name in cli.COMMANDS:
        if first is not None and name != first:
            yield name, whole.commands[name]
            continue
        command = cli.command(name)
        yield name, command
        if name in cli.GROUPS:
            yield from ((f"{name} {inner}", one) for inner, one in command.commands.items())


def page(name: str, command: Any, names: list[str]) -> str:
    """The manual page of a command as roff."""
    title = "-".join(["platterlab", *name.split()])
    context = command.context_class(command, info_name=f"platterlab {name}".strip())
    about, _, more = str(command.help or "").partition("\n\n")
    lines = [
        f'.TH "{title.upper()}" 1 "" "Platterlab {__version__}" "Platterlab"',
        ".SH NAME", f"{_text(title)} \\- {_text(about.rstrip('.'))}",
        ".SH SYNOPSIS", f".B {_text(context.command_path)}",
        _text(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION", *_paragraphs(f"{about}\n\n{more}"),
    ]  # fmt: skip
    records = [one.get_help_record(context) for one in command.params]
    lines += _listed("OPTIONS", [record for record in records if record])
    begin = f"{name} " if name else ""
    inner = [one for one in names if one.startswith(begin) and one.count(" ") == begin.count(" ")]
    if getattr(command, "commands", None):
        lines += _listed(
            "COMMANDS", [(one, _help_of(command, one.split()[-1])) for one in inner if one]
        )
    if name in EXAMPLES:
        lines += [".SH EXAMPLES", ".nf", *map(_text, EXAMPLES[name]), ".fi"]
    lines += _listed("EXIT STATUS", list(_EXITS))
    lines += [".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Where it is set, nothing is coloured."]
    return "\n".join(line for line in lines if line) + "\n"


def _help_of(group: Any, name: str) -> str:
    return str(group.commands[name].help or "").partition("\n\n")[0]


def _listed(title: str, items: list[tuple[str, str]]) -> list[str]:
    if not items:
        return []
    return [f".SH {title}"] + [
        line for term, about in items for line in (".TP", f".B {_text(term)}", _text(about))
    ]


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in filter(None, (part.strip() for part in text.split("\n\n"))):
        yield ".PP"
        yield _text(" ".join(paragraph.split()))


def _text(text: str) -> str:
    """With everything quoted that roff would take for its own."""
    quoted = re.sub(r"\s+", " ", text).replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", quoted)
