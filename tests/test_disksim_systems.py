"""Whole systems of DiskSim's files, by the command: arrays, buses, caches, and values that are set.

What is imported answers each request as our own spelling does; what is refused has its reason in
the message and in the reference, and what is said to stand instead runs.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from conftest import ROOT
from test_disksim_policies import write
from test_disksim_values import CACHING, REQUESTS, SYSTEMS
from test_drives_in_both_spellings import System

ARRAY = SYSTEMS["parity"]
REDUNDANT = ("Shadowed", "Parity_disk", "Parity_rotated")
NO_FIXED_PLACE = ("Random", "Ideal")


def rows(run: Callable[..., Any], target: Path, *line: object) -> dict[str, list[Any]]:
    """A row for each request."""
    run(*line, "--requests", target, "--json").json()
    return pq.read_table(target).to_pydict()


def with_schemes(distribution: str, redundancy: str) -> str:
    """The array with other schemes."""
    text = ARRAY.parv().replace(
        "Distribution scheme = Striped", f"Distribution scheme = {distribution}"
    )
    return text.replace("Redundancy scheme = Parity_rotated", f"Redundancy scheme = {redundancy}")


def our_layout(system: System, layout: str) -> str:
    """The array in our own spelling with another layout."""
    text, count = re.subn(
        r"layout = \{ kind = \"raid5\".*\}\n", f"layout = {{ {layout} }}\n", system.toml()
    )
    assert count == 1
    return text


UNIT = f'unit = "{ARRAY.unit * 512}"'
UPDATE = f'update = {{ kind = "modify-up-to", share = {ARRAY.share} }}'
SPELLINGS = {
    ("Random", "Noredun"): 'kind = "balanced", choice = "random"',
    ("Ideal", "Noredun"): 'kind = "balanced", choice = "round-robin"',
    ("Asis", "Noredun"): 'kind = "concat"',
    ("Striped", "Noredun"): f'kind = "stripe", {UNIT}',
    ("Asis", "Shadowed"): 'kind = "mirror", copies = 2, read = "round-robin"',
    ("Striped", "Shadowed"): f'kind = "mirror", copies = 2, read = "round-robin", {UNIT}',
    ("Striped", "Parity_disk"): f'kind = "raid4", {UNIT}, {UPDATE}',
    ("Striped", "Parity_rotated"): f'kind = "raid5", {UNIT}, {UPDATE}',
}


@pytest.mark.parametrize("schemes", SPELLINGS, ids="-".join)
def test_an_array_answers_each_request_as_in_our_own_spelling(
    run: Callable[..., Any], tmp_path: Path, schemes: tuple[str, str]
) -> None:
    line = write(tmp_path, ARRAY, with_schemes(*schemes))
    theirs = rows(run, tmp_path / "theirs.parquet", *line)
    (tmp_path / "system.toml").write_text(our_layout(ARRAY, SPELLINGS[schemes]), encoding="utf-8")
    ours = rows(run, tmp_path / "ours.parquet", "simulate", tmp_path / "system.toml")
    assert theirs == ours
    assert len(theirs["request"]) == REQUESTS


def test_arrays_that_differ_give_different_answers(run: Callable[..., Any], tmp_path: Path) -> None:
    given: dict[tuple[str, str], list[float]] = {}
    for schemes in SPELLINGS:
        line = write(tmp_path, ARRAY, with_schemes(*schemes))
        given[schemes] = rows(run, tmp_path / "rows.parquet", *line)["completion_ms"]
    for one in given:
        assert [other for other in given if given[other] == given[one]] == [one]


def refusals() -> str:
    """The table of the reference."""
    page = (ROOT / "docs/how-to/import-disksim.md").read_text(encoding="utf-8")
    return page.partition("## What is refused, and why")[2]


@pytest.mark.parametrize("redundancy", REDUNDANT)
@pytest.mark.parametrize("distribution", NO_FIXED_PLACE)
def test_no_copy_and_no_parity_of_what_has_no_fixed_place(
    run: Callable[..., Any], tmp_path: Path, distribution: str, redundancy: str
) -> None:
    refused = run(*write(tmp_path, ARRAY, with_schemes(distribution, redundancy)))
    said = " ".join(refused.err.split())
    assert refused.code == 2
    assert re.search(rf"made-up\.parv, line \d+.*`{redundancy}` over data of no fixed place", said)
    [row] = [row for row in refusals().splitlines() if f"`{redundancy}`" in row]
    assert f"`{distribution}`" in row.split("|")[2]
    instead = re.findall(r"`(\w+)`", row.split("|")[4])
    assert instead == ["Asis", "Striped"]
    for other in instead:
        line = write(tmp_path, ARRAY, with_schemes(other, redundancy))
        assert run(*line, "--json").json()["served"] == REQUESTS


NOTHING = {
    "beside others below the driver": ("] ] ]\n", "] ], disksim_bus spare [] ]\n"),
    "below a controller": (
        "disksim_disk disk0 [] ]",
        "disksim_disk disk0 [] ], disksim_bus spare []",
    ),
}


@pytest.mark.parametrize("place", NOTHING)
def test_a_bus_that_nothing_hangs_on_is_refused_by_name(
    run: Callable[..., Any], tmp_path: Path, place: str
) -> None:
    found, instead = NOTHING[place]
    text = ARRAY.parv()
    assert found in text
    made = text.replace("source", "instantiate [ spare ] as BACK\nsource", 1)
    refused = run(*write(tmp_path, ARRAY, made.replace(found, instead, 1)))
    said = " ".join(refused.err.split())
    assert refused.code == 2
    assert "made-up.parv" in said
    assert "no device is attached to bus `spare`" in said
    assert "leave it out" in said
    assert "a bus that nothing is attached to" in refusals()
    # What is made and stands nowhere is no matter.
    assert run(*write(tmp_path, ARRAY, made), "--json").json()["served"] == REQUESTS


SET = {
    "org0/Redundancy scheme=Noredun": "Redundancy scheme = Parity_rotated",
    "org0/Redundancy scheme=Parity_disk": "Redundancy scheme = Parity_rotated",
    "org0/Stripe unit=64": " Stripe unit = 16",
    "driver0/Scheduler:Scheduling policy=2": "Scheduling policy = 3",
    "driver0/Use queueing in subsystem=0": "Use queueing in subsystem = 1",
    "bus1/Arbitration time=0.5": "{ type = 1, Arbitration time = 0.0",
}
"""What is set, and what stands in the file for it."""


@pytest.mark.parametrize("setting", SET)
def test_a_word_or_a_number_that_is_set_is_as_if_it_stood_in_the_file(
    run: Callable[..., Any], tmp_path: Path, setting: str
) -> None:
    line = write(tmp_path, ARRAY)
    plain = rows(run, tmp_path / "plain.parquet", *line)
    put = rows(run, tmp_path / "set.parquet", *line, "--set", setting)
    found, text = SET[setting], ARRAY.parv()
    assert found in text
    instead = found.rpartition("= ")[0] + "= " + setting.partition("=")[2]
    line = write(tmp_path, ARRAY, text.replace(found, instead))
    assert put == rows(run, tmp_path / "written.parquet", *line)
    assert put != plain


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("org0/Redundancy scheme=Noredum", "`Noredum` is not a kind of redundancy"),
        ("org0/Redundency scheme=Noredun", "`org0` does not state `Redundency scheme`"),
        ("org1/Redundancy scheme=Noredun", "has no component `org1`"),
        ("driver0/Scheduler:Scheduling policy=fast", 'cannot be the word "fast"'),
        ("org0/Redundancy scheme=3", "`Redundancy scheme` cannot be"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(
    run: Callable[..., Any], tmp_path: Path, setting: str, said: str
) -> None:
    refused = run(*write(tmp_path, ARRAY), "--set", setting)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())


def often_asked_for() -> str:
    """Requests for few places, of which the cache holds some."""
    chance = np.random.default_rng(19)
    lines = []
    for line in SYSTEMS["cache"].trace.splitlines():
        at_ms, device, _, sectors, reads = line.split()
        lines.append(f"{at_ms} {device} {chance.zipf(1.3) * 16 % 8_000} {sectors} {reads}\n")
    return "".join(lines)


CACHED = replace(SYSTEMS["cache"], trace=often_asked_for())
CACHES = {
    "as it stands": {},
    "written back, first in first out": {
        "Write scheme": 3,
        "Replacement policy": 1,
        "Cache size": 640,
    },
    "written through, reported late": {"Write scheme": 1, "Allocation policy": 1},
    "the whole line is read": {"Read prefetch type": 3, "Write prefetch type": 3, "Line size": 64},
    "flushed by the clock": {"Write scheme": 3, "Flush policy": 1, "Flush max line cluster": 1},
    "flushed at rest": {"Write scheme": 3, "Flush idle delay": 10.0, "Max gather": 1},
    "small, last in first out": {"Cache size": 640, "Replacement policy": 4, "Write scheme": 3},
    "three at a time": {"Maximum queue length": 3, "Max per-disk pending count": 2},
    "two segments": {"SLRU segments": "[ 0.4, 0.6 ]", "Cache size": 640},
    "one segment": {"Cache size": 640},
}
"""Values of a cache's parameters that are not those of the table above."""

