"""What the buffer keeps: named policies, chosen by how many outcomes they predict.

Whether the buffer had a read's data can be seen in its service time (see `floor`). Each candidate
cache serves the trace in the core at the measured times; one that says hit where the drive hit and
miss where it missed is right. The search starts from several known kinds of caches and changes one
policy at a time, always to the best, until nothing helps. What one part of the trace contradicts is
taken for chance.
"""

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from platterlab import documents
from platterlab._core import InputError, Profile, outcomes, row_labels
from platterlab.calibration.buffer.policies import (
    CHOICES,
    KINDS,
    OTHER_KINDS,
    PLAIN,
    Rules,
    Word,
    between,
    is_consistent,
    is_rarer,
    moves,
    overrides,
    rules_stated,
)
from platterlab.calibration.buffer.read_ahead_dropouts import abandoned_share
from platterlab.calibration.judged.cross_validation import is_sure_gain
from platterlab.calibration.trace.observed import Flags, Floats
from platterlab.calibration.trace.reading import Reading
from platterlab.output import write_text
from platterlab.wrong_file import in_file

SWEEPS = 6
STARTS = 2
"""Of the kinds, so many of the best are worked out."""

WELL = 0.95
"""Where a cache predicts fewer outcomes of reads, other kinds are worked out, too."""

PARTS = 2
"""Of the trace, one after the other: no change may lose in one what it gains in another."""

ERROR_WEIGHT = 0.05
"""How much a wrong time counts beside a wrong outcome: enough to tell two caches of the same
outcomes apart."""

LEAST_READS = 1.5
"""A change has to predict so many more reads: one is chance."""

LATE_MS = 1.0
"""An error counts up to this much."""

_Scores = dict[str, Annotated[list[float], Meta(min_length=PARTS, max_length=PARTS)]]
"""By candidate, one for each part of the trace."""

_CODE = {name: code for code, name in enumerate(row_labels()["cache"])}


@dataclass(frozen=True)
class Told:
    """How surely a policy is told from its other words, all other policies being as they are.

    Attributes:
        name, word: the policy; sizes are in sectors.
        is_told: whether reads tell any words for it apart.
        alike: other words that predict as many outcomes.
        worse: the others, the best first, and how many more outcomes of reads each has wrong.
    """

    name: str
    word: Word
    is_told: bool
    alike: list[Word]
    worse: list[tuple[Word, float]]


@dataclass(frozen=True)
class Chosen:
    """The best cache.

    Attributes:
        overrides: it in the profile's keys.
        right: share of the reads whose outcome it predicts.
        abandoned: share of read-aheads that the drive gives up, which nothing predicts.
        tried: how many caches were tried.
        policies: how surely each is told.
        stated: what the profile to start from says of them, which stays where no read tells.
        searched: in the profile's keys what predicted outcomes as well or better, but not surely;
            {} where that is it.
    """

    overrides: dict[str, Any]
    right: float
    abandoned: float
    tried: int
    policies: list[Told]
    stated: Rules
    searched: Rules

    @property
    def undetermined(self) -> list[str]:
        """The policies of which any word is as good as any other."""
        return [one.name for one in self.policies if not one.is_told]


