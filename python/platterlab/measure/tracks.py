"""What a map of tracks says, in words, in numbers and as a table."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from platterlab.measure import subject

# Name in the map, for people.
FINDINGS = (
    ("class", "layout class"),
    ("order", "track order"),
    ("surface_order", "surfaces of successive groups"),
    ("seek_direction", "directions of successive passes"),
)
ESTIMATES = (
    ("surfaces", "surfaces"),
    ("serpentine_cylinders", "serpentine, cylinders"),
)


def status(found: dict[str, Any]) -> str:
    """`complete`, `partial`, or `unsupported` where nothing turns."""
    known = {"ok": "complete", "ambiguous": "partial"}
    return known.get(found["status"], "unsupported")


def warnings(found: dict[str, Any], device: dict[str, Any]) -> list[str]:
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
        said.append(f"The map stops: {found['note']}.")
    if hidden := found["hidden_boundaries"]:
        said.append(
            f"{hidden} track boundaries do not show, as the skew there is none; they are put "
            "where a revolution ends."
        )
    return said


def summary(found: dict[str, Any]) -> dict[str, Any]:
    """The map without the list of its tracks, as one JSON object."""
    kept = {key: value for key, value in found.items() if key not in ("pieces", "seeks", "status")}
    return {
        "map": {**kept, "zones": zones(found)},
        "seeks": found["seeks"],
    }


def zones(found: dict[str, Any], nearly: int = 4) -> list[dict[str, Any]]:
    """Stretches of tracks of the same length, but for what defects take from single ones."""
    merged: list[dict[str, Any]] = []
    for piece in found["pieces"]:
        tracks = piece["cycles"] * len(piece["sectors"])
        lengths = set(piece["sectors"])
        last = merged[-1] if merged else None
        if last is not None and _alike(last, lengths, nearly):
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


def _alike(zone: dict[str, Any], lengths: set[int], nearly: int) -> bool:
    if len(lengths) > 1 or len(zone["sectors"]) > 1:
        return set(zone["sectors"]) == lengths
    return bool(0 <= zone["sectors"][0] - max(lengths) <= nearly)


def as_csv(found: dict[str, Any]) -> str:
    """Tracks of the same length that follow each other, one line for each piece."""
    lines = ["first_lba,first_track,tracks,sectors_per_track"]
    for piece in found["pieces"]:
        tracks = piece["cycles"] * len(piece["sectors"])
        lengths = " ".join(str(length) for length in piece["sectors"])
        lines.append(f"{piece['first_lba']},{piece['first_track']},{tracks},{lengths}")
    return "\n".join(lines) + "\n"


def lengths_by_lba(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Where each stretch begins and ends, and its sectors per track."""
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
            drawn.append({"first_lba": zone["first_lba"], "end_lba": end, "sectors": sectors})
    return drawn


def worded(finding: Mapping[str, Any]) -> str:
    """A finding for people: the word, or the words it may be."""
    if finding["value"] is not None:
        return str(finding["value"])
    return " or ".join(finding["alternatives"]) or "–"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
