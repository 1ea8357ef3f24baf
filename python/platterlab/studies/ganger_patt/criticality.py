"""Figure 3 and Table 6: two lists by criticality, for all tasks, and what mends them."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from platterlab.studies import even
from platterlab.studies.criteria import EFFECT, EXACT, RATIO
from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.laboratory import (
    IN_VIEW,
    TASKS_ONLY,
    Laboratory,
    change_row,
    gains_row,
    mean_row,
)
from platterlab.studies.ganger_patt.runs import Run
from platterlab.studies.ganger_patt.tables import table_6
from platterlab.studies.row import Row
from platterlab.studies.sample import change_pct

ANTICIPATE_MS = 6.0
"""How long the arm waits for the next critical request: Linux' anticipatory scheduler's 6 ms."""

REMEDIES: dict[str, tuple[str, dict[str, float]]] = {
    "promotion": ("a write that somebody comes to wait for is promoted", {"promote": 1.0}),
    "anticipation": ("the arm waits 6 ms for the next", {"anticipate_ms": ANTICIPATE_MS}),
    "both": ("both", {"promote": 1.0, "anticipate_ms": ANTICIPATE_MS}),
}
"""What real systems do against a strict priority, each by itself and together."""

SAME = '"The same qualitative results were observed for all workloads" (section 7)'

SLOWER = "storage performance decreases, in all workloads alike (section 7)"


def strict(laboratory: Laboratory) -> list[Row]:
    """Uncompress as in Figure 3 and Table 6, then all four tasks, by strict priority."""
    one = laboratory.runs("uncompress", "c-look")
    two = laboratory.runs("uncompress", "c-look", two_lists=True)
    return [
        *table_6("one-list", one, published.ONE_LIST),
        *table_6("two-lists", two, published.TWO_LISTS),
        *_figure_3(one, two),
        *_tasks(laboratory, "", "strict", {}),
    ]


def mended(laboratory: Laboratory) -> list[Row]:
    """All four tasks with what real systems do against it, and why copytree needs it."""
    tried = [_tasks(laboratory, way, *told) for way, told in REMEDIES.items()]
    return [*(row for rows in tried for row in rows), *_cause(laboratory)]


def _figure_3(one: list[Run], two: list[Run]) -> list[Row]:
    group = "Figure 3: what two lists change for uncompress"
    first, second = published.ONE_LIST, published.TWO_LISTS
    before, after = ([run.response_ms for run in runs] for runs in (one, two))

    def ratio(these: Sequence[int]) -> float:
        return fmean(after[k] for k in these) / fmean(before[k] for k in these)

    return [
        change_row(
            "criticality/elapsed_change",
            "elapsed time of the task",
            change_pct(first.elapsed_s, second.elapsed_s),
            ([run.elapsed_s for run in one], [run.elapsed_s for run in two]),
            group=group,
        ),
        change_row(
            "criticality/false_idle_change",
            "false idle time",
            change_pct(first.false_idle_s, second.false_idle_s),
            (
                [run.time_s("false_idle_ms") for run in one],
                [run.time_s("false_idle_ms") for run in two],
            ),
            group=group,
        ),
        change_row(
            "criticality/other_cpu_change",
            "other CPU time while the task runs",
            change_pct(first.other_s, second.other_s),
            ([run.time_s("other_ms") for run in one], [run.time_s("other_ms") for run in two]),
            group=group,
        ),
        change_row(
            "criticality/last_write_change",
            "until the last write is done",
            None,
            ([run.last_done_s for run in one], [run.last_done_s for run in two]),
            group=group,
            target=0.0,
            claim="the last write is done at roughly the same time (footnote 5)",
            evidence="blind",
            used=TASKS_ONLY,
        ),
        _false_idle_share(one, two, group),
        Row(
            id="criticality/mean_response_ratio",
            what="mean response, two lists over one",
            paper=second.response_ms / first.response_ms,
            ours=ratio(range(len(one))),
            unit="",
            criterion=RATIO,
            interval=even.figure_interval(len(one), ratio),
            evidence="fitted",
            used=IN_VIEW,
            group=group,
        ),
    ]


def _false_idle_share(one: list[Run], two: list[Run], group: str) -> Row:
    """What of the gain is false idle time: the paper's by Table 6."""
    first, second = published.ONE_LIST, published.TWO_LISTS

    def share(these: Sequence[int]) -> float:
        idle_s = sum(one[k].time_s("false_idle_ms") - two[k].time_s("false_idle_ms") for k in these)
        return 100.0 * idle_s / sum(one[k].elapsed_s - two[k].elapsed_s for k in these)

    idle_s = first.false_idle_s - second.false_idle_s
    return Row(
        id="criticality/false_idle_share",
        what="false idle time, of what the task gains",
        paper=100.0 * idle_s / (first.elapsed_s - second.elapsed_s),
        ours=share(range(len(one))),
        unit="%",
        criterion=EFFECT,
        interval=even.figure_interval(len(one), share),
        evidence="fitted",
        used=IN_VIEW,
        group=group,
    )


