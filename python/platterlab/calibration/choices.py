"""What a calibration chose, in the words of its users: a line for each."""

from collections import defaultdict

from platterlab.calibration.buffer.policies import Word
from platterlab.calibration.job import Calibration
from platterlab.calibration.judged.write_back import open_values
from platterlab.calibration.judged.zone_spares import open_begins
from platterlab.calibration.trace.observed import stated_of
from platterlab.documents import Overrides

IMMEDIATE = ": the first since a read, and those that go on from the last one"
"""Which writes the buffer answers."""

IN_TURN = (
    "beyond the write that is under way the buffer takes only one that continues it: "
    "others, and data that is in the buffer, wait (`buffer-in-turn`)"
)
"""How writes are reported that the buffer takes one after the other."""

MOST_LISTED = 3
"""Of more sizes that go as well the least and the most are said."""

WHOLE = defaultdict(str, zone="; so many and whole cylinders more or fewer look the same")
"""What requests do not tell of spares of a kind: all tracks begin at the same angles then."""

SPARES = {"tracks": "spare tracks at the end of each zone"}
"""What spares of a kind are called that are no sectors."""

SLIPS = {"slipped-track": "tracks", "slipped": "sectors"}
"""Kinds of defects that move what comes after them, and the words for them."""


def _slips(found: Calibration) -> list[str]:
    """Tracks and sectors that the drive skips and the start does not know of."""
    known = found.start.stated().get("defect", [])
    new = [one for one in found.overrides.get("defect", []) if one not in known]
    lines = []
    for kind, words in SLIPS.items():
        count = sum(one["kind"] == kind for one in new)
        if count:
            lines.append(f"{count} {words} that the start does not have are skipped")
    return lines


def _spares(found: Calibration) -> list[str]:
    """Spares that the drive has and the start does not state."""
    zones = found.overrides.get("zone", [])
    known = stated_of(found.start)["zone"]
    new = {
        number: zone["sparing"]
        for number, (zone, before) in enumerate(zip(zones, known, strict=False))
        if "sparing" in zone and "sparing" not in before
    }
    lines = []
    for kind in sorted({one["kind"] for one in new.values()}):
        own = {number: one for number, one in new.items() if one["kind"] == kind}
        begins = open_begins(found.profile, found.reading, zones) if kind == "zone" else []
        each = [
            _spared(one) + (_between(one["sectors"], begins[number : number + 2]) if begins else "")
            for number, one in own.items()
        ]
        what = SPARES.get(kind, f"spare sectors by {kind}")
        lines.append(f"{what} that the start does not have: {', '.join(each)}{WHOLE[kind]}")
    return lines


def _between(sectors: int, begins: list[tuple[int, int] | None]) -> str:
    """What the beginnings of a zone and of the next leave open of its spares."""
    own, following = (*begins, None)[:2]
    if own is None or following is None:
        return " (not sure)"
    least, most = sectors + following[0] - own[1], sectors + following[1] - own[0]
    return "" if least == most else f" ({max(least, 0)} to {most})"


def _spared(sparing: Overrides) -> str:
    """How many spares there are, and of a range of cylinders how many have them in common."""
    if sparing["kind"] == "tracks":
        return str(sparing["tracks"])
    sectors, cylinders = sparing.get("sectors", 0), sparing.get("cylinders")
    return f"{sectors} in {cylinders}" if cylinders else f"{sectors}"


def _policies(found: Calibration) -> list[str]:
    """The buffer's policies, which other words go as well, and how much worse the next one is."""
    lines: list[str] = []
    if found.cache is None:
        return lines
    for one in found.cache.policies:
        key = f"cache.{one.name}"
        # One that differs in the end was told by times.
        if not one.is_told or found.overrides.get(key) != found.cache.overrides.get(key):
            continue
        alike = f"; as good: {_listed(one.alike)}" if one.alike else ""
        next_best = [
            f"; {_word(word)} has {reads:.0f} more reads wrong" for word, reads in one.worse
        ]
        lines.append(f"{key} = {_word(one.word)}{alike}{''.join(next_best[:1])}")
    return lines


