"""Tables 3 to 6: the tasks in the model, as measured, and as the paper simulated them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from platterlab.studies.criteria import EXACT
from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.laboratory import (
    TASKS_ONLY,
    Figure,
    Laboratory,
    change_row,
    mean_row,
)
from platterlab.studies.ganger_patt.runs import Run, system
from platterlab.studies.row import Evidence, Row

MADE_FROM = "the task is made from this figure"
CLASSES = ("critical", "limited", "noncritical")


def table_3(laboratory: Laboratory) -> list[Row]:
    """The four tasks in the model, and as measured."""
    figures: tuple[tuple[str, str, str, Figure], ...] = (
        ("elapsed_s", "elapsed time", "s", lambda run: run.elapsed_s),
        ("computation_s", "computation", "s", lambda run: run.time_s("process_ms")),
        ("wait_s", "I/O wait time", "s", lambda run: run.wait_s),
        ("requests", "requests", "", lambda run: len(run.requests)),
        ("response_ms", "mean response", "ms", lambda run: run.response_ms),
    )
    rows = []
    for task, paper in published.TASKS.items():
        runs = laboratory.runs(task, "c-look")
        for key, what, unit, of in figures:
            row = mean_row(
                f"table-3/{task}/{key}",
                f"{task}: {what}",
                getattr(paper, key),
                [of(run) for run in runs],
                unit,
                group="Table 3: the tasks",
            )
            if key == "computation_s":
                row = replace(row, evidence="by construction", used=MADE_FROM)
            rows.append(row)
    return rows


_TABLE_4: tuple[tuple[str, str, str, Figure], ...] = (
    ("elapsed", "elapsed time", "s", lambda run: run.elapsed_s),
    ("cpu_utilization", "CPU utilization", "%", lambda run: run.utilization_pct),
    ("interrupts", "interrupts", "", lambda run: run.host["interrupts"]),
    ("requests", "requests", "", lambda run: len(run.requests)),
    ("waits", "I/O waits", "", lambda run: run.host["waits"]),
    ("mean_wait", "mean I/O wait", "ms", lambda run: run.mean_wait_ms),
    ("access", "mean access time", "ms", lambda run: run.service_ms),
    ("response", "mean response", "ms", lambda run: run.response_ms),
)

_IN_TABLE_3 = ("elapsed", "cpu_utilization", "requests", "response")


def table_4(laboratory: Laboratory) -> list[Row]:
    """Compress as it was measured, and a run against its own trace run again."""
    runs = laboratory.runs("compress", "c-look")
    measured = [
        mean_row(
            f"table-4/{key}",
            what,
            published.TABLE_4[key],
            [float(of(run)) for run in runs],
            unit,
            group="Table 4: compress, against what was measured",
            evidence="fitted" if key in _IN_TABLE_3 else "blind",
            **({} if key in _IN_TABLE_3 else {"used": TASKS_ONLY}),
        )
        for key, what, unit, of in _TABLE_4
    ]
    return [*measured, _self_consistency(laboratory)]


def _self_consistency(laboratory: Laboratory) -> Row:
    """A run, and the trace a tracer took of it run again on the computer it came from."""
    differences: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for task in published.TASKS:
            path = Path(folder) / f"{task}.flow"
            seed, profile = laboratory.seeds[0], laboratory.profile
            first = system(
                profile, task, seed, "c-look", settings=laboratory.settings, observed=path
            )
            again = system(profile, task, seed, "c-look", settings=laboratory.settings, path=path)
            differences |= differing(task, first, again)
    return worst(
        differences,
        row="table-4/worst_difference",
        what="a run from its own trace, worst of {} figures",
        paper=0.022,
        group="Table 4: self-consistency",
        used="the trace is of the same simulator",
    )


def differing(of: str, real: Run, other: Run) -> dict[str, float]:
    """The figures of Table 4 of one run against another's, as shares; 1 where the real one is 0."""
    pairs = {what: (float(figure(real)), float(figure(other))) for _, what, _, figure in _TABLE_4}
    return {
        f"{of}: {what}": abs(after - before) / before if before else float(after != before)
        for what, (before, after) in pairs.items()
    }


def worst(
    differences: dict[str, float],
    *,
    row: str,
    what: str,
    paper: float | None,
    group: str,
    used: str,
) -> Row:
    """The worst of differences, with all of them; `what` has a place for their number."""
    where = max(differences, key=lambda key: differences[key])
    return Row(
        id=row,
        what=what.format(len(differences)),
        paper=paper,
        target=0.05,
        ours=differences[where],
        unit="",
        bound="at-most",
        group=group,
        criterion=EXACT,
        evidence="by construction",
        used=used,
        claim="within 5 % in all comparisons (section 8)",
        extra={"where": where, "differences": differences},
    )