PLAIN = {
    "Cache size": 2048, "Line size": 16, "Replacement policy": 2, "Allocation policy": 0,
    "Write scheme": 2, "Flush policy": 0, "Flush idle delay": -1.0, "Flush max line cluster": 8,
    "Read prefetch type": 0, "Write prefetch type": 0, "Max gather": 7,
    "Maximum queue length": 0, "Max per-disk pending count": 1, "SLRU segments": "[ 1.0 ]",
}  # fmt: skip
REPLACED = {1: 'kind = "fifo"', 2: 'kind = "lru"', 4: 'kind = "lifo"'}
WRITTEN = {1: "through", 2: "through-early", 3: "back"}
PREFETCHED = ("none", "front", "rest", "line")


def our_cache(values: dict[str, Any]) -> str:
    """A caching controller in our own spelling."""
    replaced, segments = REPLACED[values["Replacement policy"]], values["SLRU segments"]
    if "," in segments:
        replaced = f'kind = "segmented-lru", shares = {segments}'
    flush = f"max_cluster_lines = {values['Flush max line cluster']}"
    if values["Flush policy"] == 1:
        flush += ", period_ms = 50.0"
    if values["Flush idle delay"] >= 0:
        flush += f", idle_ms = {values['Flush idle delay']}"
    return (
        f"depth = {values['Maximum queue length'] or 1}\nforgetful = true\n"
        f"cache = {{ size = {values['Cache size'] * 512}, line = {values['Line size'] * 512}, "
        f"granule = 512, max_request = {512 * 512}, replacement = {{ {replaced} }}, "
        f'allocation = "{("any", "clean-first")[values["Allocation policy"]]}", '
        f'write = "{WRITTEN[values["Write scheme"]]}", flush = {{ {flush} }}, '
        f'read_prefetch = "{PREFETCHED[values["Read prefetch type"]]}", '
        f'write_prefetch = "{PREFETCHED[values["Write prefetch type"]]}", '
        f"max_gather_lines = {values['Max gather']}, "
        f'scheduler = {{ kind = "c-look" }}, '
        f"drive_depth = {values['Max per-disk pending count']} }}\n"
    )


