"""Longer seeks back and costs after a write: found where a drive has them, and nowhere else."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import data_sheet, fitted, made_up, traced
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.judged.undetermined import undetermined_of_platter
from platterlab.calibration.plain_form import plainly
from platterlab.calibration.platter.positioning_fit import NAMES, SEEKS, Model
from platterlab.calibration.platter.sure_effects import Known, stated_effects, unsure, without

MORE_MS = 0.6

CACHE = {"segments": 4, "segment": 1 << 17, "read_ahead": "aggressive", "write_report": "media"}


def _drive(*, back: bool, after: bool) -> Profile:
    drive = made_up(3).with_overrides({"cache": CACHE})
    stated = tomllib.loads(drive.to_toml())
    seek, controller = stated["seek"], stated["controller"]
    more: dict[str, Any] = {}
    if back:
        ends = {name: [seek[name][0] + MORE_MS, seek[name][1]] for name in ("short_ms", "long_ms")}
        more["seek_back"] = seek | ends
    if after:
        costs = {name: controller[name] + MORE_MS for name in ("read_ms", "write_ms")}
        more["controller"] = controller | {"after_write": costs}
    return drive.with_overrides(more)


@pytest.mark.parametrize("there", [True, False])
def test_what_few_drives_have_is_found_where_it_is(there: bool, tmp_path: Path) -> None:
    back = after = there
    drive = _drive(back=back, after=after)
    trace = traced(drive, tmp_path / "d.trace", read_share=0.5, think_ms=15.0, seed=3)
    found = fitted(Job(trace, data_sheet(drive), rough=True, share=1.0))
    controller, times = found.overrides["controller"], found.positioning
    assert ("seek_back" in found.overrides) == back
    assert ("after_write" in controller) == after
    assert times is not None
    assert found.angles is not None
    stated = tomllib.loads(drive.to_toml())
    said = undetermined_of_platter(found.angles, times, found.reading, stated)
    doubted = [line for line in said if "not surely there" in line]
    assert len(doubted) == (not there)
    if after:
        told = controller["after_write"]["read_ms"] - controller["read_ms"]
        assert told == pytest.approx(MORE_MS, abs=0.15)
    if back:
        told = times.effects["back"] + times.effects["back_far"] * 40 / 50
        assert told == pytest.approx(MORE_MS, abs=0.2)


def _model(more_ms: float, requests: int = 2000) -> tuple[Model, np.ndarray]:
    """Requests of which every other one comes after a write, and is ready so much later."""
    rng = np.random.default_rng(2)
    adds = np.zeros((requests, SEEKS + 2))
    adds[:, 0], adds[::2, NAMES.index("read_after_write")] = 1.0, 1.0
    full = np.zeros(SEEKS + 2)
    full[0], full[NAMES.index("read_after_write")] = 1.0, more_ms
    usable = np.zeros(SEEKS + 2, dtype=bool)
    usable[[0, NAMES.index("read_after_write")]] = True
    waited_ms = adds @ full + rng.uniform(0.0, 10.0, requests)
    held = np.zeros(requests, dtype=bool)
    return Model(adds, None, held, waited_ms, 10.0, np.array([1, 2]), usable, 0.1), full


@pytest.mark.parametrize(("more_ms", "there"), [(0.0, False), (0.3, True)])
def test_an_effect_is_sure_by_its_requests_and_by_those_that_stay(
    more_ms: float, there: bool
) -> None:
    model, full = _model(more_ms)
    stays = np.ones(len(model.waited_ms), dtype=bool)
    left = unsure(model, full, Known(stays, frozenset()))
    assert left == (frozenset() if there else {"read_after_write"})
    # What the profile states is not doubted, and where no arm stays nothing is sure.
    assert unsure(model, full, Known(stays, frozenset({"read_after_write"}))) == frozenset()
    assert unsure(model, full, Known(~stays, frozenset())) == {"read_after_write"}
    assert not without(model.usable, frozenset({"read_after_write"}))[1:].any()


def test_what_a_profile_states_of_them() -> None:
    assert stated_effects({}) == frozenset()
    after = {"controller": {"after_write": {"read_ms": 1.0}}}
    assert stated_effects(after) == {"read_after_write"}
    assert stated_effects(after | {"seek_back": {}}) == {"read_after_write", "seek_back"}


@pytest.mark.parametrize(("stated", "kept"), [({}, False), ({"after_write": {}}, True)])
def test_costs_after_a_write_that_are_those_of_all_are_not_written(
    stated: dict[str, Any], kept: bool
) -> None:
    costs = {"read_ms": 0.5, "write_ms": 0.7}
    found = {"controller": costs | {"after_write": costs}}
    profile, overrides = plainly(
        made_up(3).with_overrides(found), found, {"controller": costs | stated}
    )
    assert ("after_write" in overrides["controller"]) == kept
    assert ("after_write" in profile.stated()["controller"]) == kept
    other = {"controller": costs | {"after_write": costs | {"read_ms": 0.9}}}
    assert plainly(profile, other, {})[1] == other
