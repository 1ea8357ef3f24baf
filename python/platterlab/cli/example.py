"""`platterlab example`: experiments to start from."""

from difflib import get_close_matches
from typing import Annotated

import typer
from rich.markup import escape

from platterlab import _core
from platterlab._core import InputError
from platterlab.cli.console import emit, plain_table, stdout
from platterlab.cli.values import AsJson


def example(
    name: Annotated[str | None, typer.Argument(help="Print this one.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the experiments that come with the program, or print one of them."""
    known = dict(_core.examples())
    if name is None:
        _list({each: _what(text) for each, text in known.items()}, as_json)
        return
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise InputError(f"no example {name!r}; {hint}")
    if as_json:
        emit({"name": name, "what": _what(known[name]), "text": known[name]})
    else:
        typer.echo(known[name], nl=False)


def _list(known: dict[str, str], as_json: bool) -> None:
    if as_json:
        emit({"examples": [{"name": name, "what": what} for name, what in known.items()]})
        return
    table = plain_table("example", "what it is", words=2)
    for name, what in known.items():
        table.add_row(name, escape(what))
    stdout().print(table)


def _what(text: str) -> str:
    """The comment that an example begins with."""
    return text.splitlines()[0].removeprefix("#").strip()
