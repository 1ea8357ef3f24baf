"""A clock that jumps changes nothing: what takes time is measured by clocks that only go on.

The time of day is asked for once, for the date in what a measurement keeps.
"""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from conftest import ROOT
from platterlab.measure import environment

TIME_OF_DAY = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|ctime)\(|datetime\.(now|utcnow|today)\("
    r"|\bSystemTime::now\b|ClockId::Realtime\b|\bclock_gettime\(CLOCK_REALTIME"
)
MAY = {"python/platterlab/measure/environment.py"}


def test_the_time_of_day_is_asked_for_in_one_place() -> None:
    sources = [*ROOT.glob("python/**/*.py"), *ROOT.glob("crates/*/src/**/*.rs")]
    assert len(sources) > 300
    asking = {
        str(path.relative_to(ROOT)) for path in sources if TIME_OF_DAY.search(path.read_text())
    }
    assert asking == MAY


@pytest.mark.parametrize("year", [1, 1970, 9999])
def test_a_wrong_date_is_written_down_and_no_more(
    year: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Jumped(datetime):
        """A clock that somebody has set to another century."""

        @classmethod
        def now(cls, tz: Any = None) -> "Jumped":
            return cls(year, 1, 1, tzinfo=tz)

    device = {"name": "a drive", "facts": [("serial", "1")]}
    before = environment.describe(device, {}, [])
    monkeypatch.setattr(environment, "datetime", Jumped)
    after = environment.describe(device, {}, [])
    assert after.pop("started") == Jumped(year, 1, 1, tzinfo=UTC).isoformat(timespec="seconds")
    assert datetime.fromisoformat(before.pop("started")).year >= 2026
    assert after == before
