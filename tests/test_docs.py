"""The reference says what the program does, and its examples are files that it takes."""

import re
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from platterlab._core import Experiment, InputError, Profile, task_write
from platterlab.serve import Service, start

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "docs"))

from schema_page import toml  # noqa: E402 (stands beside the pages it writes)

SYSTEM = """
stop = { requests = 10 }
bus = [{ name = "bus", controller = "example" }]
controller = [{ name = "example", cache = { size = "4M" } }]
drive = [{ name = "example", count = 6, profile = "hp-97560", bus = "bus" }]
[[volume]]
name = "example"
drives = ["example1", "example2", "example3", "example4"]
layout = { kind = "concat" }
[[workload]]
kind = "open"
interval_ms = { kind = "constant", value = 30.0 }
"""
"""A system that has what the examples speak of."""

DRIVE = """
id = "example"
name = "example"
source = { kind = "assumed", from = "the example" }
geometry = { cylinders = 1962, surfaces = 4 }
spindle = { speed_rpm = 4002 }
seek = { kind = "constant", time_ms = 8.0 }
[[zone]]
cylinders = [0, 1961]
sectors_per_track = 72
sparing = { kind = "zone", sectors = 144 }
"""
"""A drive with room for defects."""
BATTERY_BACKED = {
    "cache.written_memory": "battery-backed",
    "cache.write_report": "buffer",
    "cache.write_back.capacity": "96k",
    "cache.write_back.extents": 12,
}


def test_the_reference_is_up_to_date():
    check = [sys.executable, ROOT / "docs" / "generate.py", "--check"]
    ran = subprocess.run(check, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def examples(page: str) -> list[str]:
    found = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "reference" / page).read_text(), re.S)
    assert found, page
    return found


def merged(whole: Any, part: Any) -> Any:
    """A file with a part of it replaced; a table of another kind is replaced whole."""
    if isinstance(whole, dict) and isinstance(part, dict) and "kind" not in part:
        return whole | {key: merged(whole.get(key), one) for key, one in part.items()}
    if isinstance(whole, list) and isinstance(part, list) and isinstance(part[0], dict):
        return [merged(whole[0], part[0]), *whole[1:]]
    return part


def lines(table: dict[str, Any]) -> str:
    return "".join(f"{key} = {toml(one)}\n" for key, one in table.items())


@pytest.mark.parametrize("example", examples("faults.md"), ids=lambda text: text[:60])
def test_each_fault_of_the_reference_can_be(example: str, tmp_path: Path):
    file = tmp_path / "faults.toml"
    file.write_text(example)
    service = Service(
        "hp-97560", "memory", socket=tmp_path / "nbd", faults=file, overrides=BATTERY_BACKED
    )
    start(service).stop()


@pytest.mark.parametrize("example", examples("experiment.md"), ids=lambda text: text[:60])
def test_the_examples_of_experiments_are_taken(example, tmp_path):
    part = tomllib.loads(example)
    system = tomllib.loads(SYSTEM)
    if "simple" in part.get("drive", [{}])[0]:
        system["drive"][0].pop("profile")
    if "flow" in example:
        part["workload"][0]["file"] = str(flow(tmp_path))
    (tmp_path / "requests.trace").write_text("0.0 0 8 8 1\n")
    takes_a_captured_flow = "flow" in example and re.search(
        r'model = { kind = "(open|closed)"', example
    )
    with (
        pytest.raises(InputError, match="it was not captured")
        if takes_a_captured_flow
        else nullcontext()
    ):
        Experiment.parse(lines(merged(system, part)), "example", tmp_path, {})


def flow(folder: Path) -> Path:
    """A process flow of a small task."""
    path = folder / "task.flow"
    task_write("removetree", path, seed=0)
    return path


@pytest.mark.parametrize("example", examples("profile.md"), ids=lambda text: text[:60])
def test_the_examples_of_profiles_are_taken(example):
    Profile.parse(lines(merged(tomllib.loads(DRIVE), tomllib.loads(example))), "example")
