"""The words of an experiment's tables are known to editors and to checkers of types."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

KNOWN = """
import platterlab as pl
from platterlab.lab.experiment_tables import DriveTable, WorkloadTable

drive: DriveTable = {{"profile": pl.Drive("hp-c2200a"), "count": 2}}
workload: WorkloadTable = {{
    "kind": "open",
    "interval_ms": {{"kind": "exponential", "mean": 3.0}},
    "pattern": {{"read_share": 0.5}},
}}
experiment = pl.Experiment(
    drive=[drive],
    workload=[workload],
    host={{"scheduler": {{"kind": "look", "by": "cylinder"}}}},
)
wrong: DriveTable = {{{wrong}}}
"""


WRONG = {
    "right": ('"profile": "mock"', None),
    "no_key": ('"profil": "mock"', 'Extra key "profil"'),
    "no_number": ('"profile": "mock", "count": "two"', 'item "count" has type "int"'),
}


def test_a_word_that_is_none_is_no_word_to_a_type_checker(tmp_path):
    for name, (wrong, _) in WRONG.items():
        (tmp_path / f"{name}.py").write_text(KNOWN.format(wrong=wrong))
    files = [tmp_path / f"{name}.py" for name in WRONG]
    line = [sys.executable, "-m", "mypy", "--strict", *files]
    ran = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    told = ran.stdout.splitlines()
    for name, (_, said) in WRONG.items():
        errors = [one for one in told if f"{name}.py:" in one and "error:" in one]
        assert len(errors) == (said is not None), ran.stdout
        assert said is None or said in errors[0]
