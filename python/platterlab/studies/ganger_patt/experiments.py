"""The paper's experiments, each with its rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from platterlab._core import Profile
from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.runs import Run, closed_ms, open_ms, system
from platterlab.studies.row import Bound, Row


@dataclass(frozen=True)
class Laboratory:
    """The drive and the seeds that every experiment uses."""

    profile: Profile
    seeds: range

    def runs(
        self, task: str, scheduler: str, *, two_lists: bool = False, speed: float = 1.0
    ) -> list[Run]:
        """A task under one configuration, once for each seed."""
        return [
            system(self.profile, task, seed, scheduler, two_lists=two_lists, speed=speed)
            for seed in self.seeds
        ]


def mean(runs: Iterable[Run], of: Callable[[Run], float]) -> float:
    """The mean of a figure over runs."""
    return fmean(of(run) for run in runs)


def change_pct(before: float, after: float) -> float:
    """A change in % of what was before."""
    return 100.0 * (after / before - 1.0)


def table_3(laboratory: Laboratory) -> list[Row]:
    """What the model makes of the four tasks, beside what was measured."""
    rows = []
    for task, paper in published.TASKS.items():
        runs = laboratory.runs(task, "c-look")
        figures = (
            (
                "elapsed_s",
                "elapsed time",
                paper.elapsed_s,
                mean(runs, lambda run: run.elapsed_s),
                "s",
            ),
            ("wait_s", "I/O wait time", paper.wait_s, mean(runs, lambda run: run.wait_s), "s"),
            ("requests", "requests", paper.requests, mean(runs, lambda run: len(run.requests)), ""),
            (
                "response_ms",
                "mean response",
                paper.response_ms,
                mean(runs, lambda run: run.response_ms),
                "ms",
            ),
        )
        rows += [
            Row(
                id=f"table-3/{task}/{key}",
                what=f"{task}: {what}",
                paper=value,
                ours=ours,
                unit=unit,
                tolerance=0.4 * value,
                group="Table 3: the tasks",
            )
            for key, what, value, ours, unit in figures
        ]
    return rows


_TABLE_4: tuple[tuple[str, Callable[[Run], float]], ...] = (
    ("elapsed time", lambda run: run.elapsed_s),
    ("CPU time", lambda run: run.time_s("process") + run.time_s("other")),
    ("interrupts", lambda run: run.host["interrupts"]),
    ("requests", lambda run: len(run.requests)),
    ("I/O waits", lambda run: run.host["waits"]),
    ("I/O wait time", lambda run: run.host["wait_ms"]),
    ("access time", lambda run: run.service_ms),
    ("response time", lambda run: run.response_ms),
)


def table_4(laboratory: Laboratory) -> list[Row]:
    """A run, and the trace a tracer took of it run again on the computer it came from."""
    differences: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for task in published.TASKS:
            path = Path(folder) / f"{task}.flow"
            seed = laboratory.seeds[0]
            first = system(laboratory.profile, task, seed, "c-look", observed=path)
            again = system(laboratory.profile, task, seed, "c-look", path=path)
            differences |= _differences(task, first, again)
    return [
        _worst(
            differences,
            row="table-4/worst_difference",
            what="a run from its trace, worst of {} figures",
            paper=0.022,
            group="Table 4: self-consistency",
        )
    ]


def _differences(of: str, real: Run, other: Run) -> dict[str, float]:
    """The figures of Table 4 of one run against another's, as shares; 1 where the real one is 0."""
    pairs = {what: (float(figure(real)), float(figure(other))) for what, figure in _TABLE_4}
    return {
        f"{of}: {what}": abs(after - before) / before if before else float(after != before)
        for what, (before, after) in pairs.items()
    }


def _worst(
    differences: dict[str, float], *, row: str, what: str, paper: float | None, group: str
) -> Row:
    """The worst of differences, with all of them; `what` has a place for their number."""
    worst = max(differences, key=lambda key: differences[key])
    return Row(
        id=row,
        what=what.format(len(differences)),
        paper=paper,
        target=0.05,
        ours=differences[worst],
        unit="",
        bound="at-most",
        group=group,
        extra={"where": worst, "differences": differences},
    )


def table_5(laboratory: Laboratory) -> list[Row]:
    """What C-LOOK improves over FCFS for uncompress."""
    fcfs, look = (laboratory.runs("uncompress", name) for name in ("fcfs", "c-look"))
    figures = {
        "elapsed": ("elapsed time", lambda run: run.elapsed_s),
        "response": ("mean response", lambda run: run.response_ms),
        "access": ("mean access time", lambda run: run.service_ms),
    }
    return [
        Row(
            id=f"table-5/{key}_improvement",
            what=f"{what}, C-LOOK against FCFS",
            paper=published.TABLE_5[key],
            ours=-change_pct(mean(fcfs, of), mean(look, of)),
            unit="pct",
            tolerance=15.0,
            group="Table 5: uncompress, FCFS to C-LOOK",
        )
        for key, (what, of) in figures.items()
    ]


