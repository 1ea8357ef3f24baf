"""True values of a drawn drive, and whether a value that was printed is one of them.

These are the values that make a drive whole; those printed beside them are in `others`. Rotation
must be right to 0.01 %, sectors per track, zones and surfaces to the unit, a skew within a sector
or 2 %, a seek within 5 %.
"""

from collections.abc import Callable, Iterable
from typing import Any

from platterlab.documents import Json

from .drive import Drive

Verdicts = dict[str, str]
"""`right`, `wrong` (printed as ok) or `unknown` (not printed as ok), by value."""


def judge(drive: Drive, printed: Json) -> Verdicts:
    """Each value of a characterization against the drive."""
    sector_ms = drive.rotation_ms / drive.zones[0].sectors[0]
    cylinder_ms = drive.cylinder_skew * sector_ms
    track_ms = drive.track_skew * sector_ms
    # With one surface there is no track skew: each track is another cylinder's.
    one = drive.surfaces == 1
    tracks_ms = () if one else (cylinder_ms if drive.seek_first else track_ms,)
    longest = drive.seek_ms(drive.cylinders - 1)
    rules = {
        "rotation_ms": lambda x: abs(x / drive.rotation_ms - 1) <= 1e-4,
        "sectors_per_track": lambda x: x in drive.zones[0].lengths(drive.surfaces),
        "surfaces": lambda x: x == drive.surfaces,
        "track_skew_ms": lambda x: skew(x, tracks_ms, sector_ms),
        "cylinder_skew_ms": lambda x: skew(x, (cylinder_ms,), sector_ms),
        "seek_min_ms": lambda x: _seek(x, drive, 1),
        "seek_max_ms": lambda x: _within(x, longest, drive.settle_write_ms, drive.bus_sector_ms),
    }
    verdicts = {name: verdict(printed.get(name), rule) for name, rule in rules.items()}
    if one and verdicts["track_skew_ms"] == "unknown":
        verdicts["track_skew_ms"] = verdicts["surfaces"]
    verdicts["zones"] = _zones(drive, printed.get("zones") or [])
    return verdicts


def judge_survey(drive: Drive, printed: Json) -> Verdicts:
    """The same for a survey of the tracks."""
    survey = printed.get("survey") or {}
    layout = survey.get("layout") or {}
    tracks = sum((zone.last - zone.first + 1) * drive.surfaces for zone in drive.zones)
    if drive.zones[0].spare_kind == "tracks":
        tracks -= sum(zone.spares for zone in drive.zones)
    if drive.zones[0].spare_kind == "zone":
        # A track that is all spares has no address: no reading shows it.
        tracks -= sum(zone.spares // zone.sectors[-1] for zone in drive.zones)
    names = {"class": "seek-first" if drive.seek_first else "head-first"}
    one = drive.surfaces == 1
    verdicts = {
        "rotation_ms": verdict(
            survey.get("rotation_ms"), lambda x: abs(x / drive.rotation_ms - 1) <= 1e-4
        ),
        "tracks": verdict(survey.get("tracks"), lambda x: x == tracks),
        "class": verdict(layout.get("class"), lambda x: one or x == names["class"]),
        "surfaces": verdict(layout.get("surfaces"), lambda x: x == drive.surfaces),
    }
    if drive.seek_first:
        verdicts["serpentine_cylinders"] = verdict(
            layout.get("serpentine_cylinders"), lambda x: x == drive.group_cylinders
        )
    return verdicts


def verdict(value: object, rule: Callable[[Any], bool]) -> str:
    """Of an estimate or a finding, by what a right value is."""
    if not isinstance(value, dict) or value.get("status") != "ok" or value.get("value") is None:
        return "unknown"
    return "right" if rule(value["value"]) else "wrong"


def skew(found_ms: float, true_ms: Iterable[float], sector_ms: float) -> bool:
    """Whether a skew is one of these, to a sector or 2 %."""
    return any(abs(found_ms - each) <= max(1.05 * sector_ms, 0.02 * each) for each in true_ms)


def _within(found_ms: float, true_ms: float, *more_ms: float) -> bool:
    """Whether a seek is right as one or more of these parts are counted in or not."""
    sums = {true_ms}
    for part in more_ms:
        sums |= {each + part for each in sums}
    low, high = min(sums), max(sums)
    return low * 0.95 <= found_ms <= high * 1.05


def _seek(found_ms: float, drive: Drive, distance: int) -> bool:
    return _within(found_ms, drive.seek_ms(distance), drive.settle_write_ms, drive.bus_sector_ms)


def _zones(drive: Drive, printed: list[Json]) -> str:
    """All zones with edges and lengths: wrong if one is that was printed as ok."""
    starts, at = [], 0
    for zone in drive.zones:
        starts.append(at)
        at += zone.capacity
    slack = sum(each["kind"] == "slipped" for each in drive.defects)
    right = 0
    for each in printed:
        first, sectors = each.get("first_lba") or {}, each.get("sectors_per_track") or {}
        if first.get("status") == "ok":
            near = [i for i, start in enumerate(starts) if abs(first["value"] - start) <= slack]
            if not near:
                return "wrong"
            if sectors.get("status") == "ok":
                if sectors["value"] not in drive.zones[near[0]].lengths(drive.surfaces):
                    return "wrong"
                right += 1
        elif sectors.get("status") == "ok" and sectors["value"] not in {
            count for zone in drive.zones for count in zone.lengths(drive.surfaces)
        }:
            return "wrong"
    return "right" if right == len(drive.zones) == len(printed) else "unknown"
