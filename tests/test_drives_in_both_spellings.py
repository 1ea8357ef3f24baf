"""Systems of drives with mechanics give the same bits in TOML and in DiskSim's spelling.

Beside `test_same_by_other_ways`, whose disks have none: schedulers, queues in the drive, arrays,
mirrors, stripes and many drives on one bus.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platterlab import experiment
from platterlab._core import Experiment, Profile, disksim_import
from test_same_by_other_ways import outcome

SEVERAL = 300
"""Random systems when there is time."""

TURN_NS = 1e7
"""Of the made-up drive, at 6,000 rpm."""

# Enough of DiskSim's parameters that each part of a command takes time of its own.
DISK = """
disksim_disk MADE_UP {
  Model = dm_disk MADE_UP_model {
    Block count = 69000, Number of data surfaces = 4, Number of cylinders = 200,
    Mechanical Model = dm_mech_g1 { Access time type = trackSwitchPlusRotation, Seek type = linear,
      Average seek time = 5.0, Single cylinder seek time = 1.0, Full strobe seek time = 12.0,
      Add. write settling delay = 0.3, Head switch time = 0.6, Rotation speed (in rpms) = 6000,
      Percent error in rpms = 0.0 },
    Layout Model = dm_layout_g1 { LBN-to-PBN mapping scheme = 0, Sparing scheme used = 0,
      Rangesize for sparing = 1, Zones = [ ZONE(0, 99, 96), ZONE(100, 199, 80) ] } },
  Max queue length = {depth}, Bulk sector transfer time = 0.11,
  Scheduler = disksim_ioqueue { Scheduling policy = {in_drive}, Cylinder mapping strategy = 1,
    Scheduling timeout scheme = 0, Scheduling priority scheme = 0 },
  Segment size (in blks) = 64, Number of buffer segments = 4, Maximum number of write segments = 2,
  Enable caching in buffer = 1, Buffer continuous read = {reading_on},
  Minimum read-ahead (blks) = 0, Maximum read-ahead (blks) = 64, Read-ahead over requested = 1,
  Fast write level = {fast_writes}, Set watermark by reqsize = 1, Immed transfer partial hit = 1,
  Per-request overhead time = 0.0, Time scale for overheads = 1.0,
  Read hit over. after read = 0.2, Read hit over. after write = 0.3,
  Read miss over. after read = 0.4, Read miss over. after write = 0.5,
  Write hit over. after read = 0.6, Write hit over. after write = 0.7,
  Write miss over. after read = 0.8, Write miss over. after write = 0.9
}
"""
ZONE = """dm_layout_g1_zone { First cylinder number = \\1, Last cylinder number = \\2,
  Blocks per track = \\3, Offset of first block = 0, Empty space at zone front = 0,
  Skew for track switch = 8.0, Skew for cylinder switch = 16.0, Number of spares = 0,
  slips = [], defects = [] }"""

AGED = 'kind = "aged-sptf", weight = {aged}, from_last_sector = true'
WEIGHTED = 'kind = "weighted-sptf", limit_ms = {limit_ms}, from_last_sector = true'
OF_NO_AGE = 'kind = "aged-sptf", weight = 0.0, from_last_sector = true'
CACHED, TO_THE_END = "cache_aware = true", "with_transfer = true"
IN_DRIVER = {
    1: 'kind = "fcfs"', 2: 'kind = "look"', 3: 'kind = "c-look"', 4: 'kind = "sstf"',
    5: 'kind = "lowest-first"', 6: 'kind = "lowest-first"', 7: 'kind = "lowest-first"',
    8: 'kind = "sptf-from-last-sector"',
    9: f"{OF_NO_AGE}, {CACHED}", 10: f"{OF_NO_AGE}, {TO_THE_END}",
    11: WEIGHTED, 12: f"{WEIGHTED}, {CACHED}", 13: f"{WEIGHTED}, {TO_THE_END}",
    14: AGED, 15: f"{AGED}, {CACHED}", 16: f"{AGED}, {TO_THE_END}",
    17: 'kind = "sstf"', 18: 'kind = "lowest-first"', 28: 'kind = "batch"',
}  # fmt: skip
"""Of each policy's number, our words. What was waited counts in seconds: `in_driver`."""
IN_DRIVE = {1: 'kind = "fcfs"', 3: 'kind = "c-look"', 8: 'kind = "sptf-at-once"'}


def in_driver(policy: int, weight: int) -> str:
    """A policy in our own words, with `Timeout time/weight` put in."""
    return IN_DRIVER[policy].format(aged=weight / 1_000, limit_ms=weight * 1_000)


ARBITRATION = {"last-slot": 1, "fcfs": 2}
"""The manual's numbers, and our words for them there."""

