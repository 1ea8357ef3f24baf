"""A scheduler of your own: what it is asked, and what of it is checked before a run."""

from collections.abc import Callable
from typing import Protocol

from platterlab._core import InputError, WaitingRequest


class Scheduler(Protocol):
    """What `simulate(experiment, scheduler=...)` asks of a class of yours.

    The core keeps what waits and holds each choice to it: nothing is lost, served twice or served
    before it came. The first wrong choice ends the run with an `InputError`.

    >>> import platterlab as pl
    >>> class Nearest:
    ...     def __init__(self):
    ...         self.at = 0
    ...
    ...     def choose(self, waiting, now_ps):
    ...         chosen = min(waiting, key=lambda request: abs(request.lba - self.at))
    ...         self.at = chosen.lba
    ...         return chosen
    >>> system = pl.Experiment(
    ...     drive=[{"profile": "hp-97560"}],
    ...     workload=[{"kind": "closed", "population": 8}],
    ...     stop={"requests": 1000},
    ... )
    >>> fast = pl.simulate(system, scheduler=Nearest).runs[0].response_ms.mean_ms
    >>> fast < pl.simulate(system).runs[0].response_ms.mean_ms
    True
    """

    def choose(self, waiting: list[WaitingRequest], now_ps: int) -> WaitingRequest:
        """Which request comes next, for a drive that is free.

        Args:
            waiting: those that wait, in the order in which they came; at least one. It may be
                looked at, not changed.
            now_ps: the time, in picoseconds.

        Returns:
            One of `waiting`, the object itself.
        """
        ...


def checked(scheduler: Callable[[], Scheduler]) -> Callable[[], Scheduler]:
    """The same, if it makes what can choose.

    Raises:
        InputError: it is no class, or one without `choose`.
    """
    if not isinstance(scheduler, type):
        raise InputError(f"a scheduler is a class, not {scheduler!r}")
    if not callable(getattr(scheduler, "choose", None)):
        raise InputError(f"scheduler {scheduler.__name__} has no method choose(waiting, now_ps)")
    return scheduler
