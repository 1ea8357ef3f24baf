"""Seeds of studies and trials of many drives run on the engines of sweeps, to the same answers."""

import json
import subprocess
import sys
from importlib import import_module

import pytest

from platterlab._core import InputError
from platterlab.studies.seeds import verdicts
from platterlab.sweeps.engine import answers
from platterlab.sweeps.work import CALLS, Call, run_text

SEEDS = [Call("study", {"study": "ruemmler-wilkes", "seed": seed, "data": None}) for seed in (1, 2)]


@pytest.mark.parametrize("engine", [{"workers": 2}, {"dask": "local", "workers": 1}])
def test_a_study_under_seeds_is_the_same_on_any_engine(engine):
    if "dask" in engine:
        pytest.importorskip("distributed")
    heard = []
    told = answers([*SEEDS, SEEDS[0]], **engine, progress=heard.append)
    assert told == [json.loads(json.dumps(verdicts(**call.arguments))) for call in SEEDS] + told[:1]
    assert heard == [0.5, 1.0]


def test_the_command_runs_seeds_side_by_side(run, tmp_path):
    words = ("study", "ruemmler-wilkes", "--seeds", "2", "--data", tmp_path, "--json")
    one, two = (run(*words, "--workers", count).json() for count in (1, 2))
    assert one["rows"] == two["rows"]
    assert {row["row"] for row in one["rows"]} == {
        row for row, _, _ in verdicts("ruemmler-wilkes", 0, str(tmp_path))
    }
    refused = run("study", "ruemmler-wilkes", "--workers", 2)
    assert refused.code == 2
    assert "--seeds" in refused.err


def test_trials_of_drives_go_side_by_side_and_on_where_they_were(tmp_path):
    words = [sys.executable, "-m", "platterlab.studies.unseen_drives", "first", "--part"]
    words += ["self-check", "--seeds", "0", "1", "2", "--workers", "2"]

    def lines(*more: str) -> list[dict]:
        told = subprocess.run([*words, *more], capture_output=True, text=True, check=True)
        return [json.loads(line) for line in told.stdout.splitlines()]

    found = lines()
    assert sorted(one["seed"] for one in found) == [0, 1, 2]
    done = tmp_path / "done.jsonl"
    done.write_text("".join(json.dumps(one) + "\n" for one in found if one["seed"] != 1))
    again = lines("--done", str(done))
    assert again == [one for one in found if one["seed"] == 1]


def test_a_text_calls_nothing_that_is_not_listed():
    for place in CALLS.values():
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function))
    with pytest.raises(KeyError):
        run_text(Call("os.system").to_text())
    with pytest.raises(InputError, match=r"of version 0\.0\.0; here is"):
        run_text(Call("study", version="0.0.0").to_text())
    with pytest.raises(InputError, match="no study"):
        answers([Call("study", {"study": "nothing", "seed": 0, "data": None})], workers=1)
