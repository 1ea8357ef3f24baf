"""What was found, piece by piece: each is kept where it helps on requests that it did not see.

A start may be right in all but one piece, and one piece may be beyond what a trace tells. So every
piece can be as the start has it or as it was found; which of them it is, requests say that were
held back.
"""

from dataclasses import dataclass
from typing import Any

from platterlab._core import InputError, Profile
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.trace.observed import Floats

Found = tuple[Profile, dict[str, Any]]
"""A profile, and what it has other than the start, by key."""

BUFFER = "what the buffer keeps"

PLATTER = "where tracks begin"

POSITIONING = "how long positioning takes"

PIECES: dict[str, tuple[str, ...]] = {
    PLATTER: ("zone", "geometry.surface_offset_turns", "spindle", "defect"),
    POSITIONING: (
        "seek", "seek_back", "switch", "controller.read_ms", "controller.write_ms",
        "controller.after_write", "controller.rules",
    ),
    "what answers cost": ("controller.hit", "controller.hit_after_write", "controller.hit rules"),
    "the bus": (
        "bus", "cache.read_fence", "cache.read_fence_share", "controller.read_completion_ms",
        "controller.write_completion_ms",
    ),
    "what writes wait for": (
        "cache.write_fence", "cache.write_fence_by_track", "cache.write_fence_slow",
    ),
    "a track's end": ("controller.track_end",),
    BUFFER: ("cache",),
}  # fmt: skip
"""The keys of each; a table stands for those of its keys that no other piece has."""

ALL = frozenset(PIECES)


@dataclass(frozen=True)
class Kept:
    """What of a calibration is kept.

    Attributes:
        stage: up to which it went.
        pieces: that are as they were found; the others are as the start has them.
    """

    stage: str
    pieces: frozenset[str]


def piece_of(key: str) -> str:
    """The piece that a key belongs to."""
    table = key.partition(".")[0]
    named = {one: name for name, keys in PIECES.items() for one in keys}
    return named.get(key) or named.get(table) or POSITIONING


def assembled(start: Profile, found: Found, pieces: frozenset[str]) -> Found:
    """A profile with some pieces as they were found.

    Raises:
        InputError: no drive can be so.
    """
    profile, overrides = found
    if pieces == ALL:
        return found
    before, after = (one.stated() for one in (start, profile))
    own: dict[str, Any] = {}
    for key, value in overrides.items():
        if key.partition(".")[0] not in ("controller", "cache") and piece_of(key) in pieces:
            own[key] = value
    tables = {
        name: _composed(name, before.get(name, {}), after.get(name, {}), pieces)
        for name in ("controller", "cache")
    }
    kept = {
        key: value
        for key, value in overrides.items()
        if key.startswith("cache.") and piece_of(key) in pieces
    }
    return start.with_overrides(own | tables), own | kept | {"controller": tables["controller"]}


def _composed(
    table: str, before: dict[str, Any], after: dict[str, Any], pieces: frozenset[str]
) -> dict[str, Any]:
    """A table of which each key is of the one or of the other."""
    before, after = _with_hit_rules(before), _with_hit_rules(after)
    composed = {
        key: (after if piece_of(f"{table}.{key}") in pieces else before).get(key)
        for key in [*before, *(key for key in after if key not in before)]
    }
    rules = [*(composed.pop("hit rules", None) or []), *(composed.pop("rules", None) or [])]
    known = {key: value for key, value in composed.items() if value is not None}
    return known | ({"rules": rules} if rules else {})


def _with_hit_rules(table: dict[str, Any]) -> dict[str, Any]:
    """The same with the overhead rules of the buffer's answers by themselves."""
    rules = table.get("rules", [])
    apart = {
        "hit rules": [rule for rule in rules if rule.get("hit")],
        "rules": [rule for rule in rules if not rule.get("hit")],
    }
    return table | apart


class Choice:
    """Pieces of what was found, tried on requests that it did not see."""

    def __init__(self, part: Part, start: Profile, found: Found) -> None:
        """What there is to choose from.

        Args:
            part: requests that nothing was fitted on.
            start: what is left where a piece is not kept.
            found: all pieces as they were found.
        """
        self._part, self._start, self._found = part, start, found
        self._times: dict[frozenset[str], Floats | None] = {}

    def best(self, pieces: frozenset[str]) -> frozenset[str]:
        """From some pieces on, one more or one less as long as that surely helps.

        Each step has single requests surely nearer than the one before, or goes back to the start
        in one piece and has them nearer, and as many near; the distribution has to be no worse than
        the start's, of which each is a mix of errors that may make up for each other. Where none is
        kept the first one is taken as a stage is, if all in all it is nearer: it may move few
        requests, or all of them a little and a few by a turn.
        """
        start_ms = self._served(frozenset())
        while True:
            served = self._served(pieces)
            if start_ms is None or served is None:
                return pieces
            better = []
            for name in PIECES:
                fewer, other = name in pieces, self._served(pieces ^ {name})
                if other is None or not self._part.is_no_worse(other, start_ms):
                    continue
                # What the start has needs no proof against what was found and is farther; but for
                # the rotation, which requests do not tell where the platter is followed.
                back = fewer and name != PLATTER and self._is_nearer(other, served)
                if back or self._helps(other, served, first=not pieces):
                    better.append((self._part.cost(other), name))
            if not better:
                return pieces
            pieces = pieces ^ {min(better)[1]}

    def is_nearer(self, pieces: frozenset[str], other: frozenset[str]) -> bool:
        """Whether requests are nearer with some pieces than with others, and as many are near."""
        own_ms, other_ms = self._served(pieces), self._served(other)
        if own_ms is None or other_ms is None:
            return other_ms is None
        return self._is_nearer(own_ms, other_ms)

    def _is_nearer(self, own_ms: Floats, other_ms: Floats) -> bool:
        if self._part.cost(own_ms) >= self._part.cost(other_ms):
            return False
        return self._part.near_share(own_ms) >= self._part.near_share(other_ms)

    def _helps(self, times_ms: Floats, before_ms: Floats, *, first: bool) -> bool:
        if first:
            return self._part.cost(times_ms) < self._part.cost(before_ms)
        return self._part.is_surely_nearer(times_ms, before_ms)

    def _served(self, pieces: frozenset[str]) -> Floats | None:
        """The times under some pieces; None where no drive can be so."""
        if pieces not in self._times:
            try:
                profile = assembled(self._start, self._found, pieces)[0] if pieces else self._start
                self._times[pieces] = self._part.served(profile)
            except InputError:
                self._times[pieces] = None
        return self._times[pieces]
