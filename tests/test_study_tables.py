"""The tables of studies at 80 columns: every number is there, whatever the labels."""

from rich.console import Console

from platterlab.cli import study as command
from platterlab.studies import Outcome, Row, Study
from platterlab.studies.criteria import EXACT, MEAN


def shown(outcome, capsys):
    one = Study("one", "A study", "A paper", lambda _request: outcome)
    command._show(one, outcome, Console(width=80, highlight=False))
    return capsys.readouterr().out


def test_long_labels_leave_room_for_the_numbers(capsys):
    rows = [
        Row(
            "a",
            "a very long label " * 8,
            paper=216_879_104.0,
            ours=-1234.5,
            unit="sectors",
            criterion=MEAN,
        ),
        Row(
            "b",
            "short",
            paper=None,
            ours=0.125,
            unit="ms",
            target=2.0,
            bound="at-most",
            criterion=EXACT,
        ),
    ]
    told = shown(Outcome(rows), capsys)
    assert max(map(len, told.splitlines())) <= 80
    for number in ("216,879,104", "-1,234", "0.12", "≤ 2.00", "not reproduced", "no figure"):
        assert number in told, told
    assert "…" not in told