def choose_cache(
    profile: Profile,
    reading: Reading,
    follow: bool,
    holds_ms: tuple[float, ...],
    keep: Path | None,
    progress: Callable[[float], None],
    *,
    stated: Rules,
) -> Chosen:
    """The cache that predicts most outcomes, with the words of the start where as many do by them.

    Args:
        profile: with the mechanics found so far.
        reading: the trace.
        follow: whether the platter has to be followed.
        holds_ms: times that overheads go by, which may be those for which read-ahead is held.
        keep: a folder for what was tried, to go on from, with a file for each mechanism and way of
            reading the trace; None to keep nothing.
        progress: told the share that is done.
        stated: what the profile to start from says of its cache.
    """
    own = rules_stated(stated, profile.sector_bytes)
    search = _Search(profile, reading, follow, holds_ms, keep)
    starts = [PLAIN | kind for kind in KINDS]
    scores = [score.sum() for score in search.scores(starts)]
    best = sorted(range(len(starts)), key=lambda number: scores[number])[:STARTS]
    found = []
    for part, number in enumerate(best):

        def within(share: float, part: int = part) -> None:
            progress((part + share) / len(best))

        found.append(search.descend(starts[number], within))
    found.append(search.sized(*min(found, key=_wrong)))
    rules, _ = found[-1]
    served = search.served(rules)
    if search.right(*served) < WELL:
        # From those no single change leads there.
        found += [search.descend(PLAIN | kind, lambda _share: None) for kind in OTHER_KINDS]
        rules, _ = search.sized(*min(found, key=_wrong))
        served = search.served(rules)
    kept, searched = search.as_stated(rules, own), {}
    if kept != rules:
        searched = overrides(rules, reading.write_report, profile.sector_bytes)
        rules, served = kept, search.served(kept)
    policies = search.told(rules)
    chosen = overrides(rules, reading.write_report, profile.sector_bytes)
    right, abandoned = search.right(*served), abandoned_share(reading, served[0])
    return Chosen(chosen, right, abandoned, len(search.known), policies, own, searched)


def _wrong(found: tuple[Rules, Floats]) -> float:
    """How wrong a cache is in all parts of the trace."""
    return float(found[1].sum())