def figure_1(laboratory: Laboratory) -> list[Row]:
    """The three models on the change of copytree's scheduler, both ways."""
    runs = {name: laboratory.runs("copytree", name) for name in ("fcfs", "c-look")}
    rows, ratios = [], []
    for before, after in (("fcfs", "c-look"), ("c-look", "fcfs")):
        change = _three_models(laboratory.profile, runs, before, after)
        ratios.append((change["open"] / change["system"], change["closed"] / change["system"]))
        population = mean(runs[before], lambda run: run.population)
        rows += [
            Row(
                id=f"figure-1/{before}-to-{after}/{model}",
                what=f"mean response by the {model} model",
                paper=None,
                ours=pct,
                unit="pct",
                group=f"Figure 1: copytree, {before.upper()} to {after.upper()}",
                extra={"population": population},
            )
            for model, pct in change.items()
        ]
    bounds: tuple[tuple[str, str, float, Bound], ...] = (
        ("open", "smaller", min(ratio for ratio, _ in ratios), "at-least"),
        ("closed", "larger", max(ratio for _, ratio in ratios), "at-most"),
    )
    return rows + [
        Row(
            id=f"figure-1/{model}_over_system",
            what=f"{model} model's change over the system's, the {which} of two",
            paper=None,
            target=1.0,
            ours=ratio,
            unit="",
            bound=bound,
            group="Figure 1: over both directions",
        )
        for model, which, ratio, bound in bounds
    ]


def prediction(laboratory: Laboratory) -> list[Row]:
    """Copytree under one scheduler from its trace under the other, both ways."""
    seed, profile = laboratory.seeds[0], laboratory.profile
    differences: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for before, after in (("fcfs", "c-look"), ("c-look", "fcfs")):
            path = Path(folder) / f"{before}.flow"
            system(profile, "copytree", seed, before, observed=path)
            real = system(profile, "copytree", seed, after)
            predicted = system(profile, "copytree", seed, after, path=path)
            differences |= _differences(f"{before} to {after}", real, predicted)
    return [
        _worst(
            differences,
            row="figure-1/prediction_error",
            what="the other scheduler predicted from a trace, worst of {} figures "
            "in two directions",
            paper=None,
            group="Figure 1: over both directions",
        )
    ]


def _three_models(
    profile: Profile, runs: dict[str, list[Run]], before: str, after: str
) -> dict[str, float]:
    """The change of the mean response in %, as each model has it from the runs before."""
    traced = runs[before]

    def of(one: Callable[[Run, str], float]) -> float:
        first, second = (fmean(one(run, name) for run in traced) for name in (before, after))
        return change_pct(first, second)

    return {
        "system": change_pct(
            mean(traced, lambda run: run.response_ms),
            mean(runs[after], lambda run: run.response_ms),
        ),
        "open": of(lambda run, name: open_ms(profile, run, name)),
        "closed": of(lambda run, name: closed_ms(profile, run, name, run.population)),
    }


def figure_2(laboratory: Laboratory) -> list[Row]:
    """Cache awareness in the scheduler, for compress."""
    rows = []
    for speed, paper in published.CACHE_AWARE_PCT.items():
        runs = {name: laboratory.runs("compress", name, speed=speed) for name in ("sptf", "spctf")}
        at = "" if speed == 1.0 else f"/speed-{speed:g}"
        group = f"Figure 2: compress, SPTF to SPCTF, scale {speed:g}"
        unaware, aware = (mean(of, lambda run: run.response_ms) for of in runs.values())
        rows.append(
            Row(
                id=f"figure-2{at}/system_change",
                what="mean response by the system-level model",
                paper=paper,
                target=0.0,
                ours=change_pct(unaware, aware),
                unit="pct",
                bound="at-least",
                group=group,
            )
        )
        rows += _mechanism(at, group, runs)
        if speed == 1.0:
            rows.append(_closed_by_population(laboratory.profile, group, runs["sptf"]))
    return rows