def caching(name: str) -> str:
    """The system with such a cache."""
    text = re.sub(r"disksim_ctlr CTLR \{.*?\}", lambda _: CACHING, CACHED.parv(), flags=re.DOTALL)
    for parameter, value in CACHES[name].items():
        text, count = re.subn(rf"({parameter} = )(\[[^\]]*\]|[^,}}\n]*)", rf"\g<1>{value}", text)
        assert count == 1, parameter
    return text


@pytest.mark.parametrize("name", CACHES)
def test_a_caching_controller_answers_each_request_as_in_our_own_spelling(
    run: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    theirs = rows(run, tmp_path / "theirs.parquet", *write(tmp_path, CACHED, caching(name)))
    above = 'name = "ctlr0"\nbus = "bus0"\n'
    ours = CACHED.toml().replace(above, above + our_cache(PLAIN | CACHES[name]))
    (tmp_path / "system.toml").write_text(ours, encoding="utf-8")
    assert theirs == rows(run, tmp_path / "ours.parquet", "simulate", tmp_path / "system.toml")
    assert len(theirs["request"]) == REQUESTS


def test_caches_that_differ_give_different_answers(run: Callable[..., Any], tmp_path: Path) -> None:
    given: dict[str, list[float]] = {}
    for name in CACHES:
        line = write(tmp_path, CACHED, caching(name))
        given[name] = rows(run, tmp_path / "rows.parquet", *line)["completion_ms"]
    for one in given:
        assert [other for other in given if given[other] == given[one]] == [one]
