"""`platterlab av`: drives for audio and video."""

from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from platterlab import library, manifest, output
from platterlab._core import InputError, Profile, align
from platterlab.answers import AlignAccount
from platterlab.av import place, units
from platterlab.cli.console import count, emit, number, plain_table, stdout
from platterlab.cli.facts import show_facts
from platterlab.cli.values import LARGEST_U32, AsJson, Seed
from platterlab.documents import Json
from platterlab.known import known

if TYPE_CHECKING:
    from platterlab.av.play import Played

app = typer.Typer(no_args_is_help=True, help="Audio and video: aligned tracks, streams, buffers.")

_Profile = Annotated[
    str, typer.Option("--profile", "-p", help="A drive of the library, or a .toml file.")
]
_Extent = Annotated[str, typer.Option(help="Size of an extent, such as 128k.")]
_Model = Annotated[
    int,
    typer.Option(
        min=1,
        max=LARGEST_U32,
        help="1: the frequency is lowered; 2: spares at the track's end; 3: and skew.",
    ),
]
_PerTrack = Annotated[
    int | None,
    typer.Option(
        min=1, max=LARGEST_U32, metavar="EXTENTS", help="Most extents on a track; all that fit."
    ),
]
_Buffers = Annotated[
    int, typer.Option(min=1, max=LARGEST_U32, help="Buffers of one I/O each, per stream.")
]
_Sessions = Annotated[int, typer.Option(min=1, max=4096, help="Number of streams.")]
_Rate = Annotated[
    str,
    typer.Option(
        help="Rate of a stream in bits per second, such as 19.39M; with commas, one each."
    ),
]
_At = Annotated[
    str | None,
    typer.Option(metavar="PLACES", help="1 outermost to 0 innermost: 1,2/3,1/3,0; evenly spread."),
]


