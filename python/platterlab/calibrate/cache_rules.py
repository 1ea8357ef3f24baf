"""What the buffer keeps: named policies, chosen by how many outcomes they foretell.

Whether the buffer had a read's data can be seen in its service time (see `floor`). Each candidate
cache serves the trace in the core at the measured times; one that says hit where the drive hit and
miss where it missed is right. The search starts from several known kinds of caches and changes one
policy at a time, always to the best, until nothing helps.
"""

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from platterlab._core import Profile, row_labels
from platterlab.calibrate.observed import Flags, Floats
from platterlab.calibrate.reading import Reading

Rules = dict[str, Any]

SECTOR_SIZES = (8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096)
"""Of a segment and of read-ahead, in sectors."""

KINDS: tuple[Rules, ...] = (
    {"segments": 1, "read_ahead": "aggressive", "hits_on_written": False},
    {"segments": 4, "read_ahead": "aggressive"},
    {"segments": 8, "read_ahead": "track"},
    {"segments": 8, "read_ahead": "on-arrival", "overwritten": "updated"},
    {"segments": 8, "read_ahead": "whole-track", "overwritten": "updated"},
    {
        "segments": 8,
        "read_ahead": "whole-track",
        "read_ahead_after": "sequential-reads",
        "read_ahead_next_track": True,
        "overwritten": "updated",
    },
)
"""Where the search starts: drives with one look-ahead buffer, segments, whole tracks."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "read_ahead": ("none", "track", "whole-track", "cylinder", "aggressive", "on-arrival"),
    "read_ahead_after": ("any-read", "sequential-reads"),
    "read_ahead_next_track": (False, True),
    "segments": (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32),
    "segment": SECTOR_SIZES,
    "read_ahead_most": (None, *SECTOR_SIZES),
    "read_ahead_least": (0, 16, 32, 64, 128, 256),
    "read_ahead_on_hit": ("ignore", "extend", "start"),
    "keep_after_hit": (False, True),
    "keep_after_miss": (False, True),
    "partial_hits": (False, True),
    "hits_in_flight": (False, True),
    "overwritten": ("updated", "keeps-earlier", "keeps-later", "dropped"),
    "hits_on_written": (False, True),
    "combine_writes": (False, True),
    "write_segments": (None, 1, 2),
}
"""Every policy that is tried, with all its words."""

PLAIN: Rules = {
    "segments": 4,
    "segment": 1024,
    "read_ahead": "aggressive",
    "read_ahead_after": "any-read",
    "read_ahead_next_track": False,
    "read_ahead_most": None,
    "read_ahead_least": 0,
    "read_ahead_on_hit": "extend",
    "keep_after_hit": True,
    "keep_after_miss": True,
    "partial_hits": True,
    "hits_in_flight": True,
    "overwritten": "keeps-earlier",
    "hits_on_written": True,
    "combine_writes": True,
    "write_segments": None,
}
"""What a kind does not say."""

SWEEPS = 4
ERROR_WEIGHT = 0.05
"""How much a wrong time counts beside a wrong outcome: enough to tell two caches of the same
outcomes apart."""

LEAST_GAIN = 2e-4
"""A change has to foretell this share of the reads better."""

LATE_MS = 1.0
"""An error counts up to this much."""

_SERVED = tuple(
    code for code, name in enumerate(row_labels()["cache"]) if name in ("hit", "in-flight")
)


@dataclass(frozen=True)
class Chosen:
    """The best cache.

    Attributes:
        overrides: it in the profile's keys.
        right: share of the reads whose outcome it foretells.
        tried: how many caches were tried.
    """

    overrides: dict[str, Any]
    right: float
    tried: int


def choose_cache(
    profile: Profile,
    reading: Reading,
    follow: bool,
    keep: Path | None,
    progress: Callable[[float], None],
) -> Chosen:
    """The cache that foretells most outcomes.

    Args:
        profile: with the mechanics found so far.
        reading: the trace.
        follow: whether the platter has to be followed.
        keep: a folder for what was tried, to go on from; None to keep nothing.
        progress: told the share that is done.
    """
    search = _Search(profile, reading, follow, keep)
    starts = [PLAIN | kind for kind in KINDS]
    scores = search.scores(starts)
    best = sorted(range(len(starts)), key=lambda number: scores[number])[:2]
    found = []
    for part, number in enumerate(best):

        def within(share: float, part: int = part) -> None:
            progress((part + share) / len(best))

        found.append(search.descend(starts[number], within))
    rules, _ = min(found, key=lambda one: one[1])
    return Chosen(_overrides(rules, reading.writes_wait), search.right(rules), len(search.known))


class _Search:
    """Candidates and how good they are."""

    def __init__(self, profile: Profile, reading: Reading, follow: bool, keep: Path | None) -> None:
        self.follow = follow
        self.profile = profile
        self.reading = reading
        self.reads: Flags = ~reading.seen.write & np.isfinite(reading.seen.service_ms)
        self.file = keep / "caches.json" if keep else None
        self.known: dict[str, float] = {}
        self.mark = _mark(profile, reading)
        if self.file and self.file.is_file():
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            # Scores of another trace or another mechanism say nothing.
            self.known = kept["scores"] if kept.get("of") == self.mark else {}

    def scores(self, candidates: list[Rules]) -> list[float]:
        """How wrong each is; less is better."""
        keys = [json.dumps(rules, sort_keys=True) for rules in candidates]
        fresh = {
            key: rules for key, rules in zip(keys, candidates, strict=True) if key not in self.known
        }
        if fresh:
            # The core works outside the interpreter's lock; the order of results is fixed.
            with ThreadPoolExecutor(max_workers=2) as pool:
                self.known |= zip(fresh, pool.map(self._score, fresh.values()), strict=True)
            self._keep()
        return [self.known[key] for key in keys]

    def right(self, rules: Rules) -> float:
        """Share of the reads whose outcome is foretold."""
        hit, _ = self._served(rules)
        return float(np.mean((hit == self.reading.is_hit)[self.reads]))

    def descend(self, rules: Rules, progress: Callable[[float], None]) -> tuple[Rules, float]:
        """From `rules` on, one policy at a time."""
        (score,) = self.scores([rules])
        for sweep in range(SWEEPS):
            before = score
            for number, (name, words) in enumerate(CHOICES.items()):
                others = [rules | {name: word} for word in words if word != rules[name]]
                scores = self.scores(others)
                best = int(np.argmin(scores))
                if scores[best] < score - LEAST_GAIN:
                    rules, score = others[best], scores[best]
                progress((sweep + number / len(CHOICES)) / SWEEPS)
            if score > before - LEAST_GAIN:
                break
        return rules, score

    def _score(self, rules: Rules) -> float:
        hit, times = self._served(rules)
        wrong = (hit != self.reading.is_hit)[self.reads]
        off = np.abs(times - self.reading.seen.service_ms)[self.reads]
        return float(np.mean(wrong + ERROR_WEIGHT * np.minimum(off / LATE_MS, 1.0)))

    def _served(self, rules: Rules) -> tuple[Flags, Floats]:
        profile = self.profile.with_overrides(_overrides(rules, self.reading.writes_wait))
        rows = self.reading.seen.requests.replay(profile, timing="issue", track_phase=self.follow)
        return np.isin(rows["cache"], _SERVED), rows["service_ms"]

    def _keep(self) -> None:
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            kept = {"of": self.mark, "scores": self.known}
            self.file.write_text(json.dumps(kept), encoding="utf-8")


def _mark(profile: Profile, reading: Reading) -> str:
    """Tells one trace and mechanism from others."""
    return f"{hash_text(profile.to_toml())}-{reading.gap}-{len(reading.seen)}"


def hash_text(text: str) -> str:
    """The same for the same text on every machine."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _overrides(rules: Rules, writes_wait: bool) -> dict[str, Any]:
    """Rules in the profile's keys; sizes there are in bytes."""
    found = {}
    for name, value in rules.items():
        if value is None:
            continue
        sized = name in ("segment", "read_ahead_most", "read_ahead_least")
        found[f"cache.{name}"] = value * 512 if sized else value
    return found | {"cache.write_report": "media" if writes_wait else "buffer"}
