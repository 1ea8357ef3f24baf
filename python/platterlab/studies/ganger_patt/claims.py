"""Claims of the text on Figures 1 and 2 apart from their bars: errors, which way, and the cause."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean

from platterlab.studies import even
from platterlab.studies.criteria import EXACT
from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.laboratory import IN_VIEW, Figure, change_row, mean_row
from platterlab.studies.ganger_patt.runs import Run
from platterlab.studies.row import Bound, Row
from platterlab.studies.sample import change_pct

Pair = tuple[list[float], list[float]]
"""Mean responses of each instance before a change and after it."""

UP_TO_PCT = 30.0
ORDER = 10.0
"""Errors in section 8: of open models where requests get faster, and of closed ones."""


def errors(faster: dict[str, Pair], slower: dict[str, Pair], group: str) -> list[Row]:
    """How far the models' responses after the change are from the system's, in both directions."""
    count = len(faster["system"][1])

    def ratio(of: dict[str, Pair], model: str, these: Sequence[int]) -> float:
        other, system = (fmean(of[name][1][k] for k in these) for name in (model, "system"))
        return other / system

    def open_pct(of: dict[str, Pair], these: Sequence[int]) -> float:
        return 100.0 * abs(ratio(of, "open", these) - 1.0)

    def more(these: Sequence[int]) -> float:
        return open_pct(slower, these) - open_pct(faster, these)

    def factor(these: Sequence[int]) -> float:
        ratios = [ratio(of, "closed", these) for of in (faster, slower)]
        return max(max(one, 1.0 / one) for one in ratios)

    figures: tuple[tuple[str, str, str, float, Bound, Callable[[Sequence[int]], float], str], ...]
    figures = (
        ("open_error_when_faster", "open model's response after FCFS to C-LOOK, error", "%",
         UP_TO_PCT, "at-most", partial(open_pct, faster),
         "prediction errors of up to 30 % where performance increases (section 8)"),
        ("open_error_when_slower", "the same after C-LOOK to FCFS, more by", "%",
         0.0, "at-least", more,
         "the error is much larger when requests are served less quickly (section 6.2)"),
        ("closed_error_factor", "closed model's response after a change, off by a factor of", "",
         ORDER, "at-least", factor,
         "closed models lead to errors as large as an order of magnitude (section 8)"),
    )  # fmt: skip
    return [
        Row(
            id=f"figure-1/{key}",
            what=what,
            paper=None,
            target=target,
            ours=of(range(count)),
            unit=unit,
            bound=bound,
            criterion=EXACT,
            interval=even.figure_interval(count, of),
            evidence="fitted",
            used=IN_VIEW,
            claim=claim,
            group=group,
        )
        for key, what, unit, target, bound, of, claim in figures
    ]


def replays(directions: list[dict[str, Pair]], group: str) -> Row:
    """The open model under its trace's scheduler, where it matches reality (section 6.1)."""
    off = [
        abs(change_pct(system, alone))
        for of in directions
        for system, alone in zip(of["system"][0], of["open"][0], strict=True)
    ]
    return Row(
        id="figure-1/open_replays",
        what="open model under the traced scheduler against the system, worst of all instances",
        paper=None,
        ours=max(off),
        unit="%",
        target=0.0,
        bound="at-most",
        criterion=EXACT,
        evidence="by construction",
        used="the trace is of the same storage",
        claim="storage performance is identical where the observed behavior is (section 6.1)",
        group=group,
    )


def open_rate(scale: float, runs: list[Run], group: str) -> Row:
    """How fast requests come in the open model, which is driven with these runs' requests."""
    return mean_row(
        f"figure-2/open/{scale:g}/rate_per_s",
        f"requests in a second by the open model, scale {scale:g}",
        published.RATES_PER_S[scale][0],
        [scale * run.rate_per_s for run in runs],
        "",
        group=group,
    )


def cause(at: str, group: str, runs: dict[str, list[Run]]) -> list[Row]:
    """That the drive breaks off more read-ahead under SPCTF, and takes longer for it."""
    figures: tuple[tuple[str, str, Figure], ...] = (
        ("service_change", "mean service", lambda run: run.service_ms),
        ("aborted_change", "read-ahead broken off after a hit", lambda run: run.aborted),
    )
    return [
        at_least_nothing(
            f"figure-2{at}/{key}",
            f"{what}, SPTF to SPCTF",
            ([of(run) for run in runs["sptf"]], [of(run) for run in runs["spctf"]]),
            "time wasted on aborted prefetches decreases the disk's efficiency (section 6.3)",
            group,
        )
        for key, what, of in figures
    ]


def at_least_nothing(row_id: str, what: str, values: Pair, claim: str, group: str) -> Row:
    """A change that is claimed to be an increase."""
    row = change_row(
        row_id, what, None, values, group=group, target=0.0, bound="at-least", claim=claim
    )
    return replace(row, criterion=EXACT)


def grows(responses: dict[float, Pair], group: str, used: str) -> Row:
    """Whether the open model's error grows with the scale; pairs are the system's and its own."""
    count = len(responses[1.0][0])
    least, most = min(responses), max(responses)

    def error(scale: float, these: Sequence[int]) -> float:
        system, other = (fmean(part[k] for k in these) for part in responses[scale])
        return 100.0 * abs(other / system - 1.0)

    def more(these: Sequence[int]) -> float:
        return error(most, these) - error(least, these)

    return Row(
        id="figure-2/open_error/grows",
        what=f"error at scale {most:g} less that at scale {least:g}",
        paper=None,
        ours=more(range(count)),
        unit="%",
        target=0.0,
        bound="at-least",
        criterion=EXACT,
        interval=even.figure_interval(count, more),
        used=used,
        claim="the open model's error increases sharply with scaling (section 6.3)",
        group=group,
    )