def table_5(laboratory: Laboratory) -> list[Row]:
    """What C-LOOK improves over FCFS for uncompress, as less of FCFS's figure."""
    fcfs, look = (laboratory.runs("uncompress", name) for name in ("fcfs", "c-look"))
    figures: dict[str, tuple[str, Figure]] = {
        "elapsed": ("elapsed time", lambda run: run.elapsed_s),
        "response": ("mean response", lambda run: run.response_ms),
        "access": ("mean access time", lambda run: run.service_ms),
    }
    rows = []
    for key, (what, of) in figures.items():
        worse = change_row(
            f"table-5/{key}_improvement",
            f"{what}, C-LOOK against FCFS",
            published.TABLE_5[key],
            ([of(run) for run in fcfs], [of(run) for run in look]),
            group="Table 5: uncompress, FCFS to C-LOOK",
        )
        low, high = worse.interval or (worse.ours, worse.ours)
        rows.append(replace(worse, ours=-worse.ours, interval=(-high, -low)))
    return rows


def _of_class(which: str) -> tuple[tuple[str, str, str, Figure], ...]:
    return (
        (f"{which}_requests", f"time-{which} requests", "", lambda run: run.class_requests(which)),
        (f"{which}_ms", f"response, time-{which}", "ms", lambda run: run.class_ms(which)),
        (
            f"{which}_max_ms",
            f"greatest response, time-{which}",
            "ms",
            lambda run: run.class_ms(which, "max_ms"),
        ),
    )


_TABLE_6: tuple[tuple[str, str, str, Figure], ...] = (
    ("elapsed_s", "elapsed time of the task", "s", lambda run: run.elapsed_s),
    ("computation_s", "computation of the task", "s", lambda run: run.time_s("process_ms")),
    ("false_idle_s", "false idle time", "s", lambda run: run.time_s("false_idle_ms")),
    ("other_s", "other CPU time", "s", lambda run: run.time_s("other_ms")),
    ("wait_s", "I/O wait time of the task", "s", lambda run: run.wait_s),
    ("requests", "requests", "", lambda run: len(run.requests)),
    ("response_ms", "mean response", "ms", lambda run: run.response_ms),
    *(figure for which in CLASSES for figure in _of_class(which)),
    ("met_pct", "time limits met", "%", lambda run: 100.0 * run.limits["met_share"]),
    ("limit_ms", "mean time limit", "ms", lambda run: run.limits["mean_limit_ms"]),
    ("service_ms", "mean service", "ms", lambda run: run.service_ms),
    ("hits_pct", "found in the drive's buffer", "%", lambda run: run.hits_pct),
    ("seek_cylinders", "mean seek distance, cylinders", "", lambda run: run.seek_cylinders),
    ("seek_ms", "mean seek time", "ms", lambda run: run.seek_ms),
)


def table_6(label: str, runs: Sequence[Run], paper: published.Criticality) -> list[Row]:
    """A column of Table 6, and the paper's."""
    group = "Table 6: uncompress, C-LOOK on one list and on two"
    rows = []
    for key, what, unit, of in _TABLE_6:
        values = [float(of(run)) for run in runs]
        evidence: Evidence = "by construction" if key == "computation_s" else "fitted"
        named = f"{what}, {label.replace('-', ' ')}"
        row = mean_row(
            f"table-6/{label}/{key}", named, getattr(paper, key), values, unit, group=group
        )
        rows.append(replace(row, evidence=evidence))
    return rows


def class_mix(laboratory: Laboratory) -> list[Row]:
    """The least and the greatest share of each class over the four tasks (section 5.3.2)."""
    rows = []
    for which in CLASSES:
        shares = {
            task: [run.class_pct(which) for run in laboratory.runs(task, "c-look")]
            for task in published.TASKS
        }
        ordered = sorted(shares, key=lambda task: sum(shares[task]))
        least, most = published.CLASS_SHARES_PCT[which]
        for name, task, paper in (("least", ordered[0], least), ("most", ordered[-1], most)):
            rows.append(
                mean_row(
                    f"class-mix/{which}/{name}",
                    f"time-{which}, {name} of the tasks: {task}",
                    paper,
                    shares[task],
                    "%",
                    group="Section 5.3.2: the mix of classes",
                )
            )
    return rows
