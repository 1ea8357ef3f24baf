"""Platterlab: a laboratory for disk drives and the systems around them.

What the command line does, a program does with these names; the core is Rust (`platterlab._core`).

    >>> import platterlab as pl
    >>> drive = pl.Drive("hp-c2200a")
    >>> trace = pl.Trace.random(drive, 1000, think_ms=10.0)
    >>> pl.simulate(drive, trace, timing="closed").figures.served
    1000

Every name here is public: it changes only with a version that says so. Other modules are the
implementation, and are called otherwise: `platterlab.calibrate` is always the function.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from platterlab._core import InputError, Profile, Replay, version_info

if TYPE_CHECKING:
    from platterlab import av
    from platterlab.lab.classes import ReadChoice, Replacement, Scheduler, Workload
    from platterlab.lab.commands import (
        calibrate,
        calibrations,
        capture,
        characterize,
        compare,
        show_versions,
        study,
        sweep,
    )
    from platterlab.lab.drive import Drive
    from platterlab.lab.experiment import Experiment
    from platterlab.lab.place import Place
    from platterlab.lab.result import Figures, Result
    from platterlab.lab.simulation import simulate
    from platterlab.lab.stepper import Done, Stepper
    from platterlab.lab.trace import Trace

__version__: str = version_info()["version"]

# Read when they are first used: a program that simulates loads nothing that measures.
_HOMES = {
    "classes": ("ReadChoice", "Replacement", "Scheduler", "Workload"),
    "commands": (
        "calibrate", "calibrations", "capture", "characterize", "compare", "show_versions", "study",
        "sweep",
    ),
    "drive": ("Drive",),
    "experiment": ("Experiment",),
    "place": ("Place",),
    "result": ("Figures", "Result"),
    "simulation": ("simulate",),
    "stepper": ("Done", "Stepper"),
    "trace": ("Trace",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Done",
    "Drive",
    "Experiment",
    "Figures",
    "InputError",
    "Place",
    "Profile",
    "ReadChoice",
    "Replacement",
    "Replay",
    "Result",
    "Scheduler",
    "Stepper",
    "Trace",
    "Workload",
    "__version__",
    "av",
    "calibrate",
    "calibrations",
    "capture",
    "characterize",
    "compare",
    "show_versions",
    "simulate",
    "study",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name == "av":
        return import_module("platterlab.av")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'platterlab' has no attribute {name!r}")
    value = getattr(import_module(f"platterlab.lab.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
