"""Scheduling policies of DiskSim's files, by the command: answers, notes and refusals.

Each request has the answer that our own spelling gives it, policies that differ give different
answers, and at the ends of their weights they are the policies that theory says.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from conftest import ROOT
from platterlab import experiment
from platterlab._core import Experiment, disksim_import
from test_drives_in_both_spellings import IN_DRIVER, System, as_in_systems

BURSTS, REQUESTS = 12, 14
"""Bursts, and requests of each, which take somewhat longer than it is to the next one."""

FIRST_COME, SHORTEST_SEEK, LOWEST_FIRST, BATCH = 1, 4, 5, 28
SPTF, SPCTF, SATF = 8, 9, 10
WEIGHTED = {11: SPTF, 12: SPCTF, 13: SATF}
AGED = {14: SPTF, 15: SPCTF, 16: SATF}
"""Of each, the policy that it is where age counts for nothing."""

LAST_SECTOR = "positioning times are reckoned from the sector that passed last, and age in seconds"
NOTED = {
    **dict.fromkeys((5, 6, 7, 18), "takes all cylinders for one and serves the lowest address"),
    **dict.fromkeys((9, 10, *WEIGHTED, *AGED), LAST_SECTOR),
    17: "V-SCAN is SSTF whatever its weight",
}

REFUSED = range(19, 28)
"""Those that DiskSim's manual names without saying what they do."""


def made_up_bursts() -> str:
    """Short and long requests; a third continues the one before."""
    chance = np.random.default_rng(18)
    lines, end = [], 0
    for number in range(BURSTS * REQUESTS):
        burst, place = divmod(number, REQUESTS)
        lba = end if chance.random() < 1 / 3 else int(chance.integers(8_000)) * 8
        sectors = int(chance.choice((8, 16, 96)))
        end = (lba + sectors) % 60_000
        at_ms = 100 * burst + place / 4
        lines.append(f"{at_ms:.6f} 0 {lba} {sectors} {chance.integers(2)}\n")
    return "".join(lines)


ONE_DRIVE = System(
    shape="apart", drives=1, depth=1, policy=1, in_drive=1, bus_ms=0.02, bus_kind=1,
    arbitration="last-slot", unit=16, share=0.5, reading_on=1, fast_writes=2,
    trace=made_up_bursts(), weight=1,
)  # fmt: skip


def write(folder: Path, system: System, parv: str | None = None) -> list[object]:
    """Its files in both spellings; the arguments that run DiskSim's."""
    texts = {"diskspecs": system.disk(), "trace": system.trace, "parv": parv or system.parv()}
    for suffix, text in texts.items():
        (folder / f"made-up.{suffix}").write_text(text, encoding="ascii")
    drive, *_ = disksim_import(folder / "made-up.diskspecs", None, [], True)
    (folder / "made-up.toml").write_text(as_in_systems(drive).to_toml(), encoding="utf-8")
    (folder / "system.toml").write_text(system.toml(), encoding="utf-8")
    return ["simulate", "--disksim", folder / "made-up.parv", "-t", folder / "made-up.trace"]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[float, ...]]:
    """When each request is done under a policy with a weight."""

    @cache
    def done_ms(policy: int, weight: int) -> tuple[float, ...]:
        folder = tmp_path_factory.mktemp("policy")
        write(folder, replace(ONE_DRIVE, policy=policy, weight=weight))
        plan = experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace")
        return completions(plan)

    return done_ms


def completions(plan: Experiment) -> tuple[float, ...]:
    """When each request is done, by its number."""
    job = plan.start(1, True)
    done: dict[int, float] = {}
    while (rows := job.rows(50)) is not None:
        done |= dict(zip(rows[1]["request"], rows[1]["completion_ms"], strict=True))
    job.finish()
    return tuple(done[number] for number in sorted(done))


@pytest.mark.parametrize("policy", sorted(IN_DRIVER))
def test_each_request_has_the_answer_of_our_own_spelling(
    run: Callable[..., Any], tmp_path: Path, policy: int
) -> None:
    line = write(tmp_path, replace(ONE_DRIVE, policy=policy))
    theirs, ours = tmp_path / "theirs.parquet", tmp_path / "ours.parquet"
    run(*line, "--requests", theirs, "--json").json()
    run("simulate", tmp_path / "system.toml", "--requests", ours, "--json").json()
    rows = pq.read_table(theirs).to_pydict()
    assert len(rows["request"]) == BURSTS * REQUESTS
    assert rows == pq.read_table(ours).to_pydict()


@pytest.mark.parametrize("policy", sorted({*IN_DRIVER} - {SPTF}))
def test_a_note_says_what_disksim_makes_of_a_policy(
    run: Callable[..., Any], tmp_path: Path, policy: int
) -> None:
    notes = run(*write(tmp_path, replace(ONE_DRIVE, policy=policy)), "--json").json()["notes"]
    said = [note for note in notes if any(text in note for text in NOTED.values())]
    assert len(said) == (policy in NOTED)
    assert all(re.search(r"made-up\.parv, line 3\b", note) for note in said)
    assert all(NOTED[policy] in note for note in said)


