"""Files of whole systems drawn from the ranges that DiskSim's parameter reference documents.

Written from that reference alone, without a look at the importer, as `disksim_parameter_sets` is,
whose disks these systems have. `odd` says what a system asks for that may be refused, though each
of its parameters is in its range.
"""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import disksim_parameter_sets as disks

STATS = {
    "iodriver stats = disksim_iodriver_stats": (
        "Print driver {} stats",
        "size locality blocking interference queue crit idle intarr streak stamp per-device",
    ),
    "bus stats = disksim_bus_stats": ("Print bus {} stats", "idle arbwait"),
    "ctlr stats = disksim_ctlr_stats": (
        "Print controller {} stats",
        "cache size locality blocking interference queue crit idle intarr streak stamp per-device",
    ),
    "device stats = disksim_device_stats": (
        "Print device {} stats",
        "queue crit idle intarr size seek latency xfer acctime interfere buffer",
    ),
    "process flow stats = disksim_pf_stats": (
        "Print {}",
        "per-process_stats per-CPU_stats all_interrupt_stats sleep_stats",
    ),
}
COPIES = "Shadowed"
PARITY = ("Parity_disk", "Parity_rotated")
REQUESTS = 40


@dataclass
class System:
    """A drawn system: its files, and what in it may be refused."""

    files: dict[str, str]
    odd: set[str]

    def write(self, folder: Path) -> tuple[Path, Path | None]:
        """Writes it; the file of parameters and, where it takes one, the trace."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        trace = folder / "drawn.trace"
        return folder / "drawn.parv", trace if "drawn.trace" in self.files else None


def draw(seed: int) -> System:
    """The system of a seed."""
    rng = Random(f"disksim system {seed}")  # noqa: S311
    return _Drawing(rng, seed).system()


def _lines(head: str, values: dict[str, object]) -> str:
    return f"{head} {{\n" + ",\n".join(f"  {n} = {v}" for n, v in values.items()) + "\n}\n"


def _list(items: list[str]) -> str:
    return f"[ {', '.join(items)} ]"


class _Drawing:
    """What is drawn of one system, in the order of its file."""

    def __init__(self, rng: Random, seed: int) -> None:
        self.rng = rng
        # Disks that may be refused are drawn by themselves.
        sets = (disks.draw(seed + 500 * at, disks.IN_SYSTEM) for at in range(9_999))
        base = next(one for one in sets if not one.odd)
        self.files = {n: text for n, text in base.files.items() if n != "drawn.diskspecs"}
        self.disk = base.files["drawn.diskspecs"]
        self.odd: set[str] = set()
        self.simple = rng.random() < 0.35
        self.names = [f"disk{at}" for at in range(rng.choice((1, 1, 2, 3, 4, 6)))]
        model = base.files["drawn.model"]
        stated = model.split("Block count = ")[1].split(",")[0]
        # Of a drawn disk a quarter is spare, and less than two tracks of each zone are left free.
        self.blocks = rng.choice((1, 64, 5_000, 500_000)) if self.simple else int(stated) // 4
        self.traced = rng.random() < 0.4

    def flag(self) -> int:
        return self.rng.randint(0, 1)

    def time(self, most: float) -> str:
        """A time in ms, often none."""
        return f"{self.rng.choice((0.0, self.rng.uniform(0.0, most))):.4f}"

    def system(self) -> System:
        rng = self.rng
        parts = [self.heading(), self.driver()]
        chains = rng.choice((1, 1, 1, 2)) if len(self.names) > 1 else 1
        deep = rng.random() < 0.15
        devices = self.devices()
        parts += [self.bus(f"BUS{at}") for at in range(5)]
        parts += [self.controller(f"CTLR{at}", shallow=not deep) for at in range(chains)]
        if deep:
            parts.append(_lines("disksim_ctlr BRIDGE", self.simple_controller(1)))
        parts += [devices, self.wiring(chains, deep=deep)]
        if len(self.names) > 1 and not self.simple and rng.random() < 0.3:
            turning = {"type": "disk", "devices": _list(self.names[:2])}
            parts.append(_lines("disksim_syncset sync0", turning))
        organization, addressed = self.organization()
        parts.append(organization)
        scale = self.time(3.0)
        flow = {"Number of processors": rng.choice((1, 1, 2, 5)), "Process-Flow Time Scale": scale}
        parts.append(_lines("disksim_pf Proc", flow))
        parts.append(self.synthio(addressed))
        if self.traced:
            parts.insert(2, self.mapped(addressed))
        self.files["drawn.parv"] = "".join(parts)
        return System(self.files, self.odd)

    def heading(self) -> str:
        rng = self.rng
        chosen = {
            "Init Seed": rng.randint(-5, 10**6),
            "Init Seed with time": self.flag(),
            "Real Seed": rng.randint(0, 10**6),
            "Real Seed with time": self.flag(),
            rng.choice(("Statistic warm-up time", "Statistic warm-up IOs")): rng.choice((0, 5, 20)),
            "Output file for trace of I/O requests simulated": "arrivals.txt",
            "Detailed execution trace": "executed.txt",
        }
        stated = {n: v for n, v in chosen.items() if rng.random() < 0.5}
        text = _lines("disksim_global Global", {**stated, "Stat definition file": "statdefs"})
        blocks = []
        for head, (form, names) in STATS.items():
            flags = {form.format(n.replace("_", " ")): self.flag() for n in names.split()}
            blocks.append(_lines(head, dict(flags)).rstrip())
        return text + "disksim_stats Stats {\n" + ",\n".join(blocks) + "\n}\n"

    def queue(self) -> str:
        rng = self.rng
        values = {
            "Scheduling policy": rng.randint(1, 18),
            "Cylinder mapping strategy": rng.randint(0, 6),
            "Write initiation delay": self.time(1.0),
            "Read initiation delay": self.time(1.0),
            "Sequential stream scheme": rng.randint(0, 31),
            "Maximum concat size": rng.choice((0, 16, 128)),
            "Overlapping request scheme": rng.randint(0, 2),
            "Sequential stream diff maximum": rng.randint(0, 2),
            "Scheduling timeout scheme": rng.randint(0, 2),
            "Timeout time/weight": rng.choice((0, 1, 30)),
            "Timeout scheduling": rng.randint(1, 18),
            "Scheduling priority scheme": self.flag(),
            "Priority scheduling": rng.randint(1, 18),
        }
        return _lines("disksim_ioqueue", dict(values)).rstrip()

    def driver(self) -> str:
        access = self.rng.choice((*["0.0"] * 30, *[self.time(9.0)] * 6, "-1", "-2", "-3"))
        if access.startswith("-"):
            self.odd.add("measured")
        values = {
            "type": self.rng.randint(0, 3),
            "Constant access time": access,
            "Use queueing in subsystem": self.flag(),
            "Scheduler": self.queue(),
        }
        return _lines("disksim_iodriver DRIVER0", dict(values))

    def bus(self, name: str) -> str:
        values = {
            "type": self.rng.randint(1, 2),
            "Arbitration type": self.rng.randint(1, 2),
            "Arbitration time": self.time(0.2),
            "Read block transfer time": self.time(0.1),
            "Write block transfer time": self.time(0.1),
            "Print stats": self.flag(),
        }
        return _lines(f"disksim_bus {name}", dict(values))

    def simple_controller(self, kind: int) -> dict[str, object]:
        return {
            "type": kind,
            "Scale for delays": self.rng.choice(("0.0", "0.0", self.time(2.0))),
            "Bulk sector transfer time": self.time(0.1),
            "Maximum queue length": self.rng.choice((0, 1, 4, 100)),
            "Print stats": self.flag(),
        }

    def controller(self, name: str, *, shallow: bool) -> str:
        """A controller, of the third kind often with a cache."""
        values = self.simple_controller(self.rng.choice((1, 2, 3, 3) if shallow else (1, 2)))
        if values["type"] == 3:
            values["Scheduler"] = self.queue()
            other = self.rng.random()
            if other < 0.6:
                values["Cache"] = self.memory()
            elif other < 0.75 and len(self.names) > 1 and name == "CTLR0":
                values["Cache"] = self.device_as_cache()
            values["Max per-disk pending count"] = self.rng.choice((0, 1, 4))
        return _lines(f"disksim_ctlr {name}", values)

    def flushing(self) -> dict[str, object]:
        rng = self.rng
        policy, period = self.flag(), rng.choice(("0.0", "20.0", "500.0"))
        if policy == 1 and period == "0.0":
            self.odd.add("period")
        return {
            "Max request size": rng.choice((0, 0, 64, 512)),
            "Write scheme": rng.randint(1, 3),
            "Flush policy": policy,
            "Flush period": period,
            "Flush idle delay": rng.choice(("-1.0", "0.0", "30.0")),
        }

    def memory(self) -> str:
        """A cache of memory."""
        rng = self.rng
        line = rng.choice((1, 8, 16, 64))
        halves = [n for n in (1, 2, 8, line) if line % n == 0]
        values = {
            "Cache size": rng.choice((0, 1024, 8192)),
            "SLRU segments": rng.choice(("[ 1.0 ]", "[ 0.5, 0.5 ]", "[ 0.1, 0.2, 0.7 ]")),
            "Line size": line,
            "Bit granularity": rng.choice(halves),
            "Lock granularity": rng.choice(halves),
            "Shared read locks": self.flag(),
            "Replacement policy": rng.randint(1, 4),
            "Allocation policy": self.flag(),
            "Flush max line cluster": rng.choice((0, 1, 8)),
            "Read prefetch type": rng.randint(0, 3),
            "Write prefetch type": rng.randint(0, 3),
            "Line-by-line fetches": self.flag(),
            "Max gather": rng.choice((0, 1, 7)),
            **self.flushing(),
        }
        return _lines("disksim_cachemem", dict(values)).rstrip()

    def device_as_cache(self) -> str:
        """A disk that caches another, and is none of those that requests name."""
        cache = self.names.pop()
        values = {
            "Cache size": self.blocks,
            **self.flushing(),
            "Cache device": cache,
            "Cached device": "disk0",
        }
        self.cache = cache
        return _lines("disksim_cachedev", values).rstrip()

    cache = ""

    def devices(self) -> str:
        if not self.simple:
            return self.disk.replace("disksim_disk drawn", "disksim_disk DISK", 1)
        rng = self.rng
        values = {
            "Scheduler": self.queue(),
            "Max queue length": rng.choice((0, 1, 8)),
            "Block count": self.blocks,
            "Bus transaction latency": self.time(0.2),
            "Bulk sector transfer time": self.time(0.1),
            "Never disconnect": self.flag(),
            "Print stats": self.flag(),
            "Command overhead": self.time(1.0),
            "Constant access time": self.time(20.0),
            "Access time": self.time(20.0),
        }
        for name in ("Bus transaction latency", "Constant access time"):
            if rng.random() < 0.5:
                del values[name]
        return _lines("disksim_simpledisk DISK", dict(values))

    def wiring(self, chains: int, *, deep: bool) -> str:
        kind = "disksim_simpledisk" if self.simple else "disksim_disk"
        every = [*self.names, *([self.cache] if self.cache else [])]
        named = [("statfoo", "Stats"), ("driver0", "DRIVER0"), ("bus0", "BUS0")]
        trees = []
        for at in range(chains):
            mine = every if self.cache and at == 0 else [] if self.cache else every[at::chains]
            if not mine:
                continue
            leaves = ", ".join(f"{kind} {name} []" for name in mine)
            tree = f"disksim_ctlr ctlr{at} [ disksim_bus bus{1 + at} [ {leaves} ] ]"
            if deep and at == 0:
                tree = f"disksim_ctlr bridge0 [ disksim_bus bus4 [ {tree} ] ]"
                named += [("bridge0", "BRIDGE"), ("bus4", "BUS4")]
            trees.append(tree)
            named += [(f"ctlr{at}", f"CTLR{at}"), (f"bus{1 + at}", f"BUS{1 + at}")]
        lines = [f"instantiate [ {name} ] as {of}\n" for name, of in named]
        lines.append(f"instantiate {_list(every)} as DISK\n")
        tree = f"disksim_bus bus0 [ {', '.join(trees)} ]"
        return "".join(lines) + f"topology disksim_iodriver driver0 [ {tree} ]\n"

    def organization(self) -> tuple[str, tuple[list[str], int]]:
        """How addresses lie on the devices; what may be addressed, and how far."""
        rng, count = self.rng, len(self.names)
        redundancy = "Noredun"
        if count in (2, 4) and rng.random() < 0.4:
            redundancy = COPIES
        elif count > 2 and rng.random() < 0.5:
            redundancy = rng.choice(PARITY)
        distribution = "Striped" if redundancy in PARITY else rng.choice(("Asis", "Striped"))
        if self.simple and redundancy == "Noredun" and rng.random() < 0.2:
            distribution = rng.choice(("Random", "Ideal"))
        array = redundancy != "Noredun" or distribution != "Asis" or self.flag() == 1
        unit = max(1, rng.choice((1, 8, 64)) if distribution != "Asis" else self.blocks)
        unit = min(unit, max(1, self.blocks // 4))
        values = {
            "Addressing mode": "Array" if array else "Parts",
            "Distribution scheme": distribution,
            "Redundancy scheme": redundancy,
            "Components": "Whole",
            "devices": _list(self.names),
            "Stripe unit": unit,
            "Synch writes for safety": self.flag(),
            "Number of copies": 2,
            "Copy choice on read": rng.randint(1, 6),
            "RMW vs. reconstruct": f"{rng.random():.3f}",
            "Parity stripe unit": min(unit * rng.choice((1, 1, 2)), self.blocks),
            "Parity rotation type": rng.randint(1, 4),
            "Time stamp interval": self.time(20.0),
            "Time stamp start time": self.time(100.0),
            "Time stamp stop time": "10000.0",
            "Time stamp file name": "stamps",
        }
        # Whole stripes alone are sure to be there.
        reach = self.blocks // unit * unit if distribution != "Asis" else self.blocks
        return _lines("disksim_logorg org0", dict(values)), (
            ["org0"] if array else self.names,
            max(1, reach // 2),
        )

    def spread(self, least: float, most: float) -> str:
        """A distribution between both, or about there."""
        rng, middle = self.rng, (least + most) / 2
        return rng.choice((
            f"[ uniform, {least:.2f}, {most:.2f} ]",
            f"[ normal, {middle:.2f}, {most - least:.2f} ]",
            f"[ exponential, {least:.2f}, {middle:.2f} ]",
            f"[ poisson, {least:.2f}, {middle:.2f} ]",
            f"[ twovalue, {least:.2f}, {most:.2f}, {rng.random():.2f} ]",
        ))  # fmt: skip

    def synthio(self, addressed: tuple[list[str], int]) -> str:
        rng, (names, reach) = self.rng, addressed
        made = []
        for _ in range(rng.choice((1, 1, 3))):
            unit = rng.choice([n for n in (1, 4, 8) if n * 8 <= reach] or [1])
            sequential, critical = rng.random(), rng.random()
            values = {
                "Storage capacity per device": reach,
                "devices": _list(names),
                "Blocking factor": unit,
                "Probability of sequential access": f"{sequential:.3f}",
                "Probability of local access": f"{rng.uniform(0, 1 - sequential):.3f}",
                "Probability of read access": f"{rng.random():.3f}",
                "Probability of time-critical request": f"{critical:.3f}",
                "Probability of time-limited request": f"{rng.uniform(0, 1 - critical):.3f}",
                "Time-limited think times": self.spread(0.0, 60.0),
                "General inter-arrival times": self.spread(0.0, 40.0),
                "Sequential inter-arrival times": self.spread(0.0, 40.0),
                "Local inter-arrival times": self.spread(0.0, 40.0),
                "Local distances": self.spread(0.0, min(4000.0, reach)),
                "Sizes": self.spread(float(unit), float(min(3 * unit, reach))),
            }
            made.append(_lines("disksim_synthgen", dict(values)).rstrip())
        values = {
            "Number of I/O requests to generate": REQUESTS,
            "Maximum time of trace generated": f"{rng.uniform(50.0, 1000.0):.2f}",
            "System call/return with each request": self.flag(),
            "Think time from call to request": self.time(1.0),
            "Think time from request to return": self.time(1.0),
            "Generators": _list(made),
        }
        return _lines("disksim_synthio Synthio", dict(values))

    def mapped(self, addressed: tuple[list[str], int]) -> str:
        """A trace, and which device of it is which of the system's."""
        rng, (names, reach) = self.rng, addressed
        lines, at = [], 0.0
        for _ in range(REQUESTS):
            at += rng.choice((0.0, 1.0, 30.0))
            size = min(rng.choice((1, 8, 16)), reach)
            lba = rng.randint(0, reach - size)
            device = rng.randrange(len(names))
            lines.append(f"{at:.4f} {device} {lba} {size} {self.flag()}\n")
        self.files["drawn.trace"] = "".join(lines)
        if names == ["org0"]:
            return ""
        maps = []
        for device, name in enumerate(names):
            values = {"tracedev": device, "simdev": name, "locScale": 512, "sizeScale": 1}
            if rng.random() < 0.5:
                values["offset"] = rng.choice((0, reach // 4))
            maps.append(_lines("disksim_iomap", dict(values)).rstrip())
        scale = rng.choice(("1.0", "0.5", "2.0"))
        chosen = {"I/O Trace Time Scale": scale, "I/O Mappings": _list(maps)}
        return _lines("disksim_iosim IS", dict(chosen)) + "instantiate [ iosimfoo ] as IS\n"
