"""Shows how near simulated times are to measured ones."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from platterlab.cli.console import count, number, plain_table
from platterlab.comparison import Comparison


def tables(groups: Mapping[str, Comparison]) -> RenderableType:
    """The demerit of each group and, where requests pair up, the errors of single ones."""
    overall = plain_table(
        "distribution", "requests", "measured ms", "simulated ms", "demerit ms", "of mean"
    )
    for name, one in groups.items():
        overall.add_row(
            name,
            count(one.simulated_requests),
            number(one.measured_mean_ms),
            number(one.simulated_mean_ms),
            f"[bold]{number(one.demerit_ms)}[/]",
            f"{number(one.demerit_pct, 1)} %",
        )
    single = plain_table(
        "single requests", "RMSE ms", "median", "p95", "≤ 0.1 ms", "≤ 0.5 ms", "≤ 1 ms"
    )
    for name, one in groups.items():
        if one.errors is None:
            continue
        off = one.errors
        shares = (off.within_100_us, off.within_500_us, off.within_1_ms)
        single.add_row(
            name,
            number(off.rmse_ms),
            number(off.median_abs_error_ms),
            number(off.p95_abs_error_ms),
            *(f"{number(100 * share, 1)} %" for share in shares),
        )
    if not single.row_count:
        return Group(overall, Text("\nThe requests do not pair up: no errors of single requests."))
    parts: list[RenderableType] = [overall, Text(), single]
    if not all(one.exact for one in groups.values()):
        parts.append(Text("\nDemerit, median and p95 are from times in bins of 0.025 %.", "dim"))
    return Group(*parts)
