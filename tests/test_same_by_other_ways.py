"""What can be said in several ways gives the same bits in each.

Parts that do nothing, volumes over one drive, a replay, and DiskSim's spelling.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platterlab import experiment, library
from platterlab._core import Experiment, InputError, Replay

SEVERAL = 1_000
"""Random systems in both spellings when there is time."""

PROFILES = ("hp-97560", "hp-c2200a", "mock", "seagate-barracuda-st15150w")


def outcome(plan: Experiment) -> dict[str, Any]:
    """A run's figures but those of buses and caches, of which there may be one more or fewer."""
    runs = plan.start(1, False).finish()["runs"]
    report = runs[0]["report"]
    kept = ("offered", "served", "refused", "response_ms", "classes", "commands", "mechanics")
    return {key: report[key] for key in kept}


def run(text: str) -> dict[str, Any]:
    """Those of an experiment file."""
    return outcome(Experiment.parse(text, "made up", Path.cwd(), {}))


@st.composite
def workloads(draw: st.DrawFn) -> str:
    """Requests at random."""
    gap_ms = draw(st.floats(2.0, 40.0))
    return (
        f"seed = {draw(st.integers(1, 2**32 - 1))}\n[stop]\nrequests = 400\n"
        '[[workload]]\nkind = "open"\n'
        f'interval_ms = {{ kind = "exponential", mean = {gap_ms} }}\n'
        'pattern = { span = "256M", '
        f"read_share = {draw(st.floats(0.0, 1.0))}, "
        f"sequential_share = {draw(st.floats(0.0, 0.6))}, "
        f'size_sectors = {{ kind = "exponential", mean = {draw(st.floats(1.0, 40.0))} }} }}\n'
    )


def parts(profile: str, drive: str = "", *more: str) -> str:
    """A drive with more keys, and other parts."""
    return f'[[drive]]\nname = "d"\nprofile = "{profile}"\n{drive}' + "".join(more)


VOLUMES = {
    "stripe over one": 'layout = { kind = "raid0", unit = "64k" }\n',
    "concatenation of one": 'layout = { kind = "concat" }\n',
}

