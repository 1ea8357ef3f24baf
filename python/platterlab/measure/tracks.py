"""The map of tracks, in words, in numbers and as a table."""

from itertools import pairwise
from typing import Literal, TypedDict

from platterlab.answers import Finding, MeasuredDevice, TrackMap
from platterlab.documents import Json
from platterlab.measure import subject

# Name in the map, for people.
FINDINGS: tuple[tuple[Literal["class", "order", "surface_order", "seek_direction"], str], ...] = (
    ("class", "layout class"),
    ("order", "track order"),
    ("surface_order", "surfaces of successive groups"),
    ("seek_direction", "directions of successive passes"),
)
ESTIMATES: tuple[tuple[Literal["surfaces", "serpentine_cylinders"], str], ...] = (
    ("surfaces", "surfaces"),
    ("serpentine_cylinders", "serpentine, cylinders"),
)

COLUMNS: dict[str, str] = {
    "first_lba": "the piece's first sector",
    "first_track": "the number of its first track, in the order of addresses, from 0",
    "tracks": "tracks of the piece",
    "sectors_per_track": "sectors with an address on its first track, and where lengths recur on "
    "those behind it up to where they do, with blanks between: `423 423 392` are three tracks of a "
    "cycle, which continues to the end of the piece",
}
"""Columns of `tracks.csv`."""


SEVERAL = 4
"""So many tracks of a length in a row are a zone, and no odd ones."""


class Stretch(TypedDict):
    """Tracks of the same length that follow each other, but for single ones that defects shorten.

    Where lengths recur in a cycle, `sectors` has each of them, the longest first.
    """

    first_lba: int
    first_track: int
    tracks: int
    sectors: list[int]
    odd_tracks: int


def status(found: TrackMap) -> str:
    """`complete`, `partial`, or `unsupported` where nothing turns."""
    known = {"ok": "complete", "ambiguous": "partial"}
    return known.get(found["status"], "unsupported")


def warnings(found: TrackMap, device: MeasuredDevice) -> list[str]:
    """What a reader has to know; a sentence each."""
    said = subject.sentences(device)
    if found["status"] == "unsupported" and subject.cannot_rotate(dict(device["facts"])):
        said.append("No rotation found, and so no tracks.")
    elif found["status"] == "unsupported":
        said.append(
            f"{_sentence(found['note'])} A file, a loop device, a solid-state or a virtual disk "
            "has no rotation, and so no tracks to find."
        )
    elif found["note"]:
        said.append(f"Not all of the map is known: {found['note']}.")
    if hidden := found["hidden_boundaries"]:
        said.append(
            f"{hidden} track boundaries do not show; they are put where a revolution ends. The "
            "skew there is none, or what was read came from a cache."
        )
    return said


def summary(found: TrackMap) -> Json:
    """The map without the list of its tracks, as one JSON object."""
    kept = {key: value for key, value in found.items() if key not in ("pieces", "seeks", "status")}
    return {
        "map": {**kept, "zones": zones(found)},
        "seeks": found["seeks"],
    }


def zones(found: TrackMap, nearly: int = 4) -> list[Stretch]:
    """Stretches of tracks of the same length, but for what defects take from single ones."""
    merged: list[Stretch] = []
    for piece in found["pieces"]:
        tracks = piece["cycles"] * len(piece["sectors"])
        lengths = set(piece["sectors"])
        last = merged[-1] if merged else None
        same = last is not None and set(last["sectors"]) == lengths
        if last is not None and (same or _is_odd(last, lengths, tracks, nearly)):
            last["tracks"] += tracks
            last["odd_tracks"] += tracks if max(lengths) != last["sectors"][0] else 0
            continue
        merged.append(
            {
                "first_lba": piece["first_lba"],
                "first_track": piece["first_track"],
                "tracks": tracks,
                "sectors": sorted(lengths, reverse=True),
                "odd_tracks": 0,
            }
        )
    return merged


def _is_odd(zone: Stretch, lengths: set[int], tracks: int, nearly: int) -> bool:
    """Whether it is no zone: a track that lacks spares, or a few that lack some sectors."""
    lacks = min(zone["sectors"]) - max(lengths)
    few = tracks < SEVERAL and len(lengths) == len(zone["sectors"]) == 1
    return (few and 0 <= lacks <= nearly) or (tracks == 1 < zone["tracks"] and lacks > 0)


def seen(found: TrackMap) -> str:
    """How much of the drive was looked at, and what that may have missed; a sentence for people."""
    if found["seen_tracks"] >= found["tracks"]:
        return "each one was looked at"
    return (
        f"{found['seen_tracks']:,} were looked at, and the others lie between them: at most "
        f"{found['most_missed_pct']:.2g} % differ unseen (95 %)"
    )


def as_csv(found: TrackMap) -> str:
    """Tracks of the same length that follow each other, one line for each piece."""
    lines = [",".join(COLUMNS)]
    for piece in found["pieces"]:
        tracks = piece["cycles"] * len(piece["sectors"])
        lengths = " ".join(str(length) for length in piece["sectors"])
        lines.append(f"{piece['first_lba']},{piece['first_track']},{tracks},{lengths}")
    return "\n".join(lines) + "\n"


def lengths_by_lba(found: TrackMap) -> list[tuple[int, int, int]]:
    """Where each stretch begins and ends, and each of its sectors per track."""
    every = zones(found)
    drawn = []
    for zone, after in pairwise([*every, None]):
        if zone is None:
            continue
        end = (
            after["first_lba"]
            if after
            else zone["first_lba"] + zone["tracks"] * max(zone["sectors"])
        )
        for sectors in zone["sectors"]:
            drawn.append((zone["first_lba"], end, sectors))
    return drawn


def worded(finding: Finding) -> str:
    """A finding for people: the word, or the words it may be."""
    if finding["value"] is not None:
        return finding["value"]
    return " or ".join(finding["alternatives"]) or "–"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
