"""The study of whole systems, and the bindings under it."""

from pathlib import Path

import pytest

from platterlab import data, library
from platterlab._core import InputError, storage_run, task_run, task_write
from platterlab.answers import Ran
from platterlab.studies import Request, find
from study_rules import complaints

DRIVE = library.load("hp-97560")


def ran(task: str, **options: object) -> Ran:
    """A task on a drive that is large enough."""
    wanted = {"seed": 1, "scheduler": "c-look", **options}
    told, _ = task_run(task, DRIVE, **wanted)  # type: ignore[arg-type]
    return told


def test_the_same_seed_gives_the_same_run_also_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "task.flow"
    task_write("removetree", path, seed=1)
    first = ran("removetree")
    assert ran("removetree") == first == ran("removetree", path=path)
    assert ran("removetree", seed=2) != first


def test_a_faster_host_computes_less() -> None:
    slow, fast = (ran("removetree", settings={"speed": speed}) for speed in (1.0, 2.0))
    ratio = slow["host"]["task_computation_ms"] / fast["host"]["task_computation_ms"]  # type: ignore[operator]
    assert ratio == pytest.approx(2.0, rel=1e-6)


def test_requests_are_conserved_in_every_model() -> None:
    _, requests = task_run("removetree", DRIVE, seed=1, scheduler="fcfs")
    for population in (None, 1, 8):
        told = storage_run(requests, DRIVE, scheduler="sptf", population=population)
        assert told["offered"] == told["served"] == len(requests)
        assert told["in_flight"] == told["refused"] == told["lost"] == 0


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"scheduler": "clook"}, 'did you mean "c-look"'),
        ({"settings": {"speed": 0.0}}, "above 0"),
        ({"settings": {"sped": 1.0}}, "not a setting"),
    ],
)
def test_bad_input_is_told(options: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        ran("removetree", **options)


def test_a_task_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="not a task"):
        ran("remvetree")


@pytest.fixture(scope="module")
def outcome():
    folder = data.folder()
    if folder is None:
        pytest.skip("the measured data are not here (PLATTERLAB_DATA names their folder)")
    return find("ganger-patt").run(Request(out=None, data=folder, seed=1, progress=lambda *_: None))


TABLE_4 = ("elapsed", "cpu_utilization", "interrupts", "requests")
TABLE_4 += ("waits", "mean_wait", "access", "response")
TASKS = ("compress", "uncompress", "copytree", "removetree")


def test_every_row_has_an_interval_of_ten_instances_or_more_and_none_is_unexplained(outcome):
    rows = {row.id: row for row in outcome.rows}
    assert rows.keys() >= {
        *(f"table-4/{key}" for key in TABLE_4),
        *(f"criticality/{task}/elapsed_change" for task in TASKS),
        *(f"figure-2/open/{scale}" for scale in (1, 2, 4)),
        "figure-2/no_prefetch_after_hits/spctf_gains",
        "criticality/last_write_change",
    }
    means = [row for row in rows.values() if "instances" in row.extra]
    assert len(means) > 100
    assert all(row.extra["instances"] >= 10 and row.interval for row in means)
    assert [row.id for row in outcome.unexplained] == []
    assert complaints(row.to_json() for row in outcome.rows) == []


def test_what_survives_every_choice_shows(outcome):
    rows = {row.id: row for row in outcome.rows}
    for wanted in (
        "table-4/worst_difference",
        "figure-1/closed_over_system",
        "figure-2/system_hurts",
        "figure-2/service_change",
        "figure-2/aborted_change",
        "figure-1/open_error_when_slower",
        "criticality/copytree/response_change",
        "criticality/compress/elapsed_change",
    ):
        assert rows[wanted].within, rows[wanted]
    assert rows["figure-1/c-look-to-fcfs/open"].ours > 0
    # The paper's open model gains at scale 2; ours does at 4, which is no answer to that.
    assert rows["figure-2/open/sign_flips"].verdict == "not reproduced"
    assert rows["figure-2/open/4"].ours < 0
    assert rows["criticality/uncompress/elapsed_change"].ours < -25


def test_strict_priority_slows_copytree_and_anticipation_mends_it(outcome):
    rows = {row.id: row for row in outcome.rows}
    strict = rows["criticality/copytree/elapsed_change"]
    assert strict.ours > 20
    assert strict.verdict == "not reproduced"
    assert "anticipation" in strict.reason
    mended = rows["criticality/copytree/elapsed_change_with_anticipation"]
    assert mended.interval[1] < -20