def _waiting(found: Calibration) -> list[str]:
    """Written data that waits in the buffer, and what goes as well."""
    table = found.overrides.get("cache.write_back")
    if found.overrides.get("cache.write_report") == "buffer-in-turn":
        return [IN_TURN]
    if not table:
        return []
    ends = open_values(found.profile, found.reading)
    kib = [f"{end / 1024:.0f}" for end in ends["capacity"]]
    runs = [f"{end:.0f}" for end in ends["extents"]]
    lines = [
        f"written data waits in the buffer: up to {table['capacity'] / 1024:.0f} KiB "
        f"({kib[0]} to {kib[1]}) in {table['extents']} runs of addresses ({runs[0]} to {runs[1]})"
    ]
    if "idle_ms" in table:
        low, high = ends["idle_ms"]
        lines[0] += f", for {table['idle_ms']} ms without a request ({low:.1f} to {high:.1f})"
    return lines


def _listed(words: list[Word]) -> str:
    """Words, or of many sizes the least and the most."""
    sizes = sorted(word for word in words if isinstance(word, int))
    if len(sizes) == len(words) > MOST_LISTED:
        return f"{sizes[0]} to {sizes[-1]}"
    return ", ".join(map(_word, words))


def _word(word: Word) -> str:
    """As a profile has it; a limit that is none is `none`."""
    return str(word).lower()


def _scatter(found: Calibration) -> list[str]:
    """How far seeks scatter."""
    return [
        f"seeks over about {one.distance} cylinders take up to {one.half_ms:.2f} ms more or less "
        f"than the curve ({one.low_ms:.2f} to {one.high_ms:.2f} ms, 95 %)"
        for one in found.scatter
        if one.is_sure
    ]


def choices(found: Calibration) -> list[str]:
    """A line for each."""
    reading = found.reading
    lines = []
    if found.readings:
        other = found.readings[0].period
        lines.append(
            f"gaps lie {reading.gap} their rows: strength {reading.period.strength:.2f}, "
            f"otherwise {other.strength:.2f}"
        )
    if reading.hits:
        lines.append(f"the buffer answers {reading.hits.share:.1%} of the reads")
    if reading.reported:
        which = IMMEDIATE if reading.write_report == "immediate" else ""
        lines.append(f"the buffer answers {reading.reported.share:.1%} of the writes{which}")
    if found.kept is None:
        return lines
    lines += _slips(found)
    lines += _spares(found)
    bus = found.overrides.get("bus", {})
    if burst := bus.get("burst_sectors"):
        until = ", each until the buffer is empty" if bus.get("burst_drains") else ""
        lines.append(f"reads go over the bus in bursts of {burst} sectors{until}")
    if "cache.read_fence" in found.overrides:
        fence = found.overrides["cache.read_fence"] // found.profile.sector_bytes
        lines.append(f"the bus starts once {fence} sectors of a read have passed")
    slow = found.overrides.get("cache.write_fence_slow")
    if slow:
        lines.append(
            f"where a sector takes {slow['from_sector_ms']:.3f} ms or longer, {slow['share']:.0%} "
            "of what a write waits for elsewhere is enough"
        )
    busy = found.overrides["controller"].get("track_end")
    if busy:
        lines.append(
            f"at a track's end no data of a read from {busy['read_before_ms']:.2f} ms before, no "
            f"report of a write from {busy['write_before_ms']:.2f} ms before, until "
            f"{busy['after_ms']:.2f} ms after"
        )
    given_up = found.overrides.get("cache.read_ahead_abandoned")
    if given_up:
        lines.append(f"read-ahead is given up by chance after {given_up:.1%} of reads")
    lines += _policies(found)
    lines += _waiting(found)
    lines += _scatter(found)
    if found.positioning:
        early, late = found.positioning.slipped
        lines.append(f"a turn earlier than the seek curve allows {early:.1%}, later {late:.1%}")
    return lines
