"""The study of whole systems, and the bindings under it."""

import json
from pathlib import Path

import pytest

from platterlab import data, library
from platterlab._core import InputError, storage_run, task_run, task_write
from platterlab.studies import Request, find

DRIVE = library.load("hp-97560")


def ran(task: str, **options: object) -> dict[str, dict[str, object]]:
    """A task on a drive that is large enough."""
    wanted = {"seed": 1, "scheduler": "c-look", **options}
    told, _ = task_run(task, DRIVE, **wanted)  # type: ignore[arg-type]
    found: dict[str, dict[str, object]] = json.loads(told)
    return found


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
        told = json.loads(storage_run(requests, DRIVE, scheduler="sptf", population=population))
        assert told["offered"] == told["served"] == len(requests)
        assert told["in_flight"] == told["refused"] == told["lost"] == 0


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"scheduler": "clook"}, 'did you mean "c-look"'),
        ({"settings": {"speed": 0.0}}, "above 0"),
        ({"settings": {"sped": 1.0}}, "no setting"),
    ],
)
def test_bad_input_is_told(options: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        ran("removetree", **options)


def test_a_task_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="no task"):
        ran("remvetree")


def test_the_study_holds_in_every_direction() -> None:
    folder = data.folder()
    if folder is None:
        pytest.skip("the measured data are not here (PLATTERLAB_DATA names their folder)")
    outcome = find("ganger-patt").run(
        Request(out=None, data=folder, seed=1, progress=lambda *_: None)
    )
    rows = {row.id: row for row in outcome.rows}
    for wanted in (
        "table-4/worst_difference",
        "figure-1/closed_over_system",
        "figure-2/system_change",
        "figure-2/closed_change",
        "criticality/elapsed_change",
        "criticality/false_idle_change",
        "criticality/mean_response_ratio",
    ):
        assert rows[wanted].within, rows[wanted]
    assert rows["figure-1/c-look-to-fcfs/open"].ours > rows["figure-1/c-look-to-fcfs/system"].ours