ARRAYS = {
    "parity": ("Striped", "Parity_rotated", "raid5"),
    "stripe": ("Striped", "Noredun", "stripe"),
    "mirror": ("Asis", "Shadowed", "mirror"),
}


@dataclass(frozen=True)
class System:
    """What both spellings say, and its trace."""

    shape: str
    drives: int
    depth: int
    policy: int
    in_drive: int
    bus_ms: float
    bus_kind: int
    arbitration: str
    unit: int
    share: float
    reading_on: int
    fast_writes: int
    trace: str
    weight: int = 600

    @property
    def names(self) -> list[str]:
        """Of its drives."""
        return [f"disk{index}" for index in range(self.drives)]

    @property
    def buses(self) -> int:
        """Those that drives are attached to."""
        return 1 if self.shape == "apart" else self.drives

    def disk(self) -> str:
        """Its drives, in DiskSim's spelling."""
        text = re.sub(r"ZONE\((\d+), (\d+), (\d+)\)", ZONE, DISK)
        for name in ("depth", "in_drive", "reading_on", "fast_writes"):
            text = text.replace(f"{{{name}}}", str(getattr(self, name)))
        return text

    def parv(self) -> str:
        """All else, in DiskSim's spelling."""
        hung = [f"disksim_disk {name} []" for name in self.names]
        branches = [", ".join(hung)] if self.buses == 1 else hung
        tree = ", ".join(
            f"disksim_ctlr ctlr{at} [ disksim_bus bus{at + 1} [ {branch} ] ]"
            for at, branch in enumerate(branches)
        )
        distribution, redundancy, ours = ARRAYS.get(self.shape, ("Asis", "Noredun", ""))
        times = "Read block transfer time = {0}, Write block transfer time = {0}, Print stats = 0"
        return f"""
disksim_iodriver DRIVER {{ type = 1, Constant access time = 0.0,
  Scheduler = disksim_ioqueue {{ Scheduling policy = {self.policy}, Cylinder mapping strategy = 1,
    Scheduling timeout scheme = 0, Timeout time/weight = {self.weight},
    Scheduling priority scheme = 0 }},
  Use queueing in subsystem = 1 }}
disksim_bus FRONT {{ type = 2, Arbitration type = 1, Arbitration time = 0.0, {times.format(0.0)} }}
disksim_bus BACK {{ type = {self.bus_kind}, Arbitration time = 0.0,
  Arbitration type = {ARBITRATION[self.arbitration]}, {times.format(self.bus_ms)} }}
disksim_ctlr CTLR {{ type = 1, Scale for delays = 0.0, Bulk sector transfer time = 0.0,
  Maximum queue length = 0, Print stats = 0 }}
source made-up.diskspecs
instantiate [ driver0 ] as DRIVER
instantiate [ bus0 ] as FRONT
instantiate [ bus1 .. bus{self.buses} ] as BACK
instantiate [ ctlr0 .. ctlr{self.buses - 1} ] as CTLR
instantiate [ disk0 .. disk{self.drives - 1} ] as MADE_UP
topology disksim_iodriver driver0 [ disksim_bus bus0 [ {tree} ] ]
disksim_logorg org0 {{ Addressing mode = {"Array" if ours else "Parts"},
  Distribution scheme = {distribution}, Redundancy scheme = {redundancy},
  devices = [ {", ".join(self.names)} ], Stripe unit = {self.unit}, Synch writes for safety = 0,
  Number of copies = {self.drives if ours == "mirror" else 2}, Copy choice on read = 3,
  RMW vs. reconstruct = {self.share}, Parity stripe unit = {self.unit}, Parity rotation type = 1 }}
"""

    def volumes(self) -> list[tuple[str, list[str], str]]:
        """Name, drives and layout of each volume, in TOML."""
        unit = f'unit = "{self.unit * 512}"'
        layout = {
            "parity": f'kind = "raid5", {unit}, '
            f'update = {{ kind = "modify-up-to", share = {self.share} }}',
            "stripe": f'kind = "stripe", {unit}',
            "mirror": f'kind = "mirror", copies = {self.drives}, read = "round-robin"',
        }
        if self.shape in layout:
            return [("org0", self.names, layout[self.shape])]
        return [(f"of-{name}", [name], 'kind = "concat"') for name in self.names]

    def toml(self) -> str:
        """All of it in TOML; the drives' profile lies beside it."""
        text = f"[host]\nscheduler = {{ {in_driver(self.policy, self.weight)} }}\n"
        text += '[[bus]]\nname = "bus0"\nsharing = "interleaved"\n'
        for at in range(self.buses):
            text += f'[[controller]]\nname = "ctlr{at}"\nbus = "bus0"\n'
            text += f'[[bus]]\nname = "bus{at + 1}"\ncontroller = "ctlr{at}"\n'
            text += f'sharing = "{"exclusive" if self.bus_kind == 1 else "interleaved"}"\n'
            text += f"read_sector_ms = {self.bus_ms}\nwrite_sector_ms = {self.bus_ms}\n"
            text += f'arbitration = "{self.arbitration}"\n'
        for at, name in enumerate(self.names):
            text += f'[[drive]]\nname = "{name}"\nprofile = "made-up.toml"\nat_index = true\n'
            text += f"depth = {self.depth}\nscheduler = {{ {IN_DRIVE[self.in_drive]} }}\n"
            if self.depth > 1 and self.in_drive != 1:
                text += "choose_at_rest = true\n"
            text += f'bus = "bus{at % self.buses + 1}"\n'
        for name, drives, how in self.volumes():
            text += f'[[volume]]\nname = "{name}"\ndrives = {json.dumps(drives)}\n'
            text += f"layout = {{ {how} }}\n"
        text += '[[workload]]\nkind = "trace"\nfile = "made-up.trace"\nformat = "disksim-ascii"\n'
        text += 'timing = { kind = "open", own_clock = true }\n'
        for at, (name, _, _) in enumerate(self.volumes()):
            text += f'[[workload.map]]\ndevice = {at}\nvolume = "{name}"\n'
        return text


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Drives on a bus, each a volume of its own, or an array with a bus for each."""
    shape = draw(st.sampled_from(("apart", *ARRAYS)))
    least = {"apart": 1, "parity": 3}.get(shape, 2)
    drives = draw(st.integers(least, least + 3))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gaps_ms = draw(st.lists(st.sampled_from((0.0, 0.5, 4.0, 30.0)), min_size=20, max_size=120))
    devices = drives if shape == "apart" else 1
    return System(
        shape=shape,
        drives=drives,
        depth=draw(st.sampled_from((1, 2, 8))),
        policy=draw(st.sampled_from(sorted(IN_DRIVER))),
        weight=draw(st.sampled_from((1, 6, 600))),
        in_drive=draw(st.sampled_from(sorted(IN_DRIVE))),
        bus_ms=draw(st.sampled_from((0.0, 0.05))),
        bus_kind=draw(st.integers(1, 2)),
        arbitration=draw(st.sampled_from(sorted(ARBITRATION))),
        unit=draw(st.sampled_from((8, 64))),
        share=draw(st.sampled_from((0.0, 0.5))),
        reading_on=draw(st.sampled_from((0, 1, 4))),
        fast_writes=draw(st.sampled_from((0, 2))),
        trace="".join(
            f"{at_ms:.6f} {chance.integers(devices)} {chance.integers(8_000) * 8} "
            f"{chance.choice((8, 16, 48))} {chance.integers(2)}\n"
            for at_ms in np.cumsum(gaps_ms)
        ),
    )


def as_in_systems(profile: Profile) -> Profile:
    """A drive's own profile as DiskSim's systems have it."""
    values = {"spindle.sector_lag_ns": TURN_NS / 2**24, "cache.read_ahead_over_unsent": False}
    cache = tomllib.loads(profile.to_toml()).get("cache", {})
    if cache.get("read_ahead") == "track" and cache.get("read_ahead_next_track"):
        values |= {"cache.read_ahead": "track-or-next", "cache.read_ahead_next_track": False}
    return profile.with_overrides(values)


def same_in_both(folder: Path, system: System) -> None:
    """Whether a system is the same in both."""
    texts = {"diskspecs": system.disk(), "parv": system.parv(), "trace": system.trace}
    for suffix, text in texts.items():
        (folder / f"made-up.{suffix}").write_text(text, encoding="ascii")
    drive, *_ = disksim_import(folder / "made-up.diskspecs", None, [], True)
    (folder / "made-up.toml").write_text(as_in_systems(drive).to_toml(), encoding="utf-8")
    imported = experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace")
    told = outcome(imported)
    assert told == outcome(Experiment.parse(system.toml(), "made up", folder, {}))
    assert told["served"] == system.trace.count("\n")


@settings(max_examples=15, deadline=None)
@given(system=systems())
def test_drives_are_the_same_in_toml_and_in_disksims_spelling(
    tmp_path_factory: pytest.TempPathFactory, system: System
) -> None:
    same_in_both(tmp_path_factory.mktemp("drives"), system)


@pytest.mark.soak
@settings(max_examples=SEVERAL, deadline=None)
@given(system=systems())
def test_many_drives_are_the_same_in_both_spellings(
    tmp_path_factory: pytest.TempPathFactory, system: System
) -> None:
    same_in_both(tmp_path_factory.mktemp("drives"), system)
