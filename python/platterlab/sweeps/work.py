"""The work of an engine: a text that says all of it, by a name that is the hash of that text.

A point of a sweep is one kind; the others are calls of functions that are listed here, so that a
text can ask for nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any, Protocol

from platterlab import __version__
from platterlab._core import InputError

CALLS = {
    "study": "platterlab.studies.seeds:verdicts",
    "calibration": "platterlab.calibration.listed:line",
    "unseen-drive": "platterlab.studies.unseen_drives.lines:line",
    "unseen-calibration": "platterlab.studies.unseen_calibrations.lines:line",
}
"""Functions of plain arguments that give plain values, by the names under which texts have them."""


class Work(Protocol):
    """Anything that an engine can run."""

    @property
    def name(self) -> str:
        """The hash of all that decides the answer."""
        ...

    def to_text(self) -> str:
        """All of it as JSON."""
        ...


Done = Callable[[Any, str, str], None]
"""Called with a finished work, its answer as JSON, and where it ran."""


@dataclass(frozen=True)
class Call:
    """A call of one of `CALLS`.

    Attributes:
        call: which.
        arguments: of it, JSON values.
        version: of the program.
    """

    call: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    @property
    def name(self) -> str:
        """The hash of all that decides the answer: 16 hex digits."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()[:16]

    def to_text(self) -> str:
        """All of it as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    def run(self) -> Any:
        """The answer.

        Raises:
            InputError: it is of another version, or what the function says of its arguments.
        """
        if self.version != __version__:
            raise InputError(f"the work is of version {self.version}; here is {__version__}")
        module, _, function = CALLS[self.call].partition(":")
        return getattr(import_module(module), function)(**self.arguments)


def run_text(text: str) -> str:
    """Runs a text that `to_text` made; the answer as JSON. What engines call."""
    told = json.loads(text)
    if "call" in told:
        return json.dumps(Call(**told).run())
    from platterlab.sweeps import shard
    from platterlab.sweeps.task import Task

    task = Task.of_text(text)
    return shard.answer(task, task.run())