def _tasks(laboratory: Laboratory, way: str, what: str, settings: dict[str, float]) -> list[Row]:
    """What two lists change in each task's elapsed time, strict or mended in this way."""
    rows = []
    for task in published.TASKS:
        one = laboratory.runs(task, "c-look")
        two = laboratory.runs(task, "c-look", two_lists=True, **settings)
        end = f"_with_{way}" if way else ""
        row = change_row(
            f"criticality/{task}/elapsed_change{end}",
            f"{task}: elapsed time" + (f", {what}" if way else ""),
            published.CRITICALITY_PCT if task == "uncompress" and not way else None,
            ([run.elapsed_s for run in one], [run.elapsed_s for run in two]),
            group=f"Section 7, all tasks: two lists, {what}",
            used=TASKS_ONLY,
            evidence="blind",
        )
        if task == "uncompress" and not way:
            row = replace(row, evidence="fitted", used=IN_VIEW)
        elif not way:
            # No figure, but a gain is claimed for all.
            row = gains_row(row, SAME)
        rows.append(row)
        if not way:
            rows.append(_response(task, one, two, row.group))
    return rows


def _response(task: str, one: list[Run], two: list[Run], group: str) -> Row:
    """The other half of what was observed for all: that responses take longer."""
    row = change_row(
        f"criticality/{task}/response_change",
        f"{task}: mean response",
        None,
        ([run.response_ms for run in one], [run.response_ms for run in two]),
        group=group,
        target=0.0,
        bound="at-least",
        claim=SLOWER,
        used=IN_VIEW if task == "uncompress" else TASKS_ONLY,
        evidence="fitted" if task == "uncompress" else "blind",
    )
    return replace(row, criterion=EXACT)


def _cause(laboratory: Laboratory) -> list[Row]:
    """Where copytree's time goes: what the drive takes for a request, and how far it moves."""
    rows = []
    ways: dict[str, tuple[bool, dict[str, float]]] = {
        "one-list": (False, {}),
        "two-lists": (True, {}),
        "two-lists-anticipation": (True, {"anticipate_ms": ANTICIPATE_MS}),
        "two-lists-promotion": (True, {"promote": 1.0}),
    }
    for way, (two_lists, settings) in ways.items():
        runs = laboratory.runs("copytree", "c-look", two_lists=two_lists, **settings)
        figures = (
            ("seek_cylinders", "mean seek, cylinders", "", [run.seek_cylinders for run in runs]),
            ("service_ms", "mean service", "ms", [run.service_ms for run in runs]),
            ("critical_ms", "critical response", "ms", [run.class_ms("critical") for run in runs]),
        )
        rows += [
            mean_row(
                f"criticality/copytree/cause/{way}/{key}",
                f"{what}, {way.replace('-', ' ')}",
                None,
                values,
                unit,
                group="Why copytree takes longer: the arm leaves after each critical request",
            )
            for key, what, unit, values in figures
        ]
    return rows
