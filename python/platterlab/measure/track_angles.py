"""Angles of the first tracks' sectors over their addresses: measured, and the profile's."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile, tracks
from platterlab.documents import Json
from platterlab.measure.samples import Columns, Run

_MOST_TRACKS = 24
_FEWEST_READS = 8
_MOST_SHOWN = 3000
_FEWEST_SHOWN = 24
"""Angles without which there is nothing to see."""
_LINE_POINTS = 40
"""Of a track's line, as it may pass over the top."""


@dataclass(frozen=True)
class Angles:
    """What is drawn of angles.

    Attributes:
        end_lba: the sector behind the last track.
        lines: of the profile: `lba`, `turns`, and `part`, which is one for each unbroken line.
        reads: measured: `lba` and `turns`.
        ends: where tracks begin: `lba`, and `behind` what: another `head` or `cylinder`.
    """

    end_lba: int
    lines: list[Json]
    reads: list[Json]
    ends: list[Json]


def angles(text: str, surfaces: int, rotation_ms: float, runs: Iterable[Run]) -> Angles | None:
    """Angles of sectors of two cylinders and a track; None where too few of them were visited.

    Args:
        text: the profile that was extracted.
        surfaces: its surfaces.
        rotation_ms: one revolution.
        runs: all samples; of tracks they are drawn, each run turned until it lies on the profile.
    """
    profile = Profile.parse(text, "profile.toml")
    lengths = _first_tracks(profile, min(2 * surfaces + 1, _MOST_TRACKS))
    end_lba = sum(lengths)
    visits = (_visits(profile, run, end_lba, rotation_ms) for run in runs)
    reads = list(islice(chain.from_iterable(visits), _MOST_SHOWN))
    if len(reads) < _FEWEST_SHOWN:
        return None
    return Angles(end_lba, _lines(profile, lengths), reads, _ends(profile, lengths))


def _first_tracks(profile: Profile, count: int) -> list[int]:
    """Sectors of the first tracks."""
    lengths: list[int] = []
    while len(lengths) < count and sum(lengths) < profile.capacity_sectors:
        lengths.append(int(tracks(profile, [sum(lengths)])["track_data_sectors"][0]))
    return lengths


def _visits(profile: Profile, run: Run, end_lba: int, rotation_ms: float) -> list[Json]:
    """Angles that a run over tracks showed, where it was not at one track alone."""
    if run.probe != "tracks":
        return []
    kept: Columns = {
        key: values[run.columns["lba"] < end_lba] for key, values in run.columns.items()
    }
    if len(kept["lba"]) < _FEWEST_READS:
        return []
    lbas = kept["lba"].tolist()
    turns = _turns(kept["completed_ps"], rotation_ms)
    # What commands cost is the same for all of a run: the middle of it.
    around = np.exp(2j * np.pi * (turns - tracks(profile, lbas)["angle_turns"]))
    middle = np.angle(np.median(around.real) + 1j * np.median(around.imag)) / (2 * np.pi)
    return [
        {"lba": lba, "turns": round(float(turn), 4), "of": "measured"}
        for lba, turn in zip(lbas, (turns - middle) % 1.0, strict=True)
    ]


def _turns(times_ps: NDArray[Any], rotation_ms: float) -> NDArray[Any]:
    """Parts of a revolution at which these times are."""
    since_ps = times_ps - times_ps[0]
    turns: NDArray[Any] = (since_ps / (rotation_ms * 1e9)) % 1.0
    return turns


def _lines(profile: Profile, lengths: list[int]) -> list[Json]:
    rows, first = [], 0
    for number, length in enumerate(lengths):
        lbas = np.unique(np.linspace(first, first + length - 1, _LINE_POINTS).round()).astype(int)
        turns = tracks(profile, lbas.tolist())["angle_turns"] % 1.0
        over = np.concatenate([[0], np.cumsum(np.diff(turns) < 0)])
        rows += [
            {
                "lba": int(lba),
                "turns": round(float(turn), 4),
                "of": "profile",
                "part": f"{number}.{part}",
            }
            for lba, turn, part in zip(lbas, turns, over, strict=True)
        ]
        first += length
    return rows


def _ends(profile: Profile, lengths: list[int]) -> list[Json]:
    """Where tracks begin: behind another head's, or another cylinder's."""
    firsts = np.cumsum(lengths)[:-1].tolist()
    cylinders = tracks(profile, [0, *firsts])["cylinder"]
    return [
        {
            "lba": lba,
            "behind": "cylinder" if moved else "head",
        }
        for lba, moved in zip(firsts, np.diff(cylinders.astype(int)) != 0, strict=True)
    ]
