"""`platterlab schema`: what may stand in a file, for editors and other programs."""

from enum import StrEnum
from typing import Annotated

import typer

from platterlab import _core


class _File(StrEnum):
    EXPERIMENT = "experiment"
    PROFILE = "profile"
    FAULTS = "faults"


def schema(
    file: Annotated[_File, typer.Argument(metavar="experiment|profile|faults", help="The file.")],
) -> None:
    """Print the JSON schema of a file, for editors."""
    made = {
        _File.EXPERIMENT: _core.experiment_schema,
        _File.PROFILE: _core.profile_schema,
        _File.FAULTS: _core.faults_schema,
    }
    typer.echo(made[file]())
