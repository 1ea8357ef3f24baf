"""What calibrations do in less time comes to the same bits as the plain way."""

import numpy as np
import pytest

from made_up_drives import made_up
from platterlab._core import Requests, outcomes, spared_places
from platterlab.calibration.platter.cylinder_spares import _best
from platterlab.calibration.platter.spared_zone import Spares, Zone
from platterlab.calibration.trace.peaks import SINGLE, Sums, longest


def test_outcomes_are_columns_of_a_replay() -> None:
    drive = made_up(3)
    requests = Requests.generate(
        drive, 800, read_share=0.7, sequential_share=0.4, local_share=0.3,
        local_distance_sectors=500, mean_sectors=10, max_sectors=64, align_sectors=2,
        think_ms=10.0, seed=3,
    )  # fmt: skip
    rows = requests.replay(drive, timing="closed")
    cache, service_ms = outcomes(requests, drive, timing="closed")
    assert len(np.unique(cache)) > 1
    np.testing.assert_array_equal(cache, rows["cache"])
    np.testing.assert_array_equal(service_ms, rows["service_ms"])
    (alone,) = requests.service_ms([drive], timing="closed")
    np.testing.assert_array_equal(service_ms, alone)


@pytest.mark.parametrize(("sectors", "width"), [(0, 1), (7, 1), (31, 6), (3.7, 1), (41.3, 9)])
def test_places_with_spares_are_those_of_their_division(sectors: float, width: int) -> None:
    surfaces, per_track, cylinders = 5, 97, 400
    rng = np.random.default_rng(width)
    lba = np.sort(rng.integers(0, 1.2 * surfaces * per_track * cylinders, 500))
    turns = rng.normal(scale=1e4, size=500)
    size = width * surfaces * per_track - sectors
    here = lba[lba < size * cylinders / width]
    first = np.floor(here / size)
    within = here - np.floor(first * size).astype(np.int64)
    track = within // per_track
    plain = (
        turns[: len(here)] - (within % per_track) / per_track,
        track % surfaces,
        first * width + track // surfaces,
    )
    found = spared_places(lba, turns, (surfaces, per_track, cylinders), sectors, width)
    for own, other in zip(found, plain, strict=True):
        np.testing.assert_array_equal(own, other)


def test_no_skews_are_above_what_sums_can_reach() -> None:
    rng = np.random.default_rng(4)
    heads, steps = rng.integers(0, 5, 60), rng.integers(0, 120, 60)
    for noise in (0.02, 0.1, 0.3, 1.0):
        turns = 0.137 * heads + 0.2461 * steps + rng.normal(scale=noise, size=60)
        sums = Sums(np.exp(2j * np.pi * turns), heads, steps, 256, 32)
        peak = sums.peak()
        assert peak.strength <= sums.most() + SINGLE
        # Beside the cells, too.
        around = np.linspace(-1 / 64, 1 / 64, 41)
        fine = [
            abs(np.mean(np.exp(2j * np.pi * (turns - (head * heads + step * steps)))))
            for head in peak.head_turns + around
            for step in peak.step_turns + around / 4
        ]
        assert max(fine) <= sums.most() + SINGLE


def test_the_longest_is_that_of_all_lengths() -> None:
    rng = np.random.default_rng(5)
    for scale in (1e-6, 1.0, 1e6):
        parts = scale * rng.normal(size=(2, 7, 300))
        numbers = (parts[0] + 1j * parts[1]).astype(np.complex64)
        assert longest(numbers) == float(np.abs(numbers).max())


def test_the_best_are_those_of_all_that_are_tried() -> None:
    surfaces, per_track, cylinders = 4, 60, 250
    rng = np.random.default_rng(6)
    lba = np.sort(rng.integers(0, surfaces * per_track * cylinders, 160))
    late, head, step = spared_places(lba, np.zeros(160), (surfaces, per_track, cylinders), 6, 1)
    on_time = 0.21 * head + 0.37 * step - late[: len(head)] + rng.normal(scale=0.03, size=len(head))
    zone = Zone(lba[: len(head)], on_time, surfaces, per_track, cylinders, None)
    tried = [Spares(sectors, width) for width in (1, 5, 9) for sectors in range(40)]
    every = {one: zone.agreement(one.sectors, one.cylinders)[0] for one in tried}
    anew = Zone(lba[: len(head)], on_time, surfaces, per_track, cylinders, None)
    best = _best(tried, lambda one, least: anew.agreement(one.sectors, one.cylinders, least)[0], 3)
    assert list(best.items()) == sorted(every.items(), key=lambda one: one[1], reverse=True)[:3]
    assert Spares(6) in best
    assert len(anew.known) < len(tried), "some are known to be none of them"
