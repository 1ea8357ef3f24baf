"""What a command loads before it begins: a short one is mostly its start."""

import json
import subprocess
import sys

import pytest

from platterlab.cli import COMMANDS

HEAVY = {
    "altair", "dask", "distributed", "matplotlib", "numpy", "pyarrow", "pydantic", "scipy",
}  # fmt: skip
"""Each takes from 50 ms to a second of a processor."""
FOR_FILES_OF_OTHERS = {"msgspec", "tomllib"}
"""Readers of documents, 15 and 5 ms: a replay of a drive of the library reads none."""
MOST_MODULES = 400
"""Of all that is there in the end, the interpreter's own and those for the screen with it."""
COUNTED = """
import json, sys
from platterlab import cli
code = cli.run(sys.argv[1:])
sys.stderr.write(json.dumps([code, sorted(sys.modules)]))
"""


def loaded(*line):
    """The modules that a command has loaded when it ends."""
    told = subprocess.run([sys.executable, "-c", COUNTED, *map(str, line)], capture_output=True)
    code, modules = json.loads(told.stderr)
    assert code == 0
    return modules


@pytest.mark.parametrize(
    "line", ["--help", "profile list", "study list", "man simulate", "example"]
)
def test_what_reads_no_file_loads_little(line):
    check(loaded(*line.split()))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_loads_little(command):
    check(loaded(command, "--help"))


def test_a_replay_loads_little(ascii_trace):
    replay = loaded("simulate", "-p", "hp-c2200a", "-t", ascii_trace)
    check(replay)
    assert not FOR_FILES_OF_OTHERS & set(replay)
    check(loaded("trace", "info", ascii_trace))


def test_an_experiment_loads_little(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(
        '[stop]\nrequests = 10\n[[drive]]\nname = "a"\nprofile = "hp-c2200a"\n'
        '[[workload]]\nkind = "open"\n'
        'interval_ms = { kind = "constant", value = 50.0 }\n'
    )
    check(loaded("simulate", path))


def test_a_dry_run_loads_no_tables():
    dry = {name.partition(".")[0] for name in loaded("characterize", "mock", "--dry-run")}
    assert "numpy" in dry, "what is heavy is seen"
    assert "pyarrow" not in dry


def check(modules):
    assert not HEAVY & {name.partition(".")[0] for name in modules}
    assert len(modules) <= MOST_MODULES