def _mechanism(at: str, group: str, runs: dict[str, list[Run]]) -> list[Row]:
    """What the drive did with its read-ahead under each scheduler."""
    figures: tuple[tuple[str, str, str, Callable[[Run], float]], ...] = (
        ("service", "mean service", "ms", lambda run: run.service_ms),
        ("aborted", "read-ahead broken off after a hit", "", lambda run: run.aborted),
    )
    return [
        Row(
            id=f"figure-2{at}/{key}_{name}" + ("_ms" if unit else ""),
            what=f"{what}, {name.upper()}",
            paper=None,
            ours=mean(of, figure),
            unit=unit,
            group=group,
        )
        for key, what, unit, figure in figures
        for name, of in runs.items()
    ]


def _closed_by_population(profile: Profile, group: str, runs: list[Run]) -> Row:
    """The closed model, over the paper's populations."""

    def response_ms(scheduler: str, population: int) -> float:
        return fmean(closed_ms(profile, run, scheduler, population) for run in runs)

    changes = [
        change_pct(response_ms("sptf", population), response_ms("spctf", population))
        for population in published.POPULATIONS
    ]
    return Row(
        id="figure-2/closed_change",
        what=f"mean response, closed, populations {published.POPULATIONS}",
        paper=published.CACHE_AWARE_CLOSED_PCT,
        target=0.0,
        ours=fmean(changes),
        unit="pct",
        bound="at-most",
        group=group,
        extra={"by_population": changes},
    )


_TABLE_6: tuple[tuple[str, str, str, Callable[[Run], float]], ...] = (
    ("elapsed_s", "elapsed time of the task", "s", lambda run: run.elapsed_s),
    ("false_idle_s", "false idle time", "s", lambda run: run.time_s("false_idle")),
    ("other_s", "other CPU time", "s", lambda run: run.time_s("other")),
    ("wait_s", "I/O wait time of the task", "s", lambda run: run.wait_s),
    ("response_ms", "mean response", "ms", lambda run: run.response_ms),
    ("noncritical_ms", "response, time-noncritical", "ms", lambda run: run.class_ms("noncritical")),
    ("limited_ms", "response, time-limited", "ms", lambda run: run.class_ms("limited")),
    ("critical_ms", "response, time-critical", "ms", lambda run: run.class_ms("critical")),
    ("met_pct", "time limits met", "pct", lambda run: 100.0 * run.limits["met_share"]),
    ("limit_ms", "mean time limit", "ms", lambda run: run.limits["mean_limit_ms"]),
    ("service_ms", "mean service", "ms", lambda run: run.service_ms),
    ("hits_pct", "found in the drive's buffer", "pct", lambda run: run.hits_pct),
    ("seek_cylinders", "mean seek distance, cylinders", "", lambda run: run.seek_cylinders),
)


def table_6(label: str, runs: Sequence[Run], paper: published.Criticality) -> list[Row]:
    """A column of Table 6, beside the paper's."""
    return [
        Row(
            id=f"table-6/{label}/{key}",
            what=f"{what}, {label.replace('-', ' ')}",
            paper=getattr(paper, key),
            ours=mean(runs, of),
            unit=unit,
            tolerance=getattr(paper, key),
            group="Table 6: uncompress, C-LOOK on one list and on two",
        )
        for key, what, unit, of in _TABLE_6
    ]


def criticality(laboratory: Laboratory) -> list[Row]:
    """Two lists by criticality for uncompress (Figure 3 and Table 6)."""
    one = table_6("one-list", laboratory.runs("uncompress", "c-look"), published.ONE_LIST)
    runs = laboratory.runs("uncompress", "c-look", two_lists=True)
    two = table_6("two-lists", runs, published.TWO_LISTS)
    before = {row.id.rsplit("/", 1)[1]: row.ours for row in one}
    after = {row.id.rsplit("/", 1)[1]: row.ours for row in two}
    first, second = published.ONE_LIST, published.TWO_LISTS
    group = "Figure 3: what two lists change"
    return [
        *one,
        *two,
        Row(
            id="criticality/elapsed_change",
            what="elapsed time of the task",
            paper=change_pct(first.elapsed_s, second.elapsed_s),
            target=-30.0,
            ours=change_pct(before["elapsed_s"], after["elapsed_s"]),
            unit="pct",
            tolerance=10.0,
            group=group,
        ),
        Row(
            id="criticality/false_idle_change",
            what="false idle time",
            paper=change_pct(first.false_idle_s, second.false_idle_s),
            target=-80.0,
            ours=change_pct(before["false_idle_s"], after["false_idle_s"]),
            unit="pct",
            bound="at-most",
            group=group,
        ),
        Row(
            id="criticality/mean_response_ratio",
            what="mean response, two lists over one",
            paper=second.response_ms / first.response_ms,
            target=5.0,
            ours=after["response_ms"] / before["response_ms"],
            unit="",
            bound="at-least",
            group=group,
        ),
    ]
