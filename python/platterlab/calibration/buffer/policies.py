"""The cache policies that a trace can tell, their words, and which of them change together.

Everything else that a profile says of its cache is not a matter of what the buffer keeps: how much
data a transfer waits for is found with the mechanics.
"""

from collections.abc import Iterator
from typing import Any

from platterlab.datasheet import size_bytes

Rules = dict[str, Any]

Word = str | float | bool | None
"""What a policy can be; a size is a whole number of sectors."""

SECTOR_SIZES = (8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384)
"""Of a segment and of read-ahead, in sectors."""

PARTS_OF_SIZE = (0.625, 0.75, 0.875, 1.125, 1.25, 1.5, 1.75)
"""Of the best of these: drives have read-ahead and segments of any length."""

HOLDS_MS = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0, 120.0)
"""For which read-ahead may be held at its limit, beside what the overheads tell."""

RARE: Rules = {"read_ahead_hold_ms": 0.0}
"""Policies that hardly any drive has, and the word of all others."""

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

OTHER_KINDS: tuple[Rules, ...] = (
    {
        "segments": 8, "segment": 64, "read_ahead": "aggressive",
        "read_ahead_over_requested": False,
    },
)  # fmt: skip
"""And where these lead nowhere: segments of which a long read leaves nothing for read-ahead."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "read_ahead": (
        "none", "track", "track-or-next", "whole-track", "cylinder", "aggressive", "on-arrival",
    ),
    "read_ahead_after": ("any-read", "sequential-reads", "sequential"),
    "read_ahead_next_track": (False, True),
    "segments": (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32),
    "segment": SECTOR_SIZES,
    "read_ahead_most": (None, *SECTOR_SIZES),
    "read_ahead_least": (0, 16, 32, 64, 128, 256),
    "read_ahead_over_requested": (False, True),
    "read_ahead_on_hit": ("ignore", "continue", "extend", "start"),
    "read_ahead_hold_ms": HOLDS_MS,
    "read_ahead_ends": ("media-needed", "other-command"),
    "keep_after_hit": (False, True),
    "keep_after_miss": (False, True),
    "partial_hits": (False, True),
    "partial_hits_at_once": (False, True),
    "hits_in_flight": (False, True),
    "almost_hits": (False, True),
    "hits_on_later_tracks": (False, True),
    "overwritten": ("updated", "keeps-earlier", "keeps-later", "dropped"),
    "hits_on_written": (False, True),
    "combine_writes": (False, True),
    "write_segments": (None, 1, 2),
    "separate_write_segments": (False, True),
}  # fmt: skip
"""Every policy that is tried, with all its words."""

SIZED = ("segment", "read_ahead_most", "read_ahead_least")
"""In sectors here, in bytes in a profile."""

PLAIN: Rules = {
    "segments": 4,
    "segment": 1024,
    "read_ahead": "aggressive",
    "read_ahead_after": "any-read",
    "read_ahead_next_track": False,
    "read_ahead_most": None,
    "read_ahead_least": 0,
    "read_ahead_over_requested": True,
    "read_ahead_on_hit": "extend",
    "read_ahead_hold_ms": 0.0,
    "read_ahead_ends": "media-needed",
    "keep_after_hit": True,
    "keep_after_miss": True,
    "partial_hits": True,
    "partial_hits_at_once": True,
    "hits_in_flight": True,
    "almost_hits": True,
    "hits_on_later_tracks": False,
    "overwritten": "keeps-earlier",
    "hits_on_written": True,
    "combine_writes": True,
    "write_segments": None,
    "separate_write_segments": False,
}
"""What a kind does not say."""


UNSAID: Rules = PLAIN | {
    "segment": 0,
    "read_ahead": "none",
    "keep_after_hit": False,
    "partial_hits": False,
    "hits_on_written": False,
}
"""What a profile has of those that it does not say."""


def moves(rules: Rules, name: str, holds_ms: tuple[float, ...]) -> Iterator[Rules]:
    """What `rules` can become by another word for `name`, and by that with what goes with it.

    Args:
        rules: that are changed.
        name: of a policy.
        holds_ms: more times for which read-ahead may be held.
    """
    words = CHOICES[name]
    if name == "read_ahead_hold_ms":
        words = tuple(sorted({*words, *holds_ms}))
    for word in words:
        if word == rules[name]:
            continue
        other = rules | {name: word}
        if is_consistent(other):
            yield other
        if name == "segment" and rules["read_ahead_most"] is None:
            # A segment can grow while read-ahead stays as far as it was.
            yield other | {"read_ahead_most": rules["segment"]}
        if name == "hits_on_later_tracks" and rules["read_ahead"] == "aggressive":
            # How far read-ahead would come shows only where somebody waits for it.
            yield from (other | {"segment": size} for size in SECTOR_SIZES)
        if name == "read_ahead_hold_ms" and rules["read_ahead_on_hit"] != "continue":
            yield other | {"read_ahead_on_hit": "continue"}
        if name == "separate_write_segments" and word:
            apart = [other | {"write_segments": own} for own in CHOICES["write_segments"]]
            yield from filter(is_consistent, apart)


def is_rarer(rules: Rules, other: Rules) -> bool:
    """Whether the others have what hardly any drive has, and these rules have not."""
    return any(other[name] not in (usual, rules[name]) for name, usual in RARE.items())


def between(rules: Rules) -> Iterator[Rules]:
    """The same with a size between those that are tried, next to one that it has."""
    for name in SIZED:
        size = rules[name]
        if size in SECTOR_SIZES:
            yield from (rules | {name: int(size * part)} for part in PARTS_OF_SIZE)


def is_consistent(rules: Rules) -> bool:
    """Whether a drive can have these rules together."""
    own = rules["write_segments"]
    return not rules["separate_write_segments"] or (own is not None and own < rules["segments"])


def overrides(rules: Rules, write_report: str, sector_bytes: int) -> dict[str, Any]:
    """Rules and when a write is complete in the profile's keys; sizes there are in bytes."""
    found = {}
    for name, value in rules.items():
        if value is None:
            continue
        found[f"cache.{name}"] = value * sector_bytes if name in SIZED else value
    return found | {"cache.write_report": write_report}


def rules_stated(cache: Rules, sector_bytes: int) -> Rules:
    """The policies of a profile's table of the cache, said or not; {} without segments.

    Args:
        cache: the table, sizes in bytes or as `256k`.
        sector_bytes: of a sector.
    """
    if not cache.get("segments"):
        return {}
    rules = UNSAID | {name: cache[name] for name in CHOICES if name in cache}
    for name in SIZED:
        size = rules[name]
        if size is not None:
            bytes_ = size_bytes(size, f"cache.{name}") if isinstance(size, str) else int(size)
            rules[name] = bytes_ // sector_bytes
    return rules


def rules_of(known: dict[str, Any], sector_bytes: int) -> Rules:
    """The rules of a profile's keys, as `overrides` has made them."""
    rules: Rules = {name: known.get(f"cache.{name}") for name in CHOICES}
    sizes = {name: rules[name] // sector_bytes for name in SIZED if rules[name] is not None}
    return rules | sizes
