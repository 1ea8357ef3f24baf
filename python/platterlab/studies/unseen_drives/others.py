"""True values of what is printed beside the values that make a drive whole.

What each is compared with is said in `compared`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import erf, exp, pi, sqrt
from typing import Literal

from platterlab.datasheet import MIB
from platterlab.documents import Json

from .drive import Drive, Zone
from .host import Host
from .truth import Verdicts, skew, verdict

NEAR, NEAR_MS = 0.05, 0.03
NEAR_RATE = 0.03
NEAR_SLOPE = 0.01
NOT_JUDGED = "not the media's"
"""How the note of a bandwidth begins that says itself that it is not the media's."""


@dataclass(frozen=True)
class Given:
    """A drive behind a host, and whether it was measured by writes."""

    drive: Drive
    host: Host
    writes: bool

    def sector_ms(self, zone: Zone) -> float:
        """Time of one sector under the head."""
        return self.drive.rotation_ms / max(zone.sectors)

    def scaled(self, sectors: int, zone: Zone) -> float:
        """A skew of the first zone in another one, as whole sectors there, in milliseconds."""
        scale = max(zone.sectors) / self.drive.zones[0].sectors[0]
        return round(sectors * scale) * self.sector_ms(zone)

    def skews(self, zone: Zone, name: Literal["track", "cylinder", "pass"]) -> list[float]:
        """What a skew of a zone may be said to be; none where a drive has no such skew."""
        drive = self.drive
        if name == "track" and drive.surfaces == 1:
            return []
        if name == "track" and not drive.seek_first:
            return [self.scaled(drive.track_skew, zone)]
        last = drive.pass_skew if drive.seek_first else drive.cylinder_skew
        return [self.scaled(last if name == "pass" else drive.cylinder_skew, zone)]

    def least_ms(self) -> list[float]:
        """Controller and bus, of a read and where it was written of a write."""
        drive = self.drive
        reads, writes = ([drive.read_ms], [drive.write_ms] if self.writes else [])
        return [controller + drive.bus_sector_ms for controller in (*reads, *writes)]

    def switches(self, time_ms: float) -> list[float]:
        """A movement: of a write it settles, and data comes over the bus meanwhile."""
        drive = self.drive
        if not self.writes:
            return [time_ms]
        written = time_ms + drive.settle_write_ms
        return [time_ms, written, written - drive.bus_sector_ms]

    def mib_s(self, zone: Zone) -> float:
        """Rate of whole cylinders, with their skews."""
        drive = self.drive
        track, cylinder = (self.skews(zone, name) for name in ("track", "cylinder"))
        skews = (drive.surfaces - 1) * (track or cylinder)[0] + cylinder[0]
        sectors = sum(zone.addressable)
        if zone.spare_kind == "cylinder":
            sectors -= zone.spares
        took = drive.surfaces * drive.rotation_ms + skews
        return sectors * drive.sector_bytes / took * 1000 / MIB

    @property
    def way_up_us(self) -> tuple[float, float]:
        """Mean and variance of the host's way up, which is never less than nothing."""
        mean, deviation = 0.6 * self.host.overhead_us, self.host.jitter_us
        at = mean / deviation
        share = (1 + erf(at / sqrt(2))) / 2
        more = deviation * exp(-at * at / 2) / sqrt(2 * pi)
        first = mean * share + more
        return first, (mean**2 + deviation**2) * share + mean * more - first**2

    def jitters_ms(self) -> tuple[float, float]:
        """Standard deviation of completions, without those that are late and with them."""
        host, (_, square) = self.host, self.way_up_us
        late = host.tail_share * (2 - host.tail_share) * host.tail_us**2
        return sqrt(square) / 1000, sqrt(square + late) / 1000

    @property
    def added_ms(self) -> float:
        """What the host adds to a request at most: itself, its clock and gathered interrupts."""
        host, (up, _) = self.host, self.way_up_us
        return (0.4 * host.overhead_us + up + host.clock_grain_us + host.interrupt_grain_us) / 1000


def judge(given: Given, printed: Json) -> Verdicts:
    """Each value of a characterization that does not make a drive whole."""
    drive, outer = given.drive, given.drive.zones[0]
    sector_ms = given.sector_ms(outer)
    least, added = given.least_ms(), given.added_ms
    scatter = (given.host.clock_grain_us + given.host.interrupt_grain_us) / 1000
    jitter, with_late = given.jitters_ms()
    rules: dict[str, Callable[[float], bool]] = {
        "mtm_ms": lambda x: _near(x, least, added),
        "overhead_ms": lambda x: _near(x, least, added),
        "access_ms": lambda x: _near(x, [each + sector_ms for each in least], added),
        "stm_sectors": lambda x: _near(
            (x - 1) * sector_ms,
            least,
            added,
            more_ms=(2 + _half_width(printed["stm_sectors"])) * sector_ms,
        ),
        "sector_ms": lambda x: any(
            abs(x / (drive.rotation_ms / each) - 1) <= 3e-4
            for each in (*outer.sectors, *outer.addressable, *outer.lengths(drive.surfaces))
        ),
        "head_switch_ms": lambda x: _near(x, [drive.head_ms], scatter),
        "spikes_head_switch_ms": lambda x: _near(
            x, given.switches(drive.head_ms), scatter, more_ms=2 * sector_ms
        ),
        "cylinder_switch_ms": lambda x: _near(x, [drive.seek_ms(1)], scatter),
        "outer_mib_s": lambda x: _rate(x, given.mib_s(outer)),
        "predicted_outer_mib_s": lambda x: _rate(x, given.mib_s(outer)),
        "inner_mib_s": lambda x: _rate(x, given.mib_s(drive.zones[-1])),
        # No drive of these has one.
        "seek_scatter_ms": lambda _: False,
        "jitter_ms": lambda x: 0.5 * jitter <= x <= max(2 * jitter, with_late) + scatter,
    }
    verdicts = {name: verdict(_judged(printed.get(name)), rule) for name, rule in rules.items()}
    verdicts |= dict(_zones(given, printed.get("zones") or []))
    verdicts |= dict(_around(given, printed.get("model"), printed.get("zones") or []))
    return verdicts | judge_layout(drive, printed.get("layout") or {})


