"""The text on a home appliance, apart from its figures: start-up, buffers, rest, MP3."""

from platterlab._core import Profile
from platterlab.av import place, plan
from platterlab.av.play import BLOCK_BYTES, Serving, Stream, play
from platterlab.studies.criteria import EXACT
from platterlab.studies.gim import setting
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request

RATES = {"mp3": 128_000, "mpeg2": 6_000_000, "hdtv": setting.HDTV_BIT_S}
"""Section 2: of MPEG-2 the greater of 4 and 6 Mbit/s."""

KIB = 1024
REST_SIZES = (512 * KIB, 4096 * KIB)
IOS = 400
CACHE = {"cache.segments": 8, "cache.segment": "1M", "cache.read_ahead": "aggressive"}
"""The disk's own cache, which the paper leaves for its next work."""

SMALLER = "this model can reduce application buffer size and start-up latency (section 6)"
LONGER = "with a longer period, disks can stay longer in a standby mode (section 1.2)"
ROUNDED = (
    "an I/O of the aligned disk is a whole number of extents: rounding up to 128 KB costs more "
    "than a round gains"
)
GROUP = "What the text says of an appliance"


def run(request: Request) -> Outcome:
    """The rows; nothing is drawn."""
    request.progress("start-up, buffers, rest", 0.78)
    models = setting.models(request)
    disks = {"original": models.original, "aligned": models.aligned[3]}
    rows = [*_planned(request, disks), *_rest(request, disks), *_most(disks)]
    return Outcome([*rows, _cached(request, disks)], [], [])


def _planned(request: Request, disks: dict[str, Profile]) -> list[Row]:
    """Four HDTV streams with the least buffers that Equation 8 allows, original and aligned."""
    rates = [setting.HDTV_BIT_S] * len(setting.AT)
    buffers, starts = {}, {}
    for name, profile in disks.items():
        least = BLOCK_BYTES if name == "original" else setting.EXTENT_BYTES
        found = plan.plan(profile, rates, setting.AT, least)
        buffers[name] = found.buffer_bytes(profile.sector_bytes) / KIB
        played = plan.simulate(
            profile, rates, found, ios=IOS, seed=request.seed, host_spread_ms=0.0
        )
        starts[name] = played.start_up_ms
    made = []
    for key, what, unit, figures in (
        ("start-up", "until the last of four HDTV streams plays", "ms", starts),
        ("buffers", "least buffers of four HDTV streams", "kib", buffers),
    ):
        made += [_told(f"{key}/{name}", f"{name}: {what}", figures[name], unit) for name in disks]
        made.append(
            Row(
                f"{key}/change",
                f"{what}: aligned against original",
                None,
                100.0 * (figures["aligned"] / figures["original"] - 1.0),
                "%",
                target=0.0,
                bound="at-most",
                criterion=EXACT,
                claim=SMALLER,
                group=GROUP,
                reason=ROUNDED,
            )
        )
    return made


def _rest(request: Request, disks: dict[str, Profile]) -> list[Row]:
    """One HDTV stream: how long the disk has nothing to do in a period."""
    rest_s: dict[tuple[str, int], float] = {}
    made = []
    for name, profile in disks.items():
        for io_bytes in REST_SIZES:
            io_sectors = io_bytes // profile.sector_bytes
            spot = place.spots(profile, setting.AT[:1], IOS * io_sectors)[0]
            serving = Serving(ios=IOS, allocator="extent", seed=request.seed)
            stream = Stream(spot.lba, setting.HDTV_BIT_S, io_sectors)
            period_s = 8.0 * io_bytes / setting.HDTV_BIT_S
            rest = period_s - play(profile, [stream], serving).response_ms / 1e3
            rest_s[name, io_bytes] = rest
            told = f"{name}: one HDTV stream of {io_bytes // KIB} KiB, rest in each period"
            made.append(_told(f"rest/{name}/{io_bytes // KIB}k", told, rest, "s"))
    least, most = (rest_s["aligned", size] for size in REST_SIZES)
    longer = Row(
        "rest/longer",
        "rest in a period with I/Os of 4 MiB over that with 512 KiB",
        None,
        most / least,
        "",
        target=1.0,
        bound="at-least",
        criterion=EXACT,
        claim=LONGER,
        group=GROUP,
    )
    return [*made, longer]


def _most(disks: dict[str, Profile]) -> list[Row]:
    """Streams at the rates of section 2, as many as Equation 8 allows."""
    made = []
    most: dict[tuple[str, str], int] = {}
    for word, rate in RATES.items():
        for name, profile in disks.items():
            unit = BLOCK_BYTES if name == "original" else setting.EXTENT_BYTES
            most[word, name] = plan.most_streams(profile, [rate], unit)
            told = f"{name}: most streams of {rate / 1e3:,.0f} kbit/s"
            made.append(_told(f"{word}/{name}_streams", told, most[word, name], ""))
    more = Row(
        "hdtv/more_streams",
        "HDTV streams that the aligned disk carries more than the original",
        None,
        float(most["hdtv", "aligned"] - most["hdtv", "original"]),
        "",
        target=1.0,
        bound="at-least",
        criterion=EXACT,
        claim="the aligned disk carries sessions that the original cannot (Figure 2)",
        group=GROUP,
        reason=ROUNDED,
    )
    return [*made, more]


def _cached(request: Request, disks: dict[str, Profile]) -> Row:
    """What alignment is worth to four streams on whole files where the disk reads ahead."""
    io_bytes = 512 * KIB
    response = {}
    for name, profile in disks.items():
        cached = profile.with_overrides(CACHE)
        serving = setting.paper_serving(request, cached, io_bytes, request.seed)
        response[name] = setting.serve(cached, io_bytes, serving).response_ms
    gain = 100.0 * (response["original"] / response["aligned"] - 1.0)
    return _told(
        "cache/gain_512k", "aligned against original, both with a read-ahead cache", gain, "%"
    )


def _told(row_id: str, what: str, ours: float, unit: str) -> Row:
    return Row(row_id, what, None, float(ours), unit, group=GROUP)