class _Search:
    """Candidates and how good they are."""

    def __init__(
        self,
        profile: Profile,
        reading: Reading,
        follow: bool,
        holds_ms: tuple[float, ...],
        keep: Path | None,
    ) -> None:
        self.follow = follow
        self.profile = profile
        self.reading = reading
        self.holds_ms = holds_ms
        self.reads: Flags = ~reading.seen.write & np.isfinite(reading.seen.service_ms)
        self.least = LEAST_READS / max(int(self.reads.sum()), 1)
        self.file = keep / f"caches-{_mark(profile, reading, follow)}.json" if keep else None
        self.known: dict[str, list[float]] = {}
        if self.file and self.file.is_file():
            self.known = _kept(self.file)

    def scores(self, candidates: list[Rules]) -> list[Floats]:
        """How wrong each is in each part of the trace; less is better."""
        keys = [json.dumps(rules, sort_keys=True) for rules in candidates]
        fresh = {
            key: rules for key, rules in zip(keys, candidates, strict=True) if key not in self.known
        }
        if fresh:
            # The core works outside the interpreter's lock; the order of results is fixed.
            with ThreadPoolExecutor(max_workers=2) as pool:
                self.known |= zip(fresh, pool.map(self._score, fresh.values()), strict=True)
            self._keep()
        return [np.array(self.known[key]) for key in keys]

    def descend(self, rules: Rules, progress: Callable[[float], None]) -> tuple[Rules, Floats]:
        """From `rules` on, one policy at a time."""
        (score,) = self.scores([rules])
        for sweep in range(SWEEPS):
            before = score.sum()
            for number, name in enumerate(CHOICES):
                rules, score = self._best(rules, score, list(moves(rules, name, self.holds_ms)))
                progress((sweep + number / len(CHOICES)) / SWEEPS)
            if score.sum() > before - self.least:
                break
        return rules, score

    def sized(self, rules: Rules, score: Floats) -> tuple[Rules, Floats]:
        """The same with a size between those that are tried, and what else is found with it.

        Under a size that is not the drive's other policies stand in for what it does.
        """
        other, _ = self._best(rules, score, list(between(rules)))
        return (rules, score) if other is rules else self.descend(other, lambda _share: None)

    def _best(self, rules: Rules, score: Floats, others: list[Rules]) -> tuple[Rules, Floats]:
        """Which of others gains most beyond chance, or `rules`.

        In each part of the trace it must lose no more than chance takes, or gain more than that by
        what hardly any drive has.
        """
        gains = [score - other for other in self.scores(others)]
        least = [self.least if is_rarer(rules, one) else -self.least for one in others]
        borne = [
            gain.sum() if gain.min() > bound else 0.0
            for gain, bound in zip(gains, least, strict=True)
        ]
        if not borne or max(borne) <= self.least:
            return rules, score
        best = int(np.argmax(borne))
        return others[best], score - gains[best]

    def as_stated(self, rules: Rules, stated: Rules) -> Rules:
        """The same with the words of the start of which reads do not surely tell others."""
        if not stated:
            return rules
        found = self._cost(rules)

        def is_open(other: Rules) -> bool:
            return is_consistent(other) and not is_sure_gain(self._cost(other) - found)

        if is_open(rules | stated):
            return rules | stated
        for name, word in stated.items():
            other = rules | {name: word}
            if other != rules and is_open(other):
                rules = other
        return rules

    def told(self, rules: Rules) -> list[Told]:
        """How surely each policy is told, the others being as in `rules`."""
        found = []
        (own,) = (score.sum() for score in self.scores([rules]))
        for name, words in CHOICES.items():
            others = [one for one in (rules | {name: word} for word in words) if is_consistent(one)]
            if len(others) == 1:
                # Each other word needs other policies changed with it.
                others += moves(rules, name, self.holds_ms)
            more = [float(score.sum() - own) for score in self.scores(others)]
            # Of two that differ in other policies, too, the better one stands for the word.
            by_word: dict[Word, float] = {}
            for less, other in sorted(zip(more, others, strict=True), key=lambda one: one[0]):
                by_word.setdefault(other[name], less)
            told = bool(np.ptp(more) >= self.least)
            alike = [word for word, less in by_word.items() if less < self.least]
            alike = [word for word in alike if word != rules[name]]
            reads = {word: less * int(self.reads.sum()) for word, less in by_word.items()}
            worse = [(word, reads[word]) for word, less in by_word.items() if less >= self.least]
            found.append(Told(name, rules[name], told, alike, worse))
        return found

    def right(self, outcome: NDArray[np.uint8], service_ms: Floats) -> float:
        """The share of the reads whose outcome is predicted."""
        said = (self.answered(outcome, service_ms) == self.reading.is_hit)[self.reads]
        return float(np.mean(said)) if len(said) else 1.0

    def answered(self, outcome: NDArray[np.uint8], service_ms: Floats) -> Flags:
        """Which requests would look in a trace as answered by the buffer."""
        line = self.reading.hits
        hit = outcome == _CODE["hit"]
        if line is not None:
            soon = line.below(service_ms, self.reading.seen.sectors)
            hit |= (outcome == _CODE["in-flight"]) & soon
        return np.asarray(hit)

    def _cost(self, rules: Rules) -> Floats:
        """How wrong it is of each read."""
        outcome, times = self.served(rules)
        wrong = (self.answered(outcome, times) != self.reading.is_hit)[self.reads]
        off = np.abs(times - self.reading.seen.service_ms)[self.reads]
        return np.asarray(wrong + ERROR_WEIGHT * np.minimum(off / LATE_MS, 1.0))

    def _score(self, rules: Rules) -> list[float]:
        cost = self._cost(rules)
        # Where there are no reads any cache is as good as any other.
        return [float(part.sum()) / max(len(cost), 1) for part in np.array_split(cost, PARTS)]

    def served(self, rules: Rules) -> tuple[NDArray[np.uint8], Floats]:
        """Where the data of each request came from, by number, and what it took."""
        sector_bytes = self.profile.sector_bytes
        cache = overrides(rules, self.reading.write_report, sector_bytes)
        profile = self.profile.with_overrides(cache)
        requests = self.reading.seen.requests
        return outcomes(requests, profile, timing="issue", track_phase=self.follow)

    def _keep(self) -> None:
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_text(self.file, json.dumps(self.known))


def _kept(file: Path) -> dict[str, list[float]]:
    """What an earlier calibration tried. Raises InputError where the file holds something else."""
    try:
        return documents.read(file, _Scores)
    except InputError as error:
        raise in_file(file, "is not what a calibration keeps; remove it") from error


def _mark(profile: Profile, reading: Reading, follow: bool) -> str:
    """What scores depend on beside the cache: those of another trace or mechanism say nothing.

    The same on every machine.
    """
    seen = reading.seen
    digest = hashlib.sha256(profile.to_toml().encode())
    for column in (seen.lba, seen.sectors, seen.write, seen.issue_ms, seen.service_ms):
        digest.update(column.tobytes())
    digest.update(repr((reading.write_report, follow)).encode())
    return digest.hexdigest()[:16]