def judge_survey(given: Given, survey: Json) -> Verdicts:
    """The same of a survey of the tracks."""
    drive = given.drive
    every = {
        name: list(chain.from_iterable(given.skews(zone, name) for zone in drive.zones))
        for name in ("track", "cylinder", "pass")
    }
    sector_ms = max(given.sector_ms(zone) for zone in drive.zones)
    usual = every["track"] or every["cylinder"]
    return {
        "track_switch_ms": verdict(
            survey.get("track_switch_ms"), lambda x: skew(x, usual, sector_ms)
        ),
        "track_switch_pct": verdict(
            survey.get("track_switch_pct"),
            lambda x: skew(x * drive.rotation_ms / 100, usual, sector_ms),
        ),
        "other_switch_ms": verdict(
            survey.get("other_switch_ms"), lambda x: skew(x, every["pass"], sector_ms)
        ),
    } | judge_layout(drive, survey.get("layout") or {})


def judge_layout(drive: Drive, layout: Json) -> Verdicts:
    """The order of tracks, in words and numbers; with one surface all orders are one."""
    one = drive.surfaces == 1
    class_ = "seek-first" if drive.seek_first else "head-first"
    back = "surface-serpentine" in drive.order
    alternate = "alternating" in drive.order or drive.order.startswith("cylinder-serpentine")
    words = {
        "class": "one-surface" if one else class_,
        "order": drive.order.removesuffix("-reversed"),
        "surface_order": "alternating" if alternate else "forward",
        "seek_direction": "alternating" if back else "forward",
    }
    free = {"order", "surface_order", "seek_direction"} if one else set[str]()
    numbers = {"surfaces": drive.surfaces, "serpentine_cylinders": drive.group_cylinders}

    def right(name: str, true: object) -> Callable[[object], bool]:
        return lambda found: name in free or found == true

    return {
        f"layout.{name}": verdict(layout.get(name), right(name, true))
        for name, true in {**words, **numbers}.items()
    }


def _zones(given: Given, printed: list[Json]) -> Iterator[tuple[str, str]]:
    """What is printed of each zone; of one whose first sector is open, nothing is known."""
    for index, each in enumerate(printed):
        zone = _zone_at(given.drive, each["first_lba"])
        if zone is None:
            continue
        for name, rule in _zone_rules(given, zone, each).items():
            yield f"zones[{index}].{name}", verdict(_judged(each.get(name)), rule)
        if surfaces := each["surface_sectors_per_track"]:
            same = sorted(surfaces) == sorted(zone.sectors)
            yield f"zones[{index}].surface_sectors_per_track", "right" if same else "wrong"


def _around(given: Given, model: Json | None, printed: list[Json]) -> Iterator[tuple[str, str]]:
    """Sectors around the tracks of each zone of the model, where it says that spares are known."""
    zones = model["zones"] if model else []
    for index, (each, found) in enumerate(zip(printed, zones, strict=False)):
        zone = _zone_at(given.drive, each["first_lba"])
        if zone is not None and each["sectors_per_track"]["status"] == "ok":
            same = found["sectors_per_track"] == max(zone.sectors)
            known = found["track_spares_agree"] and not found["surface_sectors_per_track"]
            verdict = ("right" if same else "wrong") if known else "unknown"
            yield f"model.zones[{index}].sectors_per_track", verdict


def _zone_at(drive: Drive, first_lba: Json) -> Zone | None:
    """The zone that begins near a sector; none where it is not sure that one does."""
    if first_lba["status"] != "ok":
        return None
    found, at = None, 0
    for zone in drive.zones:
        if at <= first_lba["value"] + 64:
            found = zone
        at += zone.capacity
    return found


def _zone_rules(given: Given, zone: Zone, printed: Json) -> dict[str, Callable[[float], bool]]:
    sector_ms = given.sector_ms(zone)
    slope = printed["skippy_sectors_per_track"]
    return {
        "skippy_sectors_per_track": lambda x: any(
            abs(x / count - 1) <= max(NEAR_SLOPE, _half_width(slope) / count)
            for count in zone.sectors
        ),
        "mib_s": lambda x: _rate(x, given.mib_s(zone)),
        "track_skew_ms": lambda x: skew(x, given.skews(zone, "track"), sector_ms),
        "cylinder_skew_ms": lambda x: skew(x, given.skews(zone, "cylinder"), sector_ms),
    }


def _judged(printed: object) -> object:
    """A value, unless its note says that it is not what its name has."""
    said = isinstance(printed, dict) and (printed.get("note") or "").startswith(NOT_JUDGED)
    return None if said else printed


def _half_width(printed: Json) -> float:
    low, high = printed["ci95"]
    return float(high - low) / 2


def _near(found: float, true: Iterable[float], added_ms: float, *, more_ms: float = 0.0) -> bool:
    """Whether a time is one of these, with what the host adds to it or without."""
    return any(
        -more_ms <= found - each + max(NEAR * each, NEAR_MS)
        and found - each - added_ms <= max(NEAR * (each + added_ms), NEAR_MS) + more_ms
        for each in true
    )


def _rate(found: float, true: float) -> bool:
    return abs(found / true - 1) <= NEAR_RATE
