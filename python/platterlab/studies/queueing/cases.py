"""Each system with what theory says of it, and the rows that compare them."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from platterlab import library
from platterlab.output import write_text
from platterlab.studies.criteria import EXACT, THEORY
from platterlab.studies.queueing import systems, theory
from platterlab.studies.queueing.systems import Measured, exponential, poisson, volume
from platterlab.studies.row import Bound, Row

_SERVICE_MS = 10.0


@dataclass(frozen=True)
class Case:
    """A system and a theory of it.

    Attributes:
        id: of the row.
        what: for people.
        theory_ms: what theory says.
        run: the simulation, by seed.
        bound: whether theory is exact, or only bounds the mean on one side.
    """

    id: str
    what: str
    theory_ms: float
    run: Callable[[int], Measured]
    bound: Bound = "about"

    def row(self, seed: int) -> Row:
        """Simulation against theory, which is exact or a bound that leaves no room."""
        measured = self.run(seed)
        return Row(
            id=self.id,
            what=self.what,
            paper=self.theory_ms,
            ours=measured.mean,
            unit="ms",
            criterion=THEORY if self.bound == "about" else EXACT,
            interval=measured.interval,
            bound=self.bound,
            group="Mean response, theory and simulation",
            extra={"runs": systems.RUNS},
        )


def _of(system: str) -> Callable[[int], Measured]:
    return lambda seed: systems.mean_of(systems.responses_ms(system, seed))


def cases() -> Iterator[Case]:
    """All of them."""
    yield from _fork_and_join()
    yield from _mirrors()
    yield _small_write()
    yield from _closed_network()
    yield from _shared_bus()
    yield from _two_visits()


def _fork_and_join() -> Iterator[Case]:
    for load in (0.3, 0.7):
        system = exponential(2, _SERVICE_MS) + volume(2, 'kind = "raid1"')
        yield Case(
            id=f"fork-join/load-{load}",
            what=f"writes to both copies of a mirror at load {load}: fork-join of two M/M/1",
            theory_ms=theory.two_mirrored_writes_ms(_SERVICE_MS, load),
            run=_of(system + poisson(_SERVICE_MS / load, 0.0)),
        )


def _mirrors() -> Iterator[Case]:
    load = 0.7
    for copies in (2, 4):
        gap_ms = _SERVICE_MS / (load * copies)

        def reads(choice: str, copies: int = copies, gap_ms: float = gap_ms) -> str:
            layout = f'kind = "raid1", read = "{choice}"'
            return exponential(copies, _SERVICE_MS) + volume(copies, layout) + poisson(gap_ms, 1.0)

        shared = theory.m_m_c_ms(_SERVICE_MS, load, copies)
        in_turn = theory.every_cth_ms(_SERVICE_MS, load, copies)
        kinds: tuple[tuple[str, str, float, Bound], ...] = (
            ("random", "any copy: M/M/1 each", theory.m_m_1_ms(_SERVICE_MS, load), "about"),
            ("round-robin", "in turn: E_c/M/1 each", in_turn, "about"),
            ("shortest-queue", "not below one queue for all, M/M/c", shared, "at-least"),
            ("shortest-queue", "not above copies read in turn, E_c/M/1", in_turn, "at-most"),
        )
        for choice, says, theory_ms, bound in kinds:
            yield Case(
                id=f"mirror-{copies}/{choice}/{bound}",
                what=f"reads of {copies} copies at load {load}, {choice}, {says}",
                theory_ms=theory_ms,
                run=_of(reads(choice)),
                bound=bound,
            )


def _small_write() -> Case:
    layout = 'kind = "raid5", unit = "64k", update = { kind = "modify-below", share = 1.0 }'
    alone = (
        '[[workload]]\nkind = "closed"\npopulation = 1\n'
        'pattern = { read_share = 0.0, size_sectors = { kind = "constant", value = 8 } }\n'
    )
    return Case(
        id="raid5/small-write",
        what="small writes to an idle RAID 5, from their four commands",
        theory_ms=theory.small_write_ms(_SERVICE_MS),
        run=_of(exponential(5, _SERVICE_MS) + volume(5, layout) + alone),
    )


def _closed_network() -> Iterator[Case]:
    # Lengths are exponential, and long against a sector, so that the bus is an exponential server.
    hold_ms, sectors = 2.0, 1_000
    for drives in (2, 8):
        bus = f'[[bus]]\nname = "b"\nread_sector_ms = {hold_ms / sectors}\n'
        always = "".join(
            '[[workload]]\nkind = "closed"\npopulation = 1\n'
            f'volumes = ["d{index}"]\n'
            'pattern = { read_share = 1.0, block = "512", max_size = "32M", '
            f'size_sectors = {{ kind = "exponential", mean = {sectors - 0.5} }} }}\n'
            for index in range(drives)
        )
        yield Case(
            id=f"closed-network/{drives}-drives",
            what=f"{drives} drives with a command each and one bus, mean value analysis",
            theory_ms=theory.mean_value_ms(_SERVICE_MS, hold_ms, drives),
            run=_of(bus + exponential(drives, _SERVICE_MS, 'bus = "b"\n') + always),
        )


def _shared_bus() -> Iterator[Case]:
    # Many drives at a low load each: what comes to their bus is nearly a Poisson stream, and a
    # drive seldom has a second command that would wait longer for the first one's data.
    drives, hold_ms = 800, 2.0
    for load in (0.3, 0.6):
        gap_ms = hold_ms / load
        requests = poisson(gap_ms, 1.0)

        def system(shared: bool, requests: str = requests) -> str:
            bus = f'[[bus]]\nname = "b"\nread_sector_ms = {hold_ms / 8}\n'
            if not shared:
                bus += f"count = {drives}\n"
            return bus + exponential(drives, _SERVICE_MS, 'bus = "b"\n') + requests

        def run(seed: int, system: Callable[[bool], str] = system) -> Measured:
            pair = [systems.responses_ms(system(shared), seed) for shared in (True, False)]
            return systems.difference(*pair)

        yield Case(
            id=f"shared-bus/load-{load}",
            what=f"what {drives} drives wait for their bus at load {load}, M/G/1",
            theory_ms=theory.waits_for_bus_ms(1.0 / gap_ms, (hold_ms,)),
            run=run,
        )


def _two_visits() -> Iterator[Case]:
    # Between the visits a drive turns to the data, which takes so long and so various a time that
    # what comes for the second time is as good as a Poisson stream of its own.
    drives, load, command_ms, data_ms, sectors = 600, 0.3, 0.8, 1.2, 8
    gap_ms = (command_ms + data_ms) / load
    profile = library.load("mock").with_overrides(
        {
            # Whole requests fit a track, at whose end a drive would let go of the bus.
            "zone[0].sectors_per_track": 19 * sectors,
            "spindle.speed_rpm": 2_000,
            "spindle.latency": "uniform",
            "controller.read_ms": command_ms,
            "bus.kind": "rate",
            "bus.read_sector_ms": data_ms / sectors,
            "bus.write_sector_ms": data_ms / sectors,
            "bus.hold_overhead": True,
        }
    )

    def system(shared: bool) -> str:
        buses = "" if shared else f"count = {drives}\n"
        drive = f'name = "d"\ncount = {drives}\nprofile = "drive.toml"\nbus = "b"\n'
        requests = poisson(gap_ms, 1.0, sectors)
        return f'[[bus]]\nname = "b"\n{buses}[[drive]]\n{drive}{requests}'

    def run(seed: int) -> Measured:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_text(folder / "drive.toml", profile.to_toml())
            ways = [system(shared) for shared in (True, False)]
            pair = [systems.responses_ms(way, seed, folder) for way in ways]
        return systems.difference(*pair)

    yield Case(
        id=f"shared-bus/two-visits/load-{load}",
        what=f"what {drives} drives wait at load {load} for a bus that has a command and then its "
        "data, M/G/1 with two visits",
        theory_ms=theory.waits_for_bus_ms(1.0 / gap_ms, (command_ms, data_ms)),
        run=run,
    )
