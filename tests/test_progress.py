"""How far long work is: told to who asked, a bar in a notebook, silence elsewhere."""

import sys
import types
from typing import Any

import pytest

import platterlab as pl
from platterlab.lab import progress

SYSTEM: dict[str, Any] = {
    "drive": [{"profile": "hp-97560"}],
    "workload": [{"kind": "closed", "population": 4}],
    "stop": {"requests": 20_000},
}


class Display:
    """What a notebook shows of one thing, each time that it changes."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __call__(self, first: Any, *, display_id: bool) -> "Display":
        assert display_id
        self.update(first)
        return self

    def update(self, one: Any) -> None:
        self.shown.append(one._repr_html_())


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Display:
    """A kernel that runs this test."""
    shell, shown = types.SimpleNamespace(kernel=object()), Display()
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    monkeypatch.setattr(ipython, "get_ipython", lambda: shell, raising=False)
    monkeypatch.setattr(display, "display", shown, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


@pytest.fixture
def a_second_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which each look is a second after the one before."""
    seconds = iter(range(1_000_000))
    clock = types.SimpleNamespace(monotonic=lambda: float(next(seconds)))
    monkeypatch.setattr(progress, "time", clock)


@pytest.mark.usefixtures("a_second_each")
def test_a_notebook_has_a_bar_that_goes(notebook: Display) -> None:
    with progress.listener(None) as bar:
        for share in (0.0, 0.25, 0.5):
            bar("simulating <it>", share)
    assert [text.partition("max")[0] for text in notebook.shown] == [
        '<progress value="0.000" ', '<progress value="0.250" ', '<progress value="0.500" ', "",
    ]  # fmt: skip
    assert "simulating &lt;it&gt;: 50%, 3 s left" in notebook.shown[2]


def test_what_is_soon_over_has_none(notebook: Display) -> None:
    pl.simulate(pl.Experiment(**{**SYSTEM, "stop": {"requests": 100}}))
    assert notebook.shown == []


@pytest.mark.usefixtures("a_second_each")
def test_work_in_a_notebook_shows_it(notebook: Display) -> None:
    drive = pl.Drive("hp-97560")
    pl.simulate(drive, pl.Trace.random(drive, 100_000, think_ms=1.0))
    assert "simulating" in notebook.shown[0]
    assert notebook.shown[-1] == ""


@pytest.mark.usefixtures("a_second_each")
def test_who_asks_hears_and_nobody_else(notebook: Display) -> None:
    heard: list[float] = []
    drive = pl.Drive("hp-97560")
    trace = pl.Trace.random(drive, 100_000, think_ms=1.0)
    for what, more in ((pl.Experiment(**SYSTEM), {}), (drive, {"trace": trace})):
        heard.clear()
        pl.simulate(what, progress=heard.append, **more)
        assert heard == sorted(heard)
        assert 0 <= heard[0] <= heard[-1] == 1
    assert notebook.shown == []


def test_what_the_listener_raises_ends_the_work() -> None:
    def enough(share: float) -> None:
        if share > 0.3:
            raise LookupError(share)

    drive = pl.Drive("hp-97560")
    with pytest.raises(LookupError):
        pl.simulate(drive, pl.Trace.random(drive, 100_000, think_ms=1.0), progress=enough)
