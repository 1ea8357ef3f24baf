"""`platterlab completion`: what makes a shell complete commands and options."""

from importlib import import_module
from typing import Annotated, Any

import typer

from platterlab._core import InputError

_SHELLS = ("bash", "zsh", "fish")
_TYPER: Any = import_module("typer.completion")


def prepare() -> None:
    """Makes the shells known, before one of them asks."""
    _TYPER.completion_init()


def completion(
    shell: Annotated[str, typer.Argument(metavar="|".join(_SHELLS), help="The shell.")],
) -> None:
    """Print what makes a shell complete commands and options with the tab key."""
    if shell not in _SHELLS:
        raise InputError(f"{shell}: there is completion for {', '.join(_SHELLS)}")
    script: str = _TYPER.get_completion_script(
        prog_name="platterlab", complete_var="_PLATTERLAB_COMPLETE", shell=shell
    )
    typer.echo(script)
