"""Gains of aligned tracks on later drives, for HD and 4K streams."""

from dataclasses import replace
from statistics import fmean

from platterlab import library
from platterlab._core import InputError, Profile, align
from platterlab.av import place, units
from platterlab.av.play import Played, Serving, Stream, play
from platterlab.studies.gim import figures, setting
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request

DRIVES = ("samsung-hd103sj", "hitachi-7k1000c", "toshiba-dt01aca300", "toshiba-hdwe150")
SIZES_KIB = (128, 256, 512, 1024, 2048, 4096, 8192)
RATES_BIT_S = {"hd": 19_390_000, "4k": 80_000_000}
WORTH_PCT = 2.0
"""A gain below this does not pay."""

IOS = 600


def run(request: Request) -> Outcome:
    """The rows and the picture of the later drives."""
    rows, curves = [], {}
    for index, name in enumerate(DRIVES):
        request.progress(name, 0.8 + 0.05 * index)
        profile = library.load(name)
        pairs = {size: _responses_ms(profile, size, request.seed) for size in SIZES_KIB}
        gains = {size: 100.0 * (a / b - 1.0) for size, (a, b, _) in pairs.items()}
        curves[profile.name] = gains
        lost = {size: lost for size, (_, _, lost) in pairs.items()}
        rows += _rows(name, profile, gains, lost, pairs)
    drawn = [figures.later(curves, WORTH_PCT, request.out)] if request.out else []
    note = (
        "Later drives: geometry published by Wong 2019, zones made up between its outer and inner "
        "density, seek curves between assumed and published ends. Extents are the I/O itself where "
        "it fits the shortest track, else 128 KiB; files are whole. Nothing is read ahead."
    )
    return Outcome(rows, drawn, [note])


def _rows(
    name: str,
    profile: Profile,
    gains: dict[int, float],
    lost: dict[int, float],
    pairs: dict[int, tuple[float, float, float]],
) -> list[Row]:
    paying = [size for size in SIZES_KIB if gains[size] >= WORTH_PCT]
    rows = [
        Row(
            f"later/{name}/gain_512k",
            f"{profile.name}: gain of model 3 at 512 KiB",
            None,
            gains[512],
            "%",
            extra={"gain_pct_by_kib": gains, "capacity_lost_pct_by_kib": lost},
        ),
        Row(
            f"later/{name}/pays_up_to",
            f"{profile.name}: largest I/O at which it gains {WORTH_PCT:g} %",
            None,
            max(paying, default=0),
            "kib",
        ),
    ]
    for word, rate in RATES_BIT_S.items():
        for size in (512, 4096):
            carried = [int(size * 8192e3 / rate / pair) for pair in pairs[size][:2]]
            rows.append(
                Row(
                    f"later/{name}/{word}_streams_{size}k",
                    f"{profile.name}: {word.upper()} streams that fit, {size} KiB, aligned",
                    None,
                    carried[1],
                    "",
                    extra={"original": carried[0]},
                )
            )
    return rows


def _responses_ms(profile: Profile, size_kib: int, seed: int) -> tuple[float, float, float]:
    """Mean responses of the drive and of its aligned model 3, and the capacity lost in percent."""
    io_bytes = size_kib * 1024
    try:
        made, account = align(profile, io_bytes, 3)
    except InputError:
        made, account = align(profile, setting.EXTENT_BYTES, 3)
    lost = float(account["capacity_lost_pct"])
    return _mean_ms(profile, io_bytes, seed), _mean_ms(made, io_bytes, seed), lost


def _mean_ms(profile: Profile, io_bytes: int, seed: int) -> float:
    io_sectors = io_bytes // profile.sector_bytes
    spots = place.spots(profile, units.spread(4), IOS * io_sectors)
    streams = [Stream(spot.lba, RATES_BIT_S["hd"], io_sectors) for spot in spots]
    serving = Serving(ios=IOS, host_spread_ms=place.rotation_ms(profile), allocator="extent")

    def once(number: int) -> Played:
        return play(profile, streams, replace(serving, seed=number))

    return fmean(setting.responses_ms(once, seed))
