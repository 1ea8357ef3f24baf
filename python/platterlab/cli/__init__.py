"""The command `platterlab`. One file per command; each is thin and the package does the work.

Exit codes: 0 done, 1 the work failed, 2 bad input or usage, 130 interrupted.
"""

import os
import signal
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from types import FrameType
from typing import Annotated, NoReturn

import typer
from typer.exceptions import Abort, TyperException

from platterlab import __version__
from platterlab._core import InputError
from platterlab.cli.console import fail

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = ("characterize", "simulate", "calibrate", "compare", "capture", "study", "report")
GROUPS = ("archive", "av", "profile", "trace")
"""Of commands."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"platterlab {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it and stop.")
    ] = False,
) -> None:
    """Options of every command."""


def app(names: Collection[str] = COMMANDS + GROUPS) -> typer.Typer:
    """The command line with these of its commands, whose modules alone are loaded."""
    made = typer.Typer(
        name="platterlab",
        help="A laboratory for disk drives: measure, model and simulate them.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(options)
    for name in names:
        module = import_module(f"platterlab.cli.{name}")
        if name in GROUPS:
            made.add_typer(module.app, name=name)
        else:
            made.command(name)(getattr(module, name))
    return made


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and gives its exit code; every error is one message on stderr."""
    try:
        # What the others stand on takes longer to load than many a command to do its work.
        named = next((word for word in arguments if not word.startswith("-")), None)
        commands = app((named,)) if named in COMMANDS + GROUPS else app()
        code = int(commands(list(arguments), prog_name="platterlab", standalone_mode=False) or DONE)
    except InputError as error:
        fail(str(error))
        return BAD_INPUT
    except TyperException as error:
        fail(error.format_message())
        return BAD_INPUT
    except (Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output is gone, and so is the reason to write more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return FAILED
    if code == INTERRUPTED:
        fail("interrupted")
    return code


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main() -> NoReturn:
    """The entry point of the command."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(run(sys.argv[1:]))
