"""Overhead and arm: told apart by requests that move nothing, where there are some that tell."""

import numpy as np
import pytest

from platterlab.calibration.platter.overhead_and_arm import told_apart, told_between_ms
from platterlab.calibration.platter.positioning_fit import SEEKS, Model, fit

ROTATION_MS = 10.0
HEAD = 4
"""Where a read's head switch is among the unknowns."""


def model(waits_ms: list[float], answer_ms: float | None) -> Model:
    """Reads on the same track that waited so long, and as many that changed heads at 2.5 ms."""
    count = len(waits_ms)
    arm = np.zeros((2 * count, SEEKS + 2))
    arm[:, 0] = 1.0
    arm[count:, HEAD] = 1.0
    usable = np.zeros(SEEKS + 2, dtype=bool)
    usable[[0, HEAD]] = True
    waited = np.concatenate([waits_ms, np.linspace(2.6, 12.4, count)])
    held = np.zeros(2 * count, dtype=bool)
    return Model(arm, None, held, waited, ROTATION_MS, np.array([1, 2]), usable, 0.1, answer_ms)


def found(overhead_ms: float, total_ms: float = 2.5) -> np.ndarray:
    """Unknowns of which the overhead and the head's switch are so much in all."""
    unknowns = np.zeros(SEEKS + 2)
    unknowns[[0, HEAD]] = overhead_ms, total_ms - overhead_ms
    unknowns[SEEKS:] = 3.0, 3.5
    return unknowns


def test_few_requests_leave_room_and_the_buffers_answers_choose() -> None:
    # Between 0.8 and 4.8 ms all are served alike; a switch below nothing is none.
    told = told_apart(model([4.8, 7.0, 10.8], 1.4), found(2.8))
    assert told[0] == pytest.approx(1.4, abs=0.02)
    assert told[0] + told[HEAD] == pytest.approx(2.5)
    assert told[SEEKS] == pytest.approx(3.0 + 2.8 - told[0])


def test_what_is_possible_and_explains_all_stands() -> None:
    own = found(2.0)
    assert told_apart(model([4.8, 7.0, 10.8], 1.4), own) is own


def test_requests_that_tell_have_the_last_word() -> None:
    # Ready at 3.4 ms, whatever an answer costs and a switch would have to be.
    near = np.linspace(3.5, 13.3, 60).tolist()
    told = told_apart(model(near, 1.4), found(2.0))
    assert told[0] == pytest.approx(3.4, abs=0.15)
    own = found(3.4)
    assert told_apart(model(near, 1.4), own) is own


def test_how_far_requests_leave_the_overhead_open() -> None:
    few = model([4.8, 7.0, 10.8], 1.4)
    assert told_between_ms(few, found(2.0), stays=True) == pytest.approx((0.8, 4.8), abs=0.3)
    many = model(np.linspace(3.5, 13.3, 60).tolist(), 1.4)
    least_ms, most_ms = told_between_ms(many, found(3.4), stays=True)
    assert 3.2 < least_ms <= 3.4 <= most_ms < 3.6
    # No request stays on its track: the arm may have all of the time to the next cylinder.
    assert told_between_ms(few.some(np.arange(3, 6)), found(2.0), stays=True) == (0.0, 5.0)
    # Nor does any where the drive reads ahead on other tracks.
    assert told_between_ms(many, found(3.4), stays=False) == (0.0, 6.4)


def on_the_way(count: int, seed: int) -> Model:
    """Reads and writes of an arm that scatters; writes wait for their data, too."""
    rng = np.random.default_rng(seed)
    knots = np.unique(np.geomspace(1, 3_000, 14).astype(int))
    roots, sectors = np.sqrt(rng.uniform(1, 3_000, count)), rng.integers(1, 64, count) * 1.0
    write, back, still = (rng.random(count) < share for share in (0.4, 0.5, 0.02))
    curve = np.array([np.interp(roots, np.sqrt(knots), one) for one in np.eye(len(knots))]).T
    none = np.zeros(count)
    arm = np.column_stack([
        np.ones(count), none, write, none, none, none, write, back, back * roots / 50, none, none,
        np.where(still[:, None], 0.0, curve),
    ])  # fmt: skip
    moved_ms = np.where(still, 0.0, 1.2 + 0.15 * roots + 0.2 * rng.normal(size=count))
    data_ms = np.where(write, 0.6 + 0.12 * sectors, 0.0)
    waited_ms = np.maximum(1.5 + 0.3 * write + moved_ms, data_ms) + rng.uniform(0, 10, count)
    usable = np.isin(np.arange(arm.shape[1]), [0, 2, 6, 7, 8, 9, 10])
    data = sectors, np.where(write, 0.0, np.inf)
    return Model(arm, data, still & ~still, waited_ms, ROTATION_MS, knots, usable, 0.1)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_of_a_fit_is_no_matter_of_the_order_of_sums(seed: int) -> None:
    plain = on_the_way(1_500, seed)
    turned = plain.some(np.random.default_rng(seed).permutation(1_500))
    start = np.concatenate([[1.0], np.zeros(SEEKS - 2), [0.1], np.linspace(1, 9, len(plain.knots))])
    ends = [fit(each, start)[0] for each in (plain, turned)]
    assert np.abs(ends[0] - ends[1]).max() < 1e-4