WAYS = {
    "a bus of its own that takes no time": parts(
        "{profile}", 'bus = "b"\n', '[[bus]]\nname = "b"\n'
    ),
    "a controller that does nothing": parts(
        "{profile}",
        'bus = "b"\n',
        '[[controller]]\nname = "c"\n[[bus]]\nname = "b"\ncontroller = "c"\n',
    ),
    "combining of nothing": parts("{profile}", 'rules = { overlap = "free" }\n'),
    "merging that is off": parts(
        "{profile}",
        "",
        '[host]\nrules = { combine = { max_size = "64k", reads = false, writes = false } }\n',
    ),
    **{
        name: parts("{profile}", "", f'[[volume]]\nname = "v"\ndrives = ["d"]\n{layout}')
        for name, layout in VOLUMES.items()
    },
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_parts_that_do_nothing_change_no_bit(way: str, data: st.DataObject) -> None:
    profile, workload = data.draw(st.sampled_from(PROFILES)), data.draw(workloads())
    plain = run(workload + parts(profile))
    assert run(workload + WAYS[way].replace("{profile}", profile)) == plain
    assert plain["served"] == 400


@pytest.mark.parametrize(
    ("none", "said"),
    [
        (
            parts("mock", "", '[[volume]]\nname = "v"\ndrives = ["d"]\n'
                  'layout = { kind = "mirror", copies = 1, read = "random" }\n'),
            "copies: 1 is out of range; write a whole number from 2 to 1000",
        ),
        (
            parts("mock", 'bus = "b"\n', '[[controller]]\nname = "c"\n'
                  'cache = { size = "0", line = "8k" }\n[[bus]]\nname = "b"\ncontroller = "c"\n'),
            "size: 0 bytes are not whole sectors of 512 bytes, at least one",
        ),
    ],
    ids=["a mirror of one", "a cache of size 0"],
)  # fmt: skip
def test_what_would_be_none_is_left_out_and_not_stated(none: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        run("[stop]\nrequests = 10\n" + none + '[[workload]]\nkind = "closed"\npopulation = 1\n')


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_one_drive_in_the_order_of_arrival_is_the_replay(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    trace = tmp_path_factory.mktemp("replay") / "made-up.trace"
    gaps_ms = data.draw(st.lists(st.integers(0, 40), min_size=5, max_size=200))
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    arrivals = np.cumsum(gaps_ms)
    trace.write_text(
        "".join(
            f"{at:.6f} 0 {chance.integers(0, 400_000)} {chance.integers(1, 64)} "
            f"{chance.integers(2)}\n"
            for at in arrivals
        ),
        encoding="ascii",
    )
    profile = data.draw(st.sampled_from(PROFILES))
    replay = Replay(library.load(profile), trace, "disksim-ascii")
    alone = []
    while (rows := replay.next(1_000)) is not None:
        alone.append(rows)
    job = experiment.of_trace(trace, profile, scheduler="fcfs").start(1, True)
    queued = []
    while (both := job.rows(50)) is not None:
        queued.append(both[0])
    job.finish()
    for column in ("arrival_ms", "completion_ms", "response_ms", "lba", "cache", "cylinder"):
        one, other = (np.concatenate([rows[column] for rows in way]) for way in (alone, queued))
        assert one.tolist() == other.tolist(), column


# The manual's numbers of policies, and our words for them.
POLICIES = {1: 'kind = "fcfs"', 2: 'kind = "look"', 3: 'kind = "c-look"', 4: 'kind = "sstf"'}
BLOCKS = 200_000
"""Of each disk: a multiple of every stripe unit."""


@st.composite
def traces(draw: st.DrawFn) -> str:
    """Requests for a volume of at least one disk, in DiskSim's format."""
    gaps = draw(st.lists(st.integers(0, 200), min_size=5, max_size=80))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return "".join(
        f"{at / 8:.6f} 0 {chance.integers(0, BLOCKS - 64)} {chance.integers(1, 40)} "
        f"{chance.integers(2)}\n"
        for at in np.cumsum(gaps)
    )


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, str, str]:
    """A system of disks without mechanics as DiskSim's parameters, as TOML, and a trace for it."""
    disks = draw(st.integers(2, 6))
    policy = draw(st.sampled_from(sorted(POLICIES)))
    access_ms, overhead_ms = (draw(st.integers(0, 200)) / 16 for _ in range(2))
    sector_ms, bus_ms = (draw(st.sampled_from((0.0, 0.03125, 0.0625))) for _ in range(2))
    depth = draw(st.integers(1, 4))
    unit = draw(st.sampled_from((8, 16, 64)))
    shape = draw(st.sampled_from(("stripe", "parity", "mirror")))
    redundancy = {"stripe": "Noredun", "parity": "Parity_rotated", "mirror": "Shadowed"}[shape]
    if shape == "parity":
        disks = max(disks, 3)
    copies = disks if shape == "mirror" else 2
    distribution = "Asis" if shape == "mirror" else "Striped"
    parv = f"""
disksim_iodriver DRIVER {{ type = 1, Constant access time = 0.0,
  Scheduler = disksim_ioqueue {{ Scheduling policy = {policy}, Cylinder mapping strategy = 0,
    Scheduling timeout scheme = 0, Scheduling priority scheme = 0 }},
  Use queueing in subsystem = 1 }}
disksim_bus BUS {{ type = 1, Arbitration type = 2, Arbitration time = 0.0,
  Read block transfer time = {bus_ms}, Write block transfer time = {bus_ms}, Print stats = 0 }}
disksim_simpledisk SIMPLE {{ Block count = {BLOCKS}, Access time = {access_ms},
  Command overhead = {overhead_ms}, Bus transaction latency = 0.0,
  Bulk sector transfer time = {sector_ms}, Max queue length = {depth} }}
instantiate [ driver0 ] as DRIVER
instantiate [ bus0 ] as BUS
instantiate [ disk0 .. disk{disks - 1} ] as SIMPLE
topology disksim_iodriver driver0 [ disksim_bus bus0 [
  {", ".join(f"disksim_simpledisk disk{index} []" for index in range(disks))} ] ]
disksim_logorg org0 {{ Addressing mode = Array, Distribution scheme = {distribution},
  Redundancy scheme = {redundancy}, devices = [ disk0 .. disk{disks - 1} ], Stripe unit = {unit},
  Synch writes for safety = 0, Number of copies = {copies}, Copy choice on read = 3,
  RMW vs. reconstruct = 0.5, Parity stripe unit = {unit}, Parity rotation type = 1 }}
"""
    layout = {
        "stripe": f'kind = "stripe", unit = "{unit * 512}"',
        "parity": f'kind = "raid5", unit = "{unit * 512}", '
        'update = { kind = "modify-up-to", share = 0.5 }',
        "mirror": f'kind = "mirror", copies = {copies}, read = "round-robin"',
    }[shape]
    toml = f"""
[host]
scheduler = {{ {POLICIES[policy]} }}
[[bus]]
name = "bus0"
read_sector_ms = {bus_ms}
write_sector_ms = {bus_ms}
[[drive]]
name = "disk"
count = {disks}
bus = "bus0"
depth = {depth}
simple = {{ size = "{BLOCKS * 512}", access = {{ kind = "constant", time_ms = {access_ms} }}, \
overhead_ms = {overhead_ms}, sector_ms = {sector_ms} }}
[[volume]]
name = "org0"
drives = {json.dumps([f"disk{index}" for index in range(disks)])}
layout = {{ {layout} }}
[[workload]]
kind = "trace"
file = "made-up.trace"
format = "disksim-ascii"
timing = {{ kind = "open", own_clock = true }}
"""
    return parv, toml, draw(traces())


def same_in_both_spellings(folder: Path, both: tuple[str, str, str]) -> None:
    """Whether a system is the same in both."""
    parv, toml, trace = both
    (folder / "made-up.trace").write_text(trace, encoding="ascii")
    (folder / "made-up.parv").write_text(parv, encoding="ascii")
    imported = experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace")
    assert outcome(imported) == outcome(Experiment.parse(toml, "made up", folder, {}))


@settings(max_examples=25, deadline=None)
@given(both=spellings())
def test_a_system_is_the_same_in_toml_and_in_disksims_spelling(
    tmp_path_factory: pytest.TempPathFactory, both: tuple[str, str, str]
) -> None:
    same_in_both_spellings(tmp_path_factory.mktemp("both"), both)


@pytest.mark.soak
@settings(max_examples=SEVERAL, deadline=None)
@given(both=spellings())
def test_many_systems_are_the_same_in_both_spellings(
    tmp_path_factory: pytest.TempPathFactory, both: tuple[str, str, str]
) -> None:
    same_in_both_spellings(tmp_path_factory.mktemp("both"), both)
