"""Parts of a system that are classes of yours: what each is asked, and checks before a run."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from platterlab._core import CacheLine, InputError, MirrorCopy, WaitingRequest

Asked: TypeAlias = tuple[int, int, int, str] | tuple[int, int, int, str, int]
"""Arrival in picoseconds, its first sector, its length in sectors, `read` or `write` and,
if it is not for the first volume, the volume by its place in the experiment."""


class Scheduler(Protocol):
    """The interface of a class for `simulate(experiment, scheduler=...)`.

    Each queue of the driver has an object of its own. The core keeps what waits and holds each
    choice to it: nothing is lost, served twice or served before it came. The first wrong choice
    ends the run with an `InputError`.

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
    >>> pl.simulate(system, scheduler=Nearest).mean_response_ms < (
    ...     pl.simulate(system).mean_response_ms
    ... )
    True
    """

    def choose(self, waiting: list[WaitingRequest], now_ps: int) -> WaitingRequest:
        """The next request for a drive that is free.

        Args:
            waiting: those that wait, in the order in which they came; at least one. It may be
                looked at, not changed. Each has `lba`, `sectors`, `operation`, `arrival_ps`,
                `number` and `cylinder`.
            now_ps: the time, in picoseconds.

        Returns:
            One of `waiting`, the object itself.
        """
        ...


class Replacement(Protocol):
    """The interface of a class for `simulate(experiment, replacement=...)`.

    Each controller's cache has an object of its own, which decides which line makes room. A class
    that has them is also called when a line has `entered(line)`, is `used(line)` again and has
    `left(line)`, so that it can keep an order of its own. A line that is in use may not go, and is
    not offered.

    >>> import platterlab as pl
    >>> class LeastUsed:
    ...     def choose(self, lines):
    ...         return min(lines, key=lambda line: (line.uses, line.used))
    >>> system = pl.Experiment(
    ...     controller=[{"name": "raid", "cache": {"size": "4M"}}],
    ...     bus=[{"name": "bus", "controller": "raid"}],
    ...     drive=[{"profile": "hp-97560", "bus": "bus"}],
    ...     workload=[{"kind": "closed", "population": 4}],
    ...     stop={"requests": 1000},
    ... )
    >>> pl.simulate(system, replacement=LeastUsed).complete
    True
    """

    def choose(self, lines: list[CacheLine]) -> CacheLine:
        """The line that makes room.

        Args:
            lines: those that may go, in the order in which they entered; at least one. It may be
                looked at, not changed. Each has `device`, `lba`, `uses`, and `entered` and `used`,
                which count all entries and uses of the cache up to its own and its last.

        Returns:
            One of `lines`, the object itself.
        """
        ...


class ReadChoice(Protocol):
    """The interface of a class for `simulate(experiment, read_choice=...)`.

    Each mirrored volume has an object of its own, which decides which copy is read.

    >>> import platterlab as pl
    >>> class Idlest:
    ...     def choose(self, copies, now_ps):
    ...         return min(copies, key=lambda copy: (copy.outstanding, copy.positioning_ms))
    >>> system = pl.Experiment(
    ...     drive=[{"profile": "hp-97560", "name": "d", "count": 2}],
    ...     volume=[{"name": "v", "layout": {"kind": "raid1"}, "drives": ["d"]}],
    ...     workload=[{"kind": "closed", "population": 4}],
    ...     stop={"requests": 1000},
    ... )
    >>> pl.simulate(system, read_choice=Idlest).complete
    True
    """

    def choose(self, copies: list[MirrorCopy], now_ps: int) -> MirrorCopy:
        """The copy to read.

        Args:
            copies: those that can be read; at least one. Each has `device`, `lba` and `sectors`
                there, `outstanding` (commands that wait for the device or are in it),
                `seek_cylinders` and `positioning_ms` (were the device free).
            now_ps: the time, in picoseconds.

        Returns:
            One of `copies`, the object itself.
        """
        ...


class Workload(Protocol):
    """The interface of a class for `simulate(experiment, workload=...)`.

    Each run has an object of its own, whose requests take the place of all workloads of the
    experiment. A class that has it is also called when a request is `done(request, now_ps)`, by the
    object it gave, and may give the requests that come of that. What arrives before the time at
    which it is asked for, or does not lie on its volume, ends the run with an `InputError`.

    >>> import platterlab as pl
    >>> class Walk:
    ...     def start(self, volumes, seed):
    ...         yield 0, 0, 8, "read"
    ...
    ...     def done(self, request, now_ps):
    ...         yield now_ps + 5_000_000_000, request[1] + 8, 8, "read"
    >>> system = pl.Experiment(
    ...     drive=[{"profile": "hp-97560"}],
    ...     workload=[{"kind": "closed", "population": 1}],
    ...     stop={"requests": 100},
    ... )
    >>> pl.simulate(system, workload=Walk).figures.served
    100
    """

    def start(self, volumes: list[int], seed: int) -> Iterable[Asked]:
        """The requests that come of themselves, by arrival.

        Each is only asked for when the one before it has arrived, so there may be no end of them.

        Args:
            volumes: the sectors of each volume.
            seed: of this run, for every random choice.

        Returns:
            Tuples `(at_ps, lba, sectors, "read" or "write")`, with the volume's number behind if
            there are several.
        """
        ...


_ASKED = {
    "scheduler": ("a scheduler", "choose(waiting, now_ps)", "host.scheduler.kind"),
    "replacement": ("a replacement", "choose(lines)", "controller[].cache.replacement.kind"),
    "read_choice": ("a read choice", "choose(copies, now_ps)", "volume[].layout.read"),
    "workload": ("a workload", "start(volumes, seed)", "workload[].kind"),
}
"""By the keyword: what it is, its method, and the experiment's key for one of the core's own."""


def checked(
    scheduler: Callable[[], Scheduler] | None,
    replacement: Callable[[], Replacement] | None,
    read_choice: Callable[[], ReadChoice] | None,
    workload: Callable[[], Workload] | None,
) -> dict[str, Callable[[], Any]]:
    """Those that are given, if each makes what is asked for.

    Raises:
        InputError: one is not a class, or lacks its method.
    """
    classes: dict[str, Callable[[], Any] | None] = {
        "scheduler": scheduler,
        "replacement": replacement,
        "read_choice": read_choice,
        "workload": workload,
    }
    given = {kind: one for kind, one in classes.items() if one is not None}
    for kind, one in given.items():
        what, method, at = _ASKED[kind]
        if not isinstance(one, type):
            raise InputError(
                f"{what} is a class, not {one!r}; "
                f"the core's own are named in the experiment, at {at}"
            )
        if not callable(getattr(one, method.partition("(")[0], None)):
            raise InputError(f"{what}, {one.__name__}, has no method {method}")
    return given
