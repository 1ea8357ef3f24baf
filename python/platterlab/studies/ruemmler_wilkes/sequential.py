"""The text on caching and sequential requests: full speed with it, a revolution without."""

import numpy as np

from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.studies.criteria import EFFECT
from platterlab.studies.row import Evidence, Row
from platterlab.studies.ruemmler_wilkes import rungs
from platterlab.studies.ruemmler_wilkes.ladder import READ, WRITE

DRIVE = "hp-97560"
SECTORS, COUNT = 16, 2_000
"""8 KB, one request after the other without a pause, over some twenty cylinders."""

FIRST = 1_000
CLAIM = "immediate reporting with read-ahead: data are written and read at full throughput"
DELAYED = "without read-ahead, two back-to-back reads are delayed by almost a full revolution"
POLICY = "the profile reads ahead and reports writes at once, as the text says"


def rows(seed: int) -> list[Row]:
    """Both claims on the HP 97560."""
    profile = library.load(DRIVE)
    one_ms = _took_ms(profile, READ, SECTORS * COUNT, 1, seed)
    reads_ms, writes_ms = (_took_ms(profile, kind, SECTORS, COUNT, seed) for kind in (READ, WRITE))
    bare_ms = _took_ms(profile.with_overrides({**rungs.NO_CACHE}), READ, SECTORS, COUNT, seed)
    turn_ms = 60e3 / 4002
    late_pct = 100.0 * (bare_ms - one_ms) / COUNT / turn_ms
    return [
        _row("reads", "sequential reads of 8 KB: rate, of one long read's",
             100.0 * one_ms / reads_ms, CLAIM, "by construction", POLICY),
        _row("writes", "sequential writes of 8 KB: rate, of one long read's",
             100.0 * one_ms / writes_ms, CLAIM, "by construction", POLICY),
        _row("without_read_ahead", "a sequential read without a cache: later by, of a revolution",
             late_pct, DELAYED, "blind", "nothing of this row: overheads, bus and revolution"),
    ]  # fmt: skip


def _took_ms(profile: Profile, operation: int, sectors: int, count: int, seed: int) -> float:
    """How long this many requests of this many sectors take in a row."""
    lba = (FIRST + sectors * np.arange(count)).astype(np.uint64)
    none = np.zeros(count)
    requests = Requests.given(
        lba, np.full(count, sectors, np.uint32), np.full(count, operation, np.uint8),
        none, none, none, none, sector_bytes=profile.sector_bytes, shown="sequential requests",
    )  # fmt: skip
    return float(requests.replay(profile, timing="closed", seed=seed)["service_ms"].sum())


def _row(key: str, what: str, ours: float, claim: str, evidence: Evidence, used: str) -> Row:
    return Row(
        f"sequential/{key}",
        f"HP 97560, {what}",
        None,
        ours,
        "%",
        target=100.0,
        criterion=EFFECT,
        evidence=evidence,
        used=used,
        claim=claim,
        group="Caching of requests: sequential requests",
    )