def test_policies_that_differ_give_different_answers(answers: Callable[..., Any]) -> None:
    kinds = [FIRST_COME, 2, 3, SHORTEST_SEEK, LOWEST_FIRST, BATCH]
    kinds += [SPTF, SPCTF, SATF, *WEIGHTED]
    given = {policy: answers(policy, 1) for policy in kinds}
    given |= {policy: answers(policy, 600) for policy in AGED}
    for one in given:
        same = [other for other in given if other != one and given[other] == given[one]]
        assert same == [], one


def test_without_age_they_are_the_policies_of_position(answers: Callable[..., Any]) -> None:
    for policy, plain in AGED.items():
        assert answers(policy, 0) == answers(plain, 0), policy
    for policy in (11, 12):
        # A limit of 11 days: no request has spent any of it.
        assert answers(policy, 1_000_000) == answers(WEIGHTED[policy], 0), policy


def test_where_only_age_counts_they_serve_as_requests_come(answers: Callable[..., Any]) -> None:
    for policy in AGED:
        assert answers(policy, 1_000_000) == answers(FIRST_COME, 0), policy
    for policy in WEIGHTED:
        # All have spent a limit of no time.
        assert answers(policy, 0) == answers(FIRST_COME, 0), policy


def test_what_was_waited_counts_in_seconds(answers: Callable[..., Any]) -> None:
    # They wait for half a second or so, and a positioning takes a hundredth of one.
    def mean_ms(policy: int, weight: int) -> float:
        return float(np.mean(answers(policy, weight)))

    by_position, by_age = mean_ms(SPTF, 0), mean_ms(FIRST_COME, 0)
    means = [mean_ms(14, weight) for weight in (6, 100, 600, 1_000_000)]
    assert abs(means[0] - by_position) < 0.1 * (by_age - by_position)
    assert means == sorted(means)
    assert answers(11, 1) not in (answers(SPTF, 0), answers(FIRST_COME, 0))


@pytest.mark.parametrize(("policy", "meant"), [(17, SHORTEST_SEEK), (18, LOWEST_FIRST)])
def test_v_scan_is_the_same_whatever_its_weight(
    answers: Callable[..., Any], policy: int, meant: int
) -> None:
    for weight in (0, 1, 200, 600, 1_000):
        assert answers(policy, weight) == answers(meant, 0), weight


def test_v_scan_as_it_is_meant_goes_by_its_share(tmp_path: Path) -> None:
    write(tmp_path, ONE_DRIVE)

    def under(**scheduler: object) -> tuple[float, ...]:
        chosen = {f"host.scheduler.{key}": value for key, value in scheduler.items()}
        return completions(Experiment.parse(ONE_DRIVE.toml(), "made up", tmp_path, chosen))

    shares = {share: under(kind="v-scan", turn_share=share) for share in (0.0, 0.05, 1.0)}
    assert shares[0.0] == under(kind="sstf")
    assert shares[1.0] == under(kind="look")
    assert shares[0.05] not in (shares[0.0], shares[1.0])


def reference() -> dict[int, str]:
    """Of each policy that is refused, its row in the reference."""
    page = (ROOT / "docs/how-to/import-disksim.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\| (\d+) to (\d+) \((.*)$", page, flags=re.M)
    return {
        number: rest for first, last, rest in rows for number in range(int(first), int(last) + 1)
    }


def test_the_reference_has_the_policies_that_are_refused() -> None:
    assert sorted(reference()) == list(REFUSED)


@pytest.mark.parametrize("policy", REFUSED)
def test_a_policy_without_a_meaning_is_refused_with_one_that_runs(
    run: Callable[..., Any], tmp_path: Path, policy: int
) -> None:
    parv = ONE_DRIVE.parv().replace("Scheduling policy = 1,", f"Scheduling policy = {policy},")
    line = write(tmp_path, ONE_DRIVE, parv)
    refused = run(*line)
    said = " ".join(refused.err.split())
    told = re.search(rf"line 3.*`Scheduling policy` = {policy} \((\w+)\) is not said exactly", said)
    assert refused.code == 2
    assert told is not None, said
    assert f"`{told[1]}`" in reference()[policy]
    advice = said.partition("cannot be honoured; ")[2].partition(" with `")[0]
    instead = [int(number) for number in re.findall(r"\b\d+\b", advice)]
    assert instead != []
    assert [str(number) in reference()[policy] for number in instead] == [True] * len(instead)
    for other in instead:
        line = write(tmp_path, replace(ONE_DRIVE, policy=other))
        assert run(*line, "--json").json()["served"] == BURSTS * REQUESTS
