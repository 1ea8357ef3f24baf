"""`platterlab serve-ctl`: asks something of a drive that is being served."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab._core import InputError
from platterlab.cli.console import emit, stdout
from platterlab.serve import faults_in, speed_of
from platterlab.serve_control import Action, ask

_Control = Annotated[
    Path,
    typer.Argument(metavar="SOCKET", help="The socket of `platterlab serve --control SOCKET`."),
]
_Action = Annotated[
    Action,
    typer.Argument(
        help="stats: its figures. pause, resume: the drive's time stops, and continues. speed "
        "FACTOR: it passes FACTOR times as fast as the host's. faults FILE: from now on these; "
        "none for none. snapshot FILE: a copy of the data. power-cut: what is not on the media is "
        "lost."
    ),
]
_Value = Annotated[str | None, typer.Argument(help="Argument of speed, faults and snapshot.")]
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object: the server's report.")]

_VALUES = {"speed": "a factor, as 0.1", "faults": "a file, or none", "snapshot": "a file"}


def serve_ctl(
    control: _Control, action: _Action, value: _Value = None, as_json: _AsJson = False
) -> int:
    """Ask something of a drive that is being served: pause, speed, faults, power cut, figures."""
    if (value is None) != (action not in _VALUES):
        wanted = f"needs {_VALUES[action]}" if action in _VALUES else "takes no value"
        raise InputError(f"{action}: {wanted}")
    report = ask(control, action, _sent(action, value))
    if as_json or action == "stats":
        emit(report)
    else:
        stdout().print(f"{action}: done; {report['requests']:,} requests so far")
    return 0


def _sent(action: str, value: str | None) -> object:
    if value is None or (action == "faults" and value == "none"):
        return None
    if action == "speed":
        factor = speed_of(value, "speed")
        if factor is None:
            raise InputError(
                "speed max: is for `serve --speed` alone, from the start; write a number, as 10"
            )
        return factor
    path = Path(value)
    return str(path.absolute()) if action == "snapshot" else faults_in(path)
