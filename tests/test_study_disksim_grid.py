"""The study of small systems: how distributions are compared, and what of the answers is used."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from platterlab._core import InputError
from platterlab.studies.disksim_grid import grid
from study_rules import complaints


def test_distance_of_distributions_known_by_hand() -> None:
    one = np.array([1.0, 2.0, 3.0, 4.0])
    assert grid.ks_distance(one, one) == 0.0
    assert grid.ks_distance(one, one + 10.0) == 1.0
    assert grid.ks_distance(one, np.array([1.0, 2.0, 3.5, 4.0])) == 0.25


def test_answers_are_known_by_their_index(tmp_path: Path) -> None:
    about = {
        "name": "Sd_0", "drive": "hp", "drives": 2, "driver_policy": 3, "weight": 6,
        "drive_spec": {}, "logorg": {"red": "Noredun"}, "reads": 0.5,
    }  # fmt: skip
    (tmp_path / "index.jsonl").write_text(json.dumps(about) + "\n", encoding="utf-8")
    with gzip.open(tmp_path / "Sd_0.answers.gz", "wt", encoding="ascii") as answers:
        answers.write("0 4.5 3.5\n2 9.0 1.25\n")
    [system] = grid.load(tmp_path)
    assert system.index.tolist() == [0, 2]
    assert system.response_ms.tolist() == [3.5, 1.25]
    assert system.family == "S"
    assert system.what == "2 x hp, policy 3, weight 6, 50 % reads"


def test_agrees_in_mean_and_in_distribution() -> None:
    theirs = np.arange(100, 300, dtype=float)
    system = grid.System("Sd_0", "a drive", np.arange(200), theirs)
    near = grid.Comparison(system, theirs * 1.01, [])
    assert near.mean_error == pytest.approx(0.01)
    assert near.agrees
    assert not grid.Comparison(system, theirs * 1.03, []).agrees
    spread = grid.Comparison(system, 2.0 * theirs - theirs.mean(), [])
    assert spread.mean_error == pytest.approx(0.0)
    assert not spread.agrees
    for one in (near, spread):
        assert complaints(row.to_json() for row in grid.rows(one)) == []
    share = grid.shares([near, spread])[0]
    assert share.id == "grid/within_2_pct"
    assert share.ours == 0.5
    assert share.extra["disagree"] == ["Sd_0"]


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"index\.jsonl: there is no such file"):
        grid.load(tmp_path)
