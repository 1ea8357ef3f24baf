"""The command `platterlab`. One file per command; each is thin and the package does the work.

Exit codes: 0 done, 1 the work failed, 2 bad input or usage, 130 interrupted.
"""

import errno
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, TyperException
from typer.main import get_command, get_group

from platterlab import __version__
from platterlab._core import InputError
from platterlab.cli import streams
from platterlab.cli.console import fail

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "characterize": (
        "Measure a drive from outside: geometry, zones, times, seeks, each with its interval."
    ),
    "simulate": (
        "Run an experiment, DiskSim's system, a process flow or a trace; say where the time went."
    ),
    "sweep": "Run an experiment at many points of its keys; resumed where it was interrupted.",
    "calibrate": "Fit a drive profile to a trace: to its first part, judged on the rest.",
    "calibrations": (
        "Calibrate each drive of a list to its trace; resumed where it was interrupted."
    ),
    "compare": (
        "Say how times differ: figures with 95 % intervals by group, and conditions that fail."
    ),
    "capture": (
        "Run a command on this Linux, as root, and keep what its processes did as a process flow."
    ),
    "serve": (
        "A simulated drive or array as a block device in real time, for any program: NBD, FUSE, "
        "ublk."
    ),
    "serve-ctl": (
        "Ask something of a drive that is being served: pause, speed, faults, power cut, figures."
    ),
    "study": "Run a published experiment and print paper, ours, tolerance and verdict.",
    "report": "Draw per-request results as one self-contained page that needs no network.",
    "show": "Play a simulation as an animated platter, on one page that needs no network.",
    "example": "List the experiments that come with the program, or print one of them.",
    "schema": "Print the JSON schema of a file, for editors.",
    "completion": "Print what makes a shell complete commands and options with the tab key.",
    "man": "Print the manual page of a command, or write those of all.",
    "archive": "Keep, check, compare and publish what was measured.",
    "av": "Audio and video: aligned tracks, streams, buffers.",
    "profile": "Look at the drive library; check, import and export profiles.",
    "task": "Published tasks of a computer, as process flows.",
    "trace": "Look into a trace, or write it in another format.",
}
"""What each does, as its own help begins."""

GROUPS = ("archive", "av", "profile", "task", "trace")
"""Those that are commands of commands."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"platterlab {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it and exit.")
    ] = False,
) -> None:
    """Options of every command."""


class _Later(TyperCommand):
    """A command that is loaded when it is called: what some of them stand on takes a second."""

    def make_context(self, *called: Any, **how: Any) -> Any:
        """That of the command itself, which takes over."""
        return command(str(self.name)).make_context(*called, **how)


def command(name: str) -> Any:
    """One of `COMMANDS`, loaded."""
    from platterlab.cli.examples import below

    identifier = name.replace("-", "_")
    module = import_module(f"platterlab.cli.{identifier}")
    if name in GROUPS:
        group = get_group(module.app)
        for inner, one in group.commands.items():
            one.epilog = below(f"{name} {inner}")
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name, epilog=below(name))(getattr(module, identifier))
    return get_command(alone)


def app() -> TyperGroup:
    """The command line."""
    made = typer.Typer(
        name="platterlab",
        help="A laboratory for disk drives: measure, model and simulate them.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(options)
    group = get_group(made)
    for name, summary in COMMANDS.items():
        group.add_command(_Later(name, help=summary))
    return group


_MISNAMED = {
    errno.EACCES, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR,
    errno.EPERM,
}  # fmt: skip
"""What the system says where the user named the wrong file; all else is work that failed."""


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and gives its exit code; every error is one message on stderr."""
    try:
        code = int(app()(list(arguments), prog_name="platterlab", standalone_mode=False) or DONE)
        sys.stdout.flush()
    except InputError as error:
        fail(str(error))
        return BAD_INPUT
    except TyperException as error:
        fail(error.format_message())
        return BAD_INPUT
    except ModuleNotFoundError as error:
        return _missing(error)
    except UnicodeEncodeError as error:
        fail(f"{error.object!a}: is not UTF-8; write it so, or rename the file")
        return BAD_INPUT
    except (Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output is gone, and so is the reason to write more.
        streams.discard()
        return FAILED
    except OSError as error:
        return _os_error(error)
    except MemoryError as error:
        fail(str(error) or "there is too little memory for this")
        return FAILED
    if code == INTERRUPTED:
        fail("interrupted")
    return code


def _missing(error: ModuleNotFoundError) -> int:
    """Of a library that an extra of the package brings: what to install."""
    from platterlab.extras import explained

    told = explained(error)
    if told is None:
        raise error
    fail(told)
    return BAD_INPUT


def _os_error(error: OSError) -> int:
    if error.filename is None and error.errno == errno.ENOSPC:
        # Every file that is written says its name.
        streams.discard()
        fail(f"standard output: {error.strerror}")
        return FAILED
    from platterlab.output import os_error

    fail(os_error(error))
    return BAD_INPUT if error.filename and error.errno in _MISNAMED else FAILED


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main() -> NoReturn:
    """The entry point of the command."""
    streams.prepare()
    if "_PLATTERLAB_COMPLETE" in os.environ:
        # A shell asks what could stand at the cursor.
        import_module("platterlab.cli.completion").prepare()
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(run(sys.argv[1:]))