@app.command("align")
def align_tracks(
    profile: _Profile,
    extent: _Extent = "128k",
    model: _Model = 3,
    per_track: _PerTrack = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of the new profile, .toml.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make tracks hold whole extents: a new profile, and what it costs and gains."""
    output.declare({"--out": out}, [library.file_of(profile)])
    drive = library.load(profile)
    made, account = _aligned(drive, extent, model, per_track)
    if out is not None:
        output.write_text(out, made.to_toml())
    if as_json:
        emit({"profile": made.id, "out": str(out) if out else None, **account})
        return
    zones = account["zones"]
    console = stdout()
    console.print(f"{drive.name}: extents of {extent}, model {model}\n", markup=False)
    show_facts({key: value for key, value in account.items() if key != "zones"}, console)
    table = plain_table(
        "cylinders", "extents", "data", "spares", "MiB/s", "before", "sequential", "before", words=1
    )
    for zone in zones:
        table.add_row(
            "-".join(map(str, zone["cylinders"])),
            count(zone["extents_per_track"]),
            count(zone["data_sectors"]),
            count(zone["spare_sectors"]),
            number(zone["media_rate_mib_s"]),
            number(zone["media_rate_before_mib_s"]),
            number(zone["sequential_mib_s"]),
            number(zone["sequential_before_mib_s"]),
        )
    console.print()
    console.print(table)
    if out is not None:
        console.print(f"\nprofile: {out}", markup=False)


@app.command("plan")
def plan_streams(
    profile: _Profile,
    sessions: _Sessions,
    rate: _Rate,
    at: _At = None,
    extent: _Extent = "128k",
    model: _Model = 3,
    per_track: _PerTrack = None,
    buffer: Annotated[
        str | None, typer.Option(help="Buffer of all streams together, for their largest number.")
    ] = None,
    ios: Annotated[
        int, typer.Option(min=2, max=LARGEST_U32, help="I/Os of each stream to simulate.")
    ] = 400,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Period, buffers, start-up and most streams, aligned and not, and what the simulation says."""
    from platterlab.av.play import BLOCK_BYTES

    rates = _rates(rate, sessions)
    places = _places(at, sessions)
    most_bytes = units.size_bytes(buffer, "--buffer") if buffer else None
    since = manifest.states([library.file_of(profile)])
    drive = library.load(profile)
    made, _ = _aligned(drive, extent, model, per_track)
    extent_bytes = units.size_bytes(extent, "--extent")
    plans = {
        "original": _planned(drive, rates, places, BLOCK_BYTES, most_bytes, ios, seed),
        "aligned": _planned(made, rates, places, extent_bytes, most_bytes, ios, seed),
    }
    if as_json:
        asked: Json = {"sessions": sessions, "rates_bit_s": rates}
        given = {
            "places": [str(place) for place in places],
            "extent": extent,
            "model": model,
            "per_track": per_track,
            "buffer": buffer,
            "ios": ios,
            "seed": seed,
        }
        made_by = manifest.of([("profile", profile)], since=since, **asked, **given)
        emit({"profile": drive.id, **asked, **plans, "manifest": made_by})
        return
    console = stdout()
    console.print(f"{drive.name}: {sessions} streams of {_mbit(rates)} Mbit/s\n", markup=False)
    for name, facts in plans.items():
        console.print(f"[bold]{name}[/]")
        show_facts(facts, console)
        console.print()


@app.command("play")
def play_streams(
    profile: _Profile,
    sessions: _Sessions,
    rate: _Rate,
    io: Annotated[
        str,
        typer.Option("--io", help="Size of an I/O, such as 512k; with commas, one each."),
    ] = "512k",
    at: _At = None,
    ios: Annotated[int, typer.Option(min=1, max=LARGEST_U32, help="I/Os of each stream.")] = 400,
    period_ms: Annotated[
        float | None, typer.Option(help="Time from round to round; else that of playing an I/O.")
    ] = None,
    buffers: _Buffers = 2,
    start_after: Annotated[
        int, typer.Option(min=1, max=LARGEST_U32, help="I/Os before a stream plays.")
    ] = 1,
    order: Annotated[str, typer.Option(help="Order of a round: listed or sweep.")] = "listed",
    record: Annotated[
        int, typer.Option(min=0, max=LARGEST_U32, help="Streams, the last ones, that record.")
    ] = 0,
    fragmentation: Annotated[float, typer.Option(help="Share of I/Os with a break.")] = 0.0,
    allocator: Annotated[str, typer.Option(help="ext3 or extent.")] = "ext3",
    extent: Annotated[
        str | None, typer.Option(help="Unit that the extent allocator keeps whole; else an I/O.")
    ] = None,
    host_spread_ms: Annotated[
        float, typer.Option(help="I/Os come up to this much after they could.")
    ] = 0.0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Simulate streams on a drive: buffers, underruns, start-up, seeks and idle time."""
    from platterlab.av.play import Serving, Stream, play

    since = manifest.states([library.file_of(profile)])
    drive = library.load(profile)
    rates = _rates(rate, sessions)
    sizes = [_sectors(drive, word, "--io") for word in units.each(io, sessions, "--io")]
    spots = _spots(drive, _places(at, sessions), [size * ios for size in sizes], rates)
    if record > sessions:
        raise InputError(f"--record {record}: there are only {sessions} streams")
    streams = [
        Stream(spot.lba, bit_s, size, records=index >= sessions - record)
        for index, (spot, bit_s, size) in enumerate(zip(spots, rates, sizes, strict=True))
    ]
    lasts_ms = [
        8e3 * size * drive.sector_bytes / bit_s for size, bit_s in zip(sizes, rates, strict=True)
    ]
    serving = Serving(
        # A round that waits for the longest I/O would starve the stream with the shortest.
        period_ms=min(lasts_ms) if period_ms is None else period_ms,
        ios=ios,
        buffers=buffers,
        start_after=start_after,
        order=order,
        host_spread_ms=host_spread_ms,
        fragmentation=fragmentation,
        allocator=allocator,
        extent_bytes=_kept_whole(extent, allocator),
        seed=seed,
    )
    played = play(drive, streams, serving)
    if as_json:
        asked = {"streams": [asdict(stream) for stream in streams], **asdict(serving)}
        made_by = manifest.of([("profile", profile)], since=since, **asked)
        emit({"profile": drive.id, **played.report, "manifest": made_by})
    else:
        stdout().print(f"{drive.name}: {sessions} streams of {_mbit(rates)} Mbit/s\n", markup=False)
        show_facts(_told(played), stdout())


def _spots(
    drive: Profile, places: list[Fraction], sectors: list[int], rates: list[int]
) -> list[place.Spot]:
    """Where streams lie that are so long, and can be read at their rates."""
    from platterlab.av import plan

    where = zip(places, sectors, strict=True)
    spots = [place.spots(drive, [diameter], length)[0] for diameter, length in where]
    plan.check_rates(drive, spots, rates)
    return spots


def _told(played: "Played") -> Json:
    """The report without the percentiles of every stream."""
    sessions = [
        {key: value for key, value in one.items() if key != "response"}
        for one in played.report["sessions"]
    ]
    return {**played.report, "sessions": sessions}


def _aligned(
    drive: Profile, extent: str, model: int, per_track: int | None
) -> tuple[Profile, AlignAccount]:
    made, account = align(drive, units.size_bytes(extent, "--extent"), model, per_track)
    return made, account


def _rates(rate: str, sessions: int) -> list[int]:
    return [units.rate_bit_s(word) for word in units.each(rate, sessions, "--rate")]


def _mbit(rates_bit_s: list[int]) -> str:
    """Rates for people, one where all are the same."""
    return ", ".join(dict.fromkeys(f"{rate / 1e6:g}" for rate in rates_bit_s))


def _places(at: str | None, sessions: int) -> list[Fraction]:
    if at is None:
        return units.spread(sessions)
    places = units.diameters(at)
    if len(places) != sessions:
        raise InputError(f"--at {at}: {len(places)} places for {sessions} streams; write one each")
    return places


def _kept_whole(extent: str | None, allocator: str) -> int | None:
    """Bytes that the allocator keeps whole; None for those of an I/O."""
    if extent is None:
        return None
    if allocator == "ext3":
        raise InputError("--extent: is of the extent allocator; give --allocator extent with it")
    return units.size_bytes(extent, "--extent")


def _sectors(drive: Profile, size: str, name: str) -> int:
    size_bytes = units.size_bytes(size, name)
    if size_bytes % drive.sector_bytes:
        raise InputError(
            f"{name} {size}: is not a multiple of the sector of {drive.sector_bytes} bytes"
        )
    capacity_bytes = drive.capacity_sectors * drive.sector_bytes
    if size_bytes > capacity_bytes:
        raise InputError(f"{name} {size}: the drive has no more than {capacity_bytes:,} bytes")
    return size_bytes // drive.sector_bytes


def _planned(
    drive: Profile,
    rates: list[int],
    places: list[Fraction],
    unit_bytes: int,
    buffer_bytes: int | None,
    ios: int,
    seed: int,
) -> Json:
    """A plan and its simulation, as facts."""
    from platterlab.av import plan

    found = plan.plan(drive, rates, places, unit_bytes)
    spread_ms = place.rotation_ms(drive)
    checked = plan.simulate(drive, rates, found, ios=ios, seed=seed, host_spread_ms=spread_ms)
    tight = plan.simulate(drive, rates, found, ios=ios, seed=seed, host_spread_ms=0.0)
    # Streams whose I/Os play for longer than a period are left out of some rounds.
    simulated_ms = sum(known(one["response"])["mean_ms"] for one in checked.report["sessions"])
    return {
        "io_kib": [io * drive.sector_bytes / 1024 for io in found.io_sectors]
        if len(set(found.io_sectors)) > 1
        else found.io_sectors[0] * drive.sector_bytes / 1024,
        "period_ms": found.period_ms,
        "buffer_kib": found.buffer_bytes(drive.sector_bytes) / 1024,
        "start_up_ms": found.period_ms,
        "track_switches_per_round": found.switches,
        "round_ms": found.round_ms,
        "simulated_round_ms": simulated_ms,
        "difference_pct": 100.0 * (simulated_ms / found.round_ms - 1.0),
        "simulated_start_up_ms": tight.start_up_ms,
        "simulated_underruns": tight.underruns,
        "simulated_idle_pct": 100.0 * tight.report["idle_ms"] / tight.report["elapsed_ms"],
        "most_streams": plan.most_streams(drive, rates, unit_bytes, buffer_bytes),
    }
