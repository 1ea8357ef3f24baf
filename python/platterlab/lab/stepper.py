"""A drive or a system on the caller's clock, for simulators that want a disk."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from platterlab import _core
from platterlab._core import InputError
from platterlab.answers import Report
from platterlab.lab.arguments import in_range
from platterlab.lab.drive import Drive
from platterlab.lab.experiment import Experiment
from platterlab.lab.journal import Journal

_WAYS = {"read": False, "write": True}


class Done(NamedTuple):
    """A request that is over.

    Attributes:
        number: as `Stepper.submit` gave it.
        arrival_ps: when it arrived, in picoseconds.
        completion_ps: when it was over.
        lost: whether its data could not be had or kept, for too many drives have failed.

    >>> import platterlab as pl
    >>> pl.Done(number=0, arrival_ps=0, completion_ps=5_000_000_000, lost=False).response_ms
    5.0
    """

    number: int
    arrival_ps: int
    completion_ps: int
    lost: bool

    @property
    def response_ms(self) -> float:
        """From arrival to completion, in milliseconds."""
        return (self.completion_ps - self.arrival_ps) / 1e9


class Stepper:
    """A drive or a system, step by step: requests go in at instants, and the time is yours.

    What is due at an instant happens before what arrives at it, as in a simulation: requests that
    are handed in are served to the picosecond as `simulate` serves the same requests. Times are
    whole picoseconds since the start. It keeps what it is asked, some twenty bytes a request, and
    pickles as that: the other process asks it again.

    Args:
        what: a drive, or the name of one, which gets one command at a time from its driver; or an
            experiment, whose workloads are left out.
        scheduler: of a drive, the order in which its driver chooses; an experiment has its own.
        seed: of every random choice of a drive; an experiment has its own.
        replication: of an experiment, which: each begins with a seed of its own.

    Raises:
        InputError: drive, scheduler or experiment are wrong.

    >>> import platterlab as pl
    >>> disk = pl.Stepper("hp-97560", scheduler="sptf")
    >>> for lba in (2_000_000, 5_000, 1_990_000):
    ...     number = disk.submit(lba, 8)
    >>> over = []
    >>> while disk.next_event_ps is not None:
    ...     over += disk.advance(disk.next_event_ps)
    >>> [done.number for done in over]
    [0, 2, 1]
    >>> disk.volumes, disk.sectors() > 2_000_000, disk.sector_bytes
    (1, True, 512)
    >>> twin = disk.copy()
    >>> number = twin.submit(0, 8)
    >>> twin.in_flight, disk.in_flight
    (1, 0)
    >>> disk.report()["served"]
    3
    """

    @in_range
    def __init__(
        self,
        what: Drive | Experiment | str | os.PathLike[str],
        *,
        scheduler: str = "fcfs",
        seed: int = 0,
        replication: int = 0,
    ) -> None:
        given = what if isinstance(what, Experiment | Drive) else Drive(what)
        self._begun = (given, scheduler, seed, replication)
        self._journal = Journal()
        if isinstance(given, Experiment):
            if not 0 <= replication < given.replications:
                raise InputError(
                    f"replication {replication} is none of the experiment's, "
                    f"0 to {given.replications - 1}"
                )
            self._inner = _core.Stepper.of_system(given.inner, replication)
        else:
            self._inner = _core.Stepper.of_drive(given.profile, scheduler, seed)

    @property
    def now_ps(self) -> int:
        """The instant it has come to."""
        return self._inner.now_ps

    @property
    def next_event_ps(self) -> int | None:
        """Instant of the next event; None while nothing is to come."""
        return self._inner.next_event_ps

    @property
    def in_flight(self) -> int:
        """Requests that were handed in and are not over."""
        return self._inner.in_flight

    @property
    def volumes(self) -> int:
        """Number of volumes; a drive is one."""
        return self._inner.volumes

    @property
    def sector_bytes(self) -> int:
        """Bytes in a sector, of every volume."""
        return self._inner.sector_bytes

    @in_range
    def sectors(self, volume: int = 0) -> int:
        """The sectors of a volume; 0 where there is none."""
        return self._inner.sectors(volume)

    @in_range
    def submit(
        self,
        lba: int,
        sectors: int,
        operation: str = "read",
        *,
        at_ps: int | None = None,
        volume: int = 0,
    ) -> int:
        """Hands a request in; its number, from 0.

        Of two that arrive at one instant the one that was handed in first goes first.

        Args:
            lba: its first sector.
            sectors: its length, at least 1.
            operation: `read` or `write`.
            at_ps: when it arrives; None for now.
            volume: what it is for, by its place in the experiment.

        Raises:
            InputError: the instant is past, or the request does not lie on its volume.
        """
        now_ps = self._inner.now_ps
        at_ps = now_ps if at_ps is None else _instant(at_ps)
        writes = _writes(operation)
        number = self._inner.submit(at_ps, volume, lba, sectors, writes)
        self._journal.note(now_ps, at_ps, volume, lba, sectors, writes)
        return number

    @in_range
    def advance(self, to_ps: int) -> list[Done]:
        """Lets happen what is due up to an instant, that included, which is then the time.

        Returns:
            What is over since, in the order in which it was.

        Raises:
            InputError: the instant is past, or too many requests wait (`stop.queue_limit`).
        """
        return [Done._make(one) for one in self._inner.advance(_instant(to_ps))]

    @in_range
    def estimate_ps(
        self, lba: int, sectors: int, operation: str = "read", *, volume: int = 0
    ) -> int:
        """Completion of a request if it came now and nothing after it; nothing is done.

        Args:
            lba: its first sector.
            sectors: its length, at least 1.
            operation: `read` or `write`.
            volume: what it is for.

        Raises:
            InputError: the request does not lie on its volume.

        >>> import platterlab as pl
        >>> disk = pl.Stepper("hp-97560")
        >>> far, near = (disk.estimate_ps(lba, 8) for lba in (2_000_000, 0))
        >>> far > near > disk.now_ps
        True
        """
        return self._inner.estimate(volume, lba, sectors, _writes(operation))

    def copy(self) -> Stepper:
        """Another one in the same state, to see what would happen."""
        twin = Stepper.__new__(Stepper)
        twin._inner = self._inner.copy()
        twin._begun, twin._journal = self._begun, self._journal.copy()
        return twin

    __copy__ = copy

    def report(self) -> Report:
        """The figures so far, as an experiment's run has them."""
        return self._inner.report()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._begun, self._journal, self.now_ps)

    def __deepcopy__(self, memo: object) -> Stepper:
        return self.copy()

    def __repr__(self) -> str:
        return f"<Stepper at {self.now_ps:,} ps: {self.in_flight} in flight>"


def _again(begun: tuple[Any, ...], journal: Journal, to_ps: int) -> Stepper:
    """One that was asked the same until the same instant: it is in the same state."""
    what, scheduler, seed, replication = begun
    stepper = Stepper(what, scheduler=scheduler, seed=seed, replication=replication)
    inner = stepper._inner
    for now_ps, at_ps, volume, lba, sectors, writes in journal:
        if now_ps > inner.now_ps:
            inner.advance(now_ps)
        inner.submit(at_ps, volume, lba, sectors, bool(writes))
    inner.advance(to_ps)
    stepper._journal = journal
    return stepper


def _writes(operation: str) -> bool:
    if operation not in _WAYS:
        raise InputError(f"operation {operation!r} is none of {', '.join(_WAYS)}")
    return _WAYS[operation]


def _instant(ps: object) -> int:
    if not isinstance(ps, int) or ps < 0:
        raise InputError(f"{ps!r} is not a whole number of picoseconds from 0 on")
    return ps
