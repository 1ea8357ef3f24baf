"""The paper's experiments, each with its rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from platterlab._core import Profile
from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.runs import Run, closed_ms, open_ms, system
from platterlab.studies.row import Row


@dataclass(frozen=True)
class Laboratory:
    """The drive and the seeds that every experiment uses."""

    profile: Profile
    seeds: range

    def runs(self, task: str, scheduler: str, *, two_lists: bool = False, speed: float = 1.0) -> list[Run]:
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
            ("elapsed_s", "elapsed time", paper.elapsed_s, mean(runs, lambda run: run.elapsed_s), "s"),
            ("wait_s", "I/O wait time", paper.wait_s, mean(runs, _wait_s), "s"),
            ("requests", "requests", paper.requests, mean(runs, lambda run: len(run.requests)), ""),
            ("response_ms", "mean response", paper.response_ms, mean(runs, lambda run: run.response_ms), "ms"),
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


def _wait_s(run: Run) -> float:
    return float(run.host["task_wait_ms"]) / 1e3


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
    profile = laboratory.profile
    rows, ratios = [], []
    for before, after in (("fcfs", "c-look"), ("c-look", "fcfs")):
        traced = runs[before]
        change = {
            "system": change_pct(
                mean(traced, lambda run: run.response_ms),
                mean(runs[after], lambda run: run.response_ms),
            ),
            "open": change_pct(
                fmean(open_ms(profile, run, before) for run in traced),
                fmean(open_ms(profile, run, after) for run in traced),
            ),
            "closed": change_pct(
                fmean(closed_ms(profile, run, before, run.population) for run in traced),
                fmean(closed_ms(profile, run, after, run.population) for run in traced),
            ),
        }
        ratios.append((change["open"] / change["system"], change["closed"] / change["system"]))
        group = f"Figure 1: copytree, {before.upper()} to {after.upper()}"
        for model, pct in change.items():
            upwards = (before, model) == ("c-look", "open")
            rows.append(
                Row(
                    id=f"figure-1/{before}-to-{after}/{model}",
                    what=f"mean response by the {model} model",
                    paper=published.COPYTREE_OPEN_INCREASE_PCT if upwards else None,
                    ours=pct,
                    unit="pct",
                    tolerance=published.COPYTREE_OPEN_INCREASE_PCT,
                    group=group,
                    extra={"population": fmean(run.population for run in traced)},
                )
            )
    group = "Figure 1: over both directions"
    least_open, most_closed = min(open for open, _ in ratios), max(closed for _, closed in ratios)
    return [
        *rows,
        Row(
            id="figure-1/open_over_system",
            what="open model's change over the system's, the smaller of two",
            paper=None,
            target=1.0,
            ours=least_open,
            unit="",
            bound="at-least",
            group=group,
        ),
        Row(
            id="figure-1/closed_over_system",
            what="closed model's change over the system's, the larger of two",
            paper=None,
            target=1.0,
            ours=most_closed,
            unit="",
            bound="at-most",
            group=group,
        ),
    ]


def figure_2(laboratory: Laboratory) -> list[Row]:
    """Cache awareness in the scheduler, for compress."""
    rows, profile = [], laboratory.profile
    for speed, paper in published.CACHE_AWARE_PCT.items():
        unaware, aware = (
            laboratory.runs("compress", name, speed=speed) for name in ("sptf", "spctf")
        )
        at = "" if speed == 1.0 else f"/speed-{speed:g}"
        group = f"Figure 2: compress, SPTF to SPCTF, scale {speed:g}"
        rows.append(
            Row(
                id=f"figure-2{at}/system_change",
                what="mean response by the system-level model",
                paper=paper,
                target=0.0,
                ours=change_pct(
                    mean(unaware, lambda run: run.response_ms),
                    mean(aware, lambda run: run.response_ms),
                ),
                unit="pct",
                bound="at-least",
                group=group,
            )
        )
        rows += [
            Row(
                id=f"figure-2{at}/{key}",
                what=what,
                paper=None,
                ours=ours,
                unit=unit,
                group=group,
            )
            for key, what, ours, unit in (
                ("service_sptf_ms", "mean service, SPTF", mean(unaware, lambda run: run.service_ms), "ms"),
                ("service_spctf_ms", "mean service, SPCTF", mean(aware, lambda run: run.service_ms), "ms"),
                ("aborted_sptf", "read-ahead broken off after a hit, SPTF", mean(unaware, _aborted), ""),
                ("aborted_spctf", "read-ahead broken off after a hit, SPCTF", mean(aware, _aborted), ""),
            )
        ]
        if speed == 1.0:
            changes = [
                change_pct(
                    fmean(closed_ms(profile, run, "sptf", population) for run in unaware),
                    fmean(closed_ms(profile, run, "spctf", population) for run in unaware),
                )
                for population in published.POPULATIONS
            ]
            rows.append(
                Row(
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
            )
    return rows


def _aborted(run: Run) -> float:
    return float(run.storage["writes_after_hits"])


def criticality(laboratory: Laboratory) -> list[Row]:
    """Two lists by criticality for uncompress (Figure 3 and Table 6)."""
    one = laboratory.runs("uncompress", "c-look")
    two = laboratory.runs("uncompress", "c-look", two_lists=True)
    figures: tuple[tuple[str, str, str, Callable[[Run], float]], ...] = (
        ("elapsed_s", "elapsed time of the task", "s", lambda run: run.elapsed_s),
        ("false_idle_s", "false idle time", "s", lambda run: run.time_s("false_idle")),
        ("other_s", "other CPU time", "s", lambda run: run.time_s("other")),
        ("wait_s", "I/O wait time of the task", "s", _wait_s),
        ("response_ms", "mean response", "ms", lambda run: run.response_ms),
        ("noncritical_ms", "mean response, time-noncritical", "ms", lambda run: run.class_ms("noncritical")),
        ("limited_ms", "mean response, time-limited", "ms", lambda run: run.class_ms("limited")),
        ("critical_ms", "mean response, time-critical", "ms", lambda run: run.class_ms("critical")),
        ("met_pct", "time limits met", "pct", lambda run: 100.0 * run.host["limits"]["met_share"]),
        ("limit_ms", "mean time limit", "ms", lambda run: run.host["limits"]["mean_limit_ms"]),
        ("service_ms", "mean service", "ms", lambda run: run.service_ms),
        ("hits_pct", "found in the drive's buffer", "pct", _hits_pct),
        ("seek_cylinders", "mean seek distance, cylinders", "", _seek_cylinders),
    )
    before = {key: mean(one, of) for key, _, _, of in figures}
    after = {key: mean(two, of) for key, _, _, of in figures}
    rows = []
    for label, runs, paper in (
        ("one-list", before, published.ONE_LIST),
        ("two-lists", after, published.TWO_LISTS),
    ):
        rows += [
            Row(
                id=f"table-6/{label}/{key}",
                what=f"{what}, {label.replace('-', ' ')}",
                paper=getattr(paper, key),
                target=None,
                ours=runs[key],
                unit=unit,
                tolerance=getattr(paper, key),
                group="Table 6: uncompress, C-LOOK on one list and on two",
            )
            for key, what, unit, _ in figures
        ]
    group = "Figure 3: what two lists change"
    elapsed = change_pct(before["elapsed_s"], after["elapsed_s"])
    paper = change_pct(published.ONE_LIST.elapsed_s, published.TWO_LISTS.elapsed_s)
    idle = change_pct(published.ONE_LIST.false_idle_s, published.TWO_LISTS.false_idle_s)
    return [
        *rows,
        Row(
            id="criticality/elapsed_change",
            what="elapsed time of the task",
            paper=paper,
            target=-30.0,
            ours=elapsed,
            unit="pct",
            tolerance=10.0,
            group=group,
        ),
        Row(
            id="criticality/false_idle_change",
            what="false idle time",
            paper=idle,
            target=-80.0,
            ours=change_pct(before["false_idle_s"], after["false_idle_s"]),
            unit="pct",
            bound="at-most",
            group=group,
        ),
        Row(
            id="criticality/mean_response_ratio",
            what="mean response, two lists over one",
            paper=published.TWO_LISTS.response_ms / published.ONE_LIST.response_ms,
            target=5.0,
            ours=after["response_ms"] / before["response_ms"],
            unit="",
            bound="at-least",
            group=group,
        ),
    ]


def _hits_pct(run: Run) -> float:
    cache = {part["name"]: part["requests"] for part in run.storage["commands"]["cache"]}
    return 100.0 * float(cache["hit"]) / sum(cache.values())


def _seek_cylinders(run: Run) -> float:
    return float(run.storage["mean_seek_cylinders"])
