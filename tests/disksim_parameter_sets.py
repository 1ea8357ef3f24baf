"""DiskSim parameter files drawn from the ranges that its parameter reference documents.

Written from that reference alone, without a look at the importer. A set is plain where everything
in it fits together; of the others `odd` says which parameters do not fit each other, though each of
them is in its range, and only for one of these may the set be refused.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

FLAGS = (
    "Hold bus entire read xfer",
    "Hold bus entire write xfer",
    "Allow almost read hits",
    "Allow sneaky full read hits",
    "Allow sneaky partial read hits",
    "Allow sneaky intermediate read hits",
    "Allow read hits on write data",
    "Allow write prebuffering",
    "Never disconnect",
    "Print stats",
    "Use separate write segment",
    "Set watermark by reqsize",
    "Calc sector by sector",
    "Read-ahead on idle hit",
    "Read any free blocks",
    "Combine seq writes",
    "Stop prefetch in sector",
    "Disconnect write if seek",
    "Write hit stop prefetch",
    "Read directly to buffer",
    "Immed transfer partial hit",
    "Extra write disconnect",
)
Ranges = dict[str, tuple[int, int]]
"""By parameter."""

WHOLE: Ranges = {
    "Preseeking level": (0, 2),
    "Enable caching in buffer": (0, 2),
    "Buffer continuous read": (0, 4),
    "Read-ahead over requested": (-1, 1),
    "Fast write level": (0, 2),
    "Immediate buffer read": (0, 2),
    "Immediate buffer write": (0, 2),
    "Max queue length": (0, 64),
    "Segment size (in blks)": (1, 2_000),
    "Number of buffer segments": (0, 32),
    "Maximum number of write segments": (0, 32),
    "Avg sectors per cylinder": (-1, 100_000),
    "Minimum read-ahead (blks)": (0, 2_000),
    "Maximum read-ahead (blks)": (0, 2_000),
}
"""Where the reference has no range, what such a number can mean."""
SCHEDULER: Ranges = {
    "Scheduling policy": (1, 27),
    "Cylinder mapping strategy": (0, 6),
    "Sequential stream scheme": (-1, 31),
    "Maximum concat size": (0, 512),
    "Overlapping request scheme": (0, 2),
    "Sequential stream diff maximum": (0, 2),
    "Scheduling timeout scheme": (0, 2),
    "Timeout time/weight": (0, 100),
    "Timeout scheduling": (0, 21),
    "Scheduling priority scheme": (0, 1),
    "Priority scheduling": (0, 21),
}
IN_SYSTEM: Ranges = SCHEDULER | {
    "Scheduling policy": (1, 18),
    "Sequential stream scheme": (0, 31),
    "Sequential stream diff maximum": (0, 0),
    "Scheduling timeout scheme": (0, 0),
    "Scheduling priority scheme": (0, 0),
}
"""The same for a disk of a system: what is honoured there."""
TIMES = (
    "Bulk sector transfer time",
    "Per-request overhead time",
    "Time scale for overheads",
    "Read hit over. after read",
    "Read hit over. after write",
    "Read miss over. after read",
    "Read miss over. after write",
    "Write hit over. after read",
    "Write hit over. after write",
    "Write miss over. after read",
    "Write miss over. after write",
    "Read completion overhead",
    "Write completion overhead",
    "Data preparation overhead",
    "First reselect overhead",
    "Other reselect overhead",
    "Read disconnect afterread",
    "Read disconnect afterwrite",
    "Write disconnect overhead",
    "Extradisc command overhead",
    "Extradisc disconnect overhead",
    "Extradisc inter-disconnect delay",
    "Extradisc 2nd disconnect overhead",
    "Extradisc seek delta",
    "Minimum seek delay",
)
SEEK_TYPES = ("linear", "curve", "constant", "hpl", "hplplus10", "extracted")
SLIPPING = (1, 4, 5, 6, 8, 9, 10)
"""Sparing schemes whose zones may slip."""
ACCESS_TYPES = ("constant", "averageRotation", "trackSwitchPlusRotation")


@dataclass
class Set:
    """A drawn set, by the names of its files, and what in it does not fit together."""

    seed: int
    files: dict[str, str] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """Writes it; the file to import."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder / "drawn.diskspecs"


