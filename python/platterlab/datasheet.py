"""A drive profile from the few values of a data sheet, by stated rules.

What the sheet states is marked as published, what follows from it or is typical as assumed, with
the rule. Nobody prints zones, switch times or what a cache does: of those the profile is a guess,
and `platterlab characterize` or `calibrate` make it better.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from platterlab._core import InputError, Profile, profile_id
from platterlab.documents import Overrides

_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)(b?)\s*", re.IGNORECASE)
_POWERS = " kmgtp"
_SECTOR_BYTES = (512, 4096)
_SERPENTINE_CYLINDERS = 300
_SKEW_OVER_SEEK = 1.2
_MOST_ZONES = 64
_FASTEST_BUS_MB_S = 1e6
_LONGEST_SEEK_MS = 1000

MIB = float(1 << 20)
"""Bytes."""

SKEW_USED = 0.95
"""Of a skew: what a switch takes of it at most, where that is not known and has to fit."""


def size_bytes(text: str, what: str) -> int:
    """`8TB` is 8 * 10^12, `8TiB` and `8T` are 8 * 2^40, as sizes are everywhere here.

    Raises:
        InputError: it is not a size; `what` names the place.
    """
    found = _SIZE.fullmatch(text)
    if found is None:
        raise InputError(f"{what} {text}: write a size as 8TB, 931GiB or 256M")
    number, prefix, binary, byte = found.groups()
    base = 1000 if byte and not binary else 1024
    return round(float(number) * float(base) ** _POWERS.index(prefix.lower() or " "))


@dataclass(frozen=True)
class DataSheet:
    """What a data sheet says of a drive; None for what it does not say."""

    name: str
    capacity_bytes: int
    speed_rpm: float
    surfaces: int
    outer_mb_s: float
    inner_mb_s: float | None = None
    seek_average_ms: float | None = None
    seek_full_ms: float | None = None
    seek_single_ms: float | None = None
    cache_bytes: int | None = None
    bus_mb_s: float | None = None
    sector_bytes: int = 512
    zones: int = 24

    def problems(self) -> list[str]:
        """Everything that is wrong with it, each with what would be right."""
        turns = 60 <= self.speed_rpm <= 100_000
        rules = (
            (self.name.isprintable(), "--name: letters that can be printed"),
            (self.capacity_bytes >= MIB, "--capacity: at least 1 MiB"),
            (turns, "--rpm: from 60 to 100000"),
            (1 <= self.surfaces <= 64, "--surfaces: from 1 to 64, the heads of the sheet"),
            (0.01 <= self.outer_mb_s <= 10_000, "--outer-mb-s: from 0.01 to 10000"),
            (0 < self.inner <= self.outer_mb_s, "--inner-mb-s: more than 0, --outer-mb-s at most"),
            (self.sector_bytes in _SECTOR_BYTES, "--sector-bytes: 512 or 4096"),
            (1 <= self.zones <= _MOST_ZONES, f"--zones: from 1 to {_MOST_ZONES}"),
            self._seeks_rise(turns),
            (
                not turns or self.skew_ms < self.turn_ms,
                "--seek-single: shorter than a revolution",
            ),
            (
                self.outer_mb_s <= self.bus <= _FASTEST_BUS_MB_S,
                f"--bus-mb-s: from --outer-mb-s to {_FASTEST_BUS_MB_S:.0f}",
            ),
        )
        return [said for right, said in rules if not right] or list(self._too_few())

    def _seeks_rise(self, turns: bool) -> tuple[bool, str]:
        """Whether longer seeks take longer, and what is said where not.

        Those that the sheet leaves out follow from the speed: of one that is none they are unknown.
        """
        names = ("single", "average", "full")
        stated = (self.seek_single_ms, self.seek_average_ms, self.seek_full_ms)
        every = (self.seek_single, self.seek_average, self.seek_full) if turns else stated
        known = [(name, ms) for name, ms in zip(names, every, strict=True) if ms is not None]
        times = [0.0, *(ms for _, ms in known), math.inf]
        rise = all(first < second for first, second in itertools.pairwise(times))
        said = " < ".join(f"{name} {ms:g}" for name, ms in known)
        return rise and times[-2] <= _LONGEST_SEEK_MS, (
            f"seeks: {said} ms, each above 0 and {_LONGEST_SEEK_MS} at most"
        )

    def _too_few(self) -> Iterator[str]:
        """Of values that can each be: what they make together is not a drive of that size."""
        if self.sectors_at(self.inner) < 1:
            yield "--inner-mb-s: a sector of --sector-bytes in a revolution at least"
        least = self.surfaces * sum(self.sectors_per_track()) * self.sector_bytes
        if least > self.capacity_bytes:
            yield (
                f"--capacity: one cylinder in each zone holds {least / 1e6:.0f} MB; fewer --zones"
            )

    @property
    def turn_ms(self) -> float:
        """Of the platter."""
        return 60e3 / self.speed_rpm

    @property
    def inner(self) -> float:
        """Half the outer rate where it is not stated: the radii of a platter are some 2 to 1."""
        return self.outer_mb_s / 2 if self.inner_mb_s is None else self.inner_mb_s

    @property
    def seek_average(self) -> float:
        """8.5 ms at 7200 rpm where it is not stated; arms grew faster with spindles."""
        stated = self.seek_average_ms
        return 8.5 * (7200 / self.speed_rpm) ** 0.75 if stated is None else stated

    @property
    def seek_full(self) -> float:
        """Twice the average where it is not stated."""
        return 2 * self.seek_average if self.seek_full_ms is None else self.seek_full_ms

    @property
    def seek_single(self) -> float:
        """A tenth of the average where it is not stated."""
        return self.seek_average / 10 if self.seek_single_ms is None else self.seek_single_ms

    @property
    def bus(self) -> float:
        """600 MB/s where it is not stated, or the media's rate where that is more."""
        return max(600.0, self.outer_mb_s) if self.bus_mb_s is None else self.bus_mb_s

    @property
    def skew_ms(self) -> float:
        """Time from the end of a track to the start of the next."""
        return _SKEW_OVER_SEEK * self.seek_single

    def sectors_at(self, rate_mb_s: float) -> float:
        """Of a track that is read at this rate, with the skew to the next one in it."""
        pass_s = (self.turn_ms + self.skew_ms) / 1e3
        return rate_mb_s * 1e6 * pass_s / self.sector_bytes

    def sectors_per_track(self) -> list[int]:
        """Zone by zone from the outside, on a straight line."""
        ends = [self.sectors_at(rate) for rate in (self.outer_mb_s, self.inner)]
        steps = max(1, self.zones - 1)
        return [
            max(1, round(ends[0] + (ends[1] - ends[0]) * zone / steps))
            for zone in range(self.zones)
        ]

    def cylinders(self) -> list[int]:
        """Zone by zone, alike but for the last, which has what the capacity still needs."""
        tracks = self.sectors_per_track()
        wanted = math.ceil(self.capacity_bytes / self.sector_bytes)
        each = max(1, wanted // (self.surfaces * sum(tracks)))
        so_far = sum(each * self.surfaces * sectors for sectors in tracks[:-1])
        last = math.ceil((wanted - so_far) / (self.surfaces * tracks[-1]))
        return [each] * (self.zones - 1) + [max(1, last)]


ARGUMENTS = {
    "--name": "name", "--rpm": "speed_rpm", "--capacity": "capacity", "--surfaces": "surfaces",
    "--outer-mb-s": "outer_mb_s", "--inner-mb-s": "inner_mb_s", "--bus-mb-s": "bus_mb_s",
    "--sector-bytes": "sector_bytes", "--zones": "zones", "--seek-single": "seek_single_ms",
}  # fmt: skip
"""What a function calls the options that messages name."""

_OPTION = re.compile(r"--[a-z-]*[a-z]")


def profile_text(sheet: DataSheet, names: Mapping[str, str] | None = None) -> str:
    """The profile of a drive with this data sheet, checked.

    Args:
        sheet: what is known.
        names: what to call options; None for their own names.

    Raises:
        InputError: everything that is wrong with the sheet.
    """
    wrong = sheet.problems()
    if names is not None:
        wrong = [_OPTION.sub(lambda option: names[option[0]], one) for one in wrong]
    if wrong:
        raise InputError("\n".join(["the data sheet does not make a drive:", *wrong]))
    drive = Profile.draft(_values(sheet), _origins(sheet), "the profile of the data sheet")
    return drive.to_toml()


def _values(sheet: DataSheet) -> Overrides:
    values: Overrides = {
        "id": profile_id(sheet.name) or "drive",
        "name": sheet.name,
        "notes": f"Of a data sheet: {sheet.capacity_bytes / 1e9:g} GB. What is `assumed` is by "
        "rule or\ntypical; the real zones, skews and cache are others. Measure or calibrate it.",
        "source": {"kind": "assumed", "from": "rules for a drive of which a data sheet is known"},
        "geometry": {
            "surfaces": sheet.surfaces,
            "cylinders": sum(sheet.cylinders()),
            "sector_bytes": sheet.sector_bytes,
        },
        "zone": list(_zones(sheet)),
        "spindle": {"speed_rpm": _figure(sheet.speed_rpm)},
        "seek": {
            "kind": "three-point",
            "single_ms": _figure(sheet.seek_single),
            "average_ms": _figure(sheet.seek_average),
            "full_ms": _figure(sheet.seek_full),
        },
        "switch": {"head_ms": _figure(sheet.seek_single)},
        "controller": {"read_ms": 0.3, "write_ms": 0.3},
        "bus": {
            "kind": "rate",
            "read_mb_s": _figure(sheet.bus),
            "write_mb_s": _figure(sheet.bus),
            "overlap": True,
        },
    }
    if sheet.cache_bytes:
        values["cache"] = {
            "buffer": sheet.cache_bytes,
            "segments": 16,
            "segment": max(sheet.cache_bytes // 16, 4096),
            "read_ahead": "aggressive",
            "write_report": "immediate",
        }
    return values


def _figure(value: float) -> float:
    """As many digits as a data sheet has."""
    short = float(f"{value:.6g}")
    return int(short) if short.is_integer() else short


def _zones(sheet: DataSheet) -> Iterator[Overrides]:
    first = 0
    skew_deg = round(360 * sheet.skew_ms / sheet.turn_ms, 3)
    for count, sectors in zip(sheet.cylinders(), sheet.sectors_per_track(), strict=True):
        yield {
            "cylinders": [first, first + count - 1],
            "sectors_per_track": sectors,
            "order": "surface-serpentine",
            "serpentine_cylinders": min(_SERPENTINE_CYLINDERS, count),
            "cylinder_skew_deg": skew_deg,
            "serpentine_skew_deg": skew_deg,
        }
        first += count


def _origins(sheet: DataSheet) -> dict[str, dict[str, str]]:
    published = {
        "geometry.surfaces": True,
        "spindle.speed_rpm": True,
        "seek.average_ms": sheet.seek_average_ms is not None,
        "seek.full_ms": sheet.seek_full_ms is not None,
        "seek.single_ms": sheet.seek_single_ms is not None,
        "bus": sheet.bus_mb_s is not None,
        "geometry.sector_bytes": True,
    }
    assumed = {
        "seek.average_ms": "8.5 ms at 7200 rpm, less for faster spindles",
        "seek.full_ms": "twice the average seek",
        "seek.single_ms": "a tenth of the average seek",
        "bus": "600 MB/s, or the media's rate where that is more",
        "geometry.cylinders": "the capacity by the sectors of a cylinder",
        "switch": "a head switch takes as long as a seek to the next cylinder",
        "controller": "typical",
    }
    if sheet.cache_bytes:
        assumed["cache"] = "the size of the data sheet, in 16 segments; what it does is typical"
    for zone in range(sheet.zones):
        assumed[f"zone[{zone}].sectors_per_track"] = (
            "the rate with the skew in it, on a straight line from the outer to the inner one"
        )
        assumed[f"zone[{zone}].cylinder_skew_deg"] = (
            f"{_SKEW_OVER_SEEK} times the seek to the next cylinder"
        )
    origins = {key: {"kind": "assumed", "from": why} for key, why in assumed.items()}
    for key, is_published in published.items():
        if is_published:
            origins[key] = {"kind": "published", "from": "the data sheet"}
    return origins
