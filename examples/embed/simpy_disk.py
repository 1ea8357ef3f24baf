"""A disk in a SimPy model: processes wait for what they ask of it.

`simpy_disk.py DRIVE SCHEDULER REQUESTS` takes a line `arrival_us lba sectors R|W` for each request
and prints `number completion_ps`. The model's unit of time is the picosecond, in whole numbers.
"""

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import simpy

import platterlab as pl


class Disk:
    """A `pl.Stepper` as a resource: `yield disk.serve(...)` waits until the request is over."""

    def __init__(self, env: simpy.Environment, stepper: pl.Stepper) -> None:
        self.env, self.stepper = env, stepper
        self._waiting: dict[int, simpy.Event] = {}
        self._stirred = env.event()
        env.process(self._follow())

    def serve(self, lba: int, sectors: int, operation: str) -> simpy.Event:
        """Hands a request in now; the event's value is its `pl.Done`."""
        number = self.stepper.submit(lba, sectors, operation, at_ps=self.env.now)
        self._waiting[number] = self.env.event()
        if not self._stirred.triggered:
            self._stirred.succeed()
        return self._waiting[number]

    def _follow(self) -> Generator[simpy.Event, Any, None]:
        """Has the disk do what it does when it does it."""
        while True:
            if (next_ps := self.stepper.next_event_ps) is None:
                yield self._stirred
            elif next_ps > self.env.now:
                yield self.env.timeout(next_ps - self.env.now) | self._stirred
            if self._stirred.triggered:
                self._stirred = self.env.event()
            for done in self.stepper.advance(self.env.now):
                self._waiting.pop(done.number).succeed(done)


def program(env: simpy.Environment, disk: Disk, line: str) -> Generator[simpy.Event, Any, None]:
    """Computes until its time, then asks and waits."""
    arrival_us, lba, sectors, way = line.split()
    yield env.timeout(int(arrival_us) * 1_000_000)
    done = yield disk.serve(int(lba), int(sectors), "read" if way == "R" else "write")
    sys.stdout.write(f"{done.number} {env.now}\n")


def main() -> None:
    """One program for each line."""
    drive, scheduler, requests = sys.argv[1:]
    env = simpy.Environment()
    disk = Disk(env, pl.Stepper(drive, scheduler=scheduler))
    for line in Path(requests).read_text(encoding="utf-8").splitlines():
        env.process(program(env, disk, line))
    env.run()


if __name__ == "__main__":
    main()