def draw(seed: int, scheduler: Ranges = SCHEDULER) -> Set:
    """The set of a seed; `scheduler` has the ranges of its queue's numbers."""
    rng = Random(f"disksim parameter set {seed}")  # noqa: S311
    drawn = Set(seed)
    surfaces, cylinders = rng.randint(1, 21), rng.randint(20, 4000)
    layout, blocks = _layout(rng, drawn, surfaces, cylinders)
    body = [
        f"Number of data surfaces = {surfaces}",
        f"Number of cylinders = {cylinders}",
        f"Block count = {blocks}",
        f"Layout Model = {layout}",
        f"Mechanical Model = {_mechanics(rng, drawn, cylinders)}",
    ]
    drawn.files["drawn.model"] = f"dm_disk drawn_model {_block(body)}\n"
    drawn.files["drawn.diskspecs"] = f"disksim_disk drawn {_block(_disk(rng, scheduler))}\n"
    return drawn


def _block(lines: list[str]) -> str:
    return "{\n" + ",\n".join(lines) + "\n}"


def _ms(rng: Random, most: float) -> str:
    return f"{rng.choice((0.0, rng.uniform(0.0, most))):.6f}"


def _layout(rng: Random, drawn: Set, surfaces: int, cylinders: int) -> tuple[str, int]:
    scheme = rng.randint(0, 10)
    count = min(rng.choice((1, 1, 3, 8, 14)), cylinders // 10)
    edges = [rng.randint(0, 2), *sorted(rng.sample(range(3, cylinders), count - 1)), cylinders]
    units = rng.choice(("", "sectors", "revolutions"))
    zones, blocks = [], 0
    for first, next_first in pairwise(edges):
        # Cylinders between zones, and behind the last one, hold nothing.
        end = next_first - min(rng.choice((0, 0, 5)), (next_first - first) // 4)
        length = rng.randint(20, 500)
        # Of a zone a quarter at most is spare; sectors of a track or a cylinder stay fewer still.
        whole = surfaces * (end - first)
        most = {1: whole, 3: length, 2: surfaces * length, 4: surfaces * length}.get(
            scheme, whole if scheme == 0 else surfaces * length
        )
        spares = rng.choice((rng.randint(0, most // 4), min(rng.randint(4, 12), most // 4)))
        slots = whole if scheme == 1 else whole * length
        most = min(spares, rng.randint(0, 6), slots // 2) if scheme in SLIPPING else 0
        slips = sorted(rng.sample(range(max(1, slots // 2)), most))
        cylinder = surfaces * length
        data = {4: range(cylinder - spares), 6: range(spares, cylinder)}.get(scheme)
        # What a slip of a sector is that is kept for remaps alone, the manual leaves open.
        if data is not None and any(at % cylinder not in data for at in slips):
            drawn.odd.append("slips")
        defects = []
        roomy = spares >= 4 and length >= 30 and whole >= 20
        if scheme not in (0, 7) and roomy and spares <= 12 and rng.random() < 0.5:
            # Two slips and a spare remapped to itself: sectors of the third track, or tracks.
            place = 5 if scheme == 1 else 2 * length + 13
            slips, defects = [place, place + 1], 2 * [place + 2]
        turn = 1.0 if units == "revolutions" else float(length)
        lines = [
            f"First cylinder number = {first}",
            f"Last cylinder number = {end - 1}",
            f"Blocks per track = {length}",
            f"Offset of first block = {rng.choice((0.0, rng.uniform(-0.3, 0.99) * turn)):.4f}",
            f"Empty space at zone front = {rng.choice((0, 0, rng.randint(0, length - 1)))}",
            f"Skew for track switch = {rng.uniform(-0.3, 0.6) * turn:.4f}",
            f"Skew for cylinder switch = {rng.uniform(-0.3, 0.9) * turn:.4f}",
            f"Number of spares = {spares}",
            f"slips = [{', '.join(map(str, slips))}]",
            f"defects = [{', '.join(map(str, defects))}]",
        ]
        zones.append(f"dm_layout_g1_zone {_block(lines)}")
        blocks += whole * length
    body = [
        f"LBN-to-PBN mapping scheme = {rng.randint(0, 2)}",
        f"Sparing scheme used = {scheme}",
        f"Rangesize for sparing = {rng.randint(1, 12)}",
        f"Zones = [ {', '.join(zones)} ]",
    ]
    if units:
        body.append(f"Skew units = {units}")
    return f"dm_layout_g1 {_block(body)}", blocks


def _mechanics(rng: Random, drawn: Set, cylinders: int) -> str:
    single = rng.uniform(0.2, 3.5)
    full = single + rng.uniform(0.0, 25.0)
    average = single + rng.uniform(0.35, 0.7) * (full - single)
    kind = rng.choice(SEEK_TYPES)
    if rng.random() < 0.1:
        single, average, full = (rng.uniform(0.0, 25.0) for _ in range(3))
        drawn.odd.append("seek")
    constant = rng.uniform(0.0, 20.0)
    settle = rng.choice((0.0, rng.uniform(0.0, 1.0), -rng.uniform(0.0, 0.7)))
    # A formula of HP's may have the time of a single cylinder beside it.
    least = {"constant": constant, "extracted": 0.7}.get(kind, single)
    least = min(least, 0.7) if kind.startswith("hpl") else least
    head = rng.choice((0.0, rng.uniform(0.0, 2.0)))
    access = rng.choice(ACCESS_TYPES) if rng.random() < 0.2 else ACCESS_TYPES[2]
    speed = 1 if rng.random() < 0.1 else rng.randint(1800, 15_100)
    if speed == 1:
        drawn.odd.append("slow")
    lines = [
        f"Access time type = {access}",
        f"Seek type = {kind}",
        f"Constant access time = {rng.uniform(0.0, 30.0):.4f}",
        f"Average seek time = {average:.4f}",
        f"Constant seek time = {constant:.4f}",
        f"Single cylinder seek time = {single:.4f}",
        f"Full strobe seek time = {full:.4f}",
        f"Add. write settling delay = {settle:.4f}",
        f"Head switch time = {head:.4f}",
        f"Rotation speed (in rpms) = {speed}",
        f"Percent error in rpms = {rng.choice((0.0, rng.uniform(0.0, 100.0))):.4f}",
    ]
    if kind in ("hpl", "hplplus10"):
        edge = rng.randint(1, cylinders)
        a, b, e = rng.uniform(1, 5), rng.uniform(0.05, 0.6), rng.uniform(0.0005, 0.02)
        values = (edge, a, b, max(0.1, a + b * edge**0.5 - e * edge), e, rng.choice((-1.0, single)))
        lines.append(f"HPL seek equation values = [ {', '.join(f'{v:.4f}' for v in values)} ]")
        ten = ", ".join(f"{a + b * d**0.5 + rng.uniform(-0.1, 0.1):.4f}" for d in range(1, 11))
        lines.append(f"First ten seek times = [ {ten} ]")
    if kind == "extracted":
        lines.append("Full seek curve = drawn.seek")
        at = sorted({1, cylinders - 1, *(rng.randint(1, cylinders - 1) for _ in range(40))})
        scatter = rng.choice(("", ",\t0.01"))
        rows = [f"{d},\t{1.0 + 0.2 * d**0.5 + rng.uniform(-0.05, 0.05):.5f}{scatter}" for d in at]
        count = rng.choice(([], [f"Seek distances measured: {len(at)}"]))
        drawn.files["drawn.seek"] = "\n".join([*count, *rows]) + "\n"
    # A delay below 0 shortens seeks and switches, and none may take less than no time.
    if min(head, least) + settle < 0:
        drawn.odd.append("settling")
    return f"dm_mech_g1 {_block(lines)}"


def _disk(rng: Random, scheduler: Ranges) -> list[str]:
    queue = [
        f"Write initiation delay = {_ms(rng, 1.0)}",
        f"Read initiation delay = {_ms(rng, 1.0)}",
        *_whole(rng, scheduler),
    ]
    lines = [
        "Model = source drawn.model",
        f"Scheduler = disksim_ioqueue {_block(queue)}",
        f"Low (write) water mark = {rng.random():.4f}",
        f"High (read) water mark = {rng.random():.4f}",
    ]
    lines += _whole(rng, dict.fromkeys(FLAGS, (0, 1)) | WHOLE)
    lines += [f"{name} = {_ms(rng, 3.0)}" for name in TIMES]
    return lines


def _whole(rng: Random, ranges: Ranges) -> list[str]:
    return [f"{name} = {rng.randint(*ends)}" for name, ends in ranges.items()]
