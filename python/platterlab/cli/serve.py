"""`platterlab serve`: a simulated drive as a block device, in real time."""

import json
import signal
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from platterlab import library, output
from platterlab._core import Served
from platterlab.answers import ServeReport
from platterlab.cli.console import count, duration, emit, number, plain_table, stderr, stdout
from platterlab.cli.values import LARGEST_U32, Seed, settings
from platterlab.results import suffix_of
from platterlab.serve import WORDS, Service, made_by, run, seconds_of, speed_of

_Drive = Annotated[
    str,
    typer.Argument(
        help="A drive of the library, a .toml file of a drive, or an experiment of whose system a "
        "volume is served."
    ),
]
_Store = Annotated[
    str,
    typer.Option(
        metavar="FILE|memory|pattern",
        help="Where the data is: a file, sparse and made if it is not there; memory, gone at the "
        "end; or pattern, read-only, where every 8 bytes hold where they are.",
    ),
]
_Nbd = Annotated[
    Path | None,
    typer.Option("--nbd", metavar="SOCKET", help="Listen there: a Unix socket, its owner's alone."),
]
_Port = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS:]PORT",
        help="Listen at this TCP port, of this machine alone unless an address is given by which "
        "others reach it; 0 for any free one. There is neither a password nor encryption.",
    ),
]
_Ublk = Annotated[
    bool,
    typer.Option(
        "--ublk",
        help="Have the drive as a block device /dev/ublkbN of this kernel, where it has ublk and "
        "Platterlab was built with it.",
    ),
]
_Fuse = Annotated[
    Path | None,
    typer.Option(
        "--fuse", metavar="FOLDER",
        help="Have the drive there as the file `disk`, by FUSE: its owner's alone, and a block "
        "device by --loop.",
    ),
]  # fmt: skip
_Loop = Annotated[
    bool,
    typer.Option(
        "--loop",
        help="Make a loop device /dev/loopN of the file of --fuse, until it ends; as root.",
    ),
]
_Size = Annotated[
    str | None, typer.Option(help="Bytes that are served, as 512M; the drive's where not given.")
]
_Speed = Annotated[
    str,
    typer.Option(
        metavar="FACTOR|max",
        help="How much faster than the clock the drive's time passes: 0.1 is slow motion; max "
        "waits for nothing.",
    ),
]
_Scheduler = Annotated[
    str, typer.Option(help="The order in which the drive serves what it has taken.")
]
_Depth = Annotated[
    int, typer.Option(min=1, max=LARGEST_U32, help="Commands that the drive takes at a time.")
]
_Volume = Annotated[
    str | None,
    typer.Option(help="Volume of an experiment; it can be left out where there is one."),
]
_Rows = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A row per request served, as .parquet or .csv."),
]
_Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the profile."),
]
_Favours = Annotated[
    bool,
    typer.Option(
        "--real-time/--no-real-time",
        help="Ask the host for real-time scheduling, locked memory and exact timers, and do "
        "without what it refuses.",
    ),
]
_Faults = Annotated[
    Path | None,
    typer.Option(metavar="FILE.toml", help="File of the drive's faults and their times."),
]
_PowerCut = Annotated[
    str | None,
    typer.Option(
        metavar="AFTER",
        help="Cut the power at this instant of the drive's own time, as 500ms or 30s: what its "
        "cache holds and has not written is lost, nobody is answered, and it ends.",
    ),
]
_ControlSocket = Annotated[
    Path | None,
    typer.Option("--control", metavar="SOCKET", help="Listen there to `platterlab serve-ctl`."),
]
_Metrics = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535,
        help="Figures for Prometheus at this TCP port of this machine alone; 0 for any free one.",
    ),
]  # fmt: skip
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, at the end.")]


def serve(
    drive: _Drive,
    store: _Store,
    nbd: _Nbd = None,
    port: _Port = None,
    fuse: _Fuse = None,
    loop: _Loop = False,
    ublk: _Ublk = False,
    size: _Size = None,
    speed: _Speed = "1",
    scheduler: _Scheduler = "fcfs",
    depth: _Depth = 1,
    seed: Seed = 0,
    volume: _Volume = None,
    rows: _Rows = None,
    overrides: _Overrides = None,
    real_time: _Favours = True,
    faults: _Faults = None,
    power_cut: _PowerCut = None,
    control: _ControlSocket = None,
    metrics: _Metrics = None,
    as_json: _AsJson = False,
) -> int:
    """A simulated drive or array as a block device in real time, for any program: NBD, FUSE, ublk.

    It ends with Ctrl-C: what is in flight is answered, for 5 s, and it says how late it was.
    SIGUSR1 makes it report at any time.
    """
    inputs = [library.file_of(drive), faults] + ([] if store in WORDS else [Path(store)])
    output.declare({"--rows": rows}, inputs)
    if rows is not None:
        suffix_of(rows)
    service = Service(
        drive=drive, store=store, socket=nbd, port=port, folder=fuse, loop=loop, ublk=ublk,
        size=size, speed=speed_of(speed), scheduler=scheduler, depth=depth, seed=seed,
        volume=volume, real_time=real_time, rows=rows,
        overrides=settings(overrides or (), "--set"),
        faults=faults, power_cut_s=None if power_cut is None else seconds_of(power_cut),
        control=control, metrics=metrics,
    )  # fmt: skip
    ended = False

    def end(_signal: int, _frame: FrameType | None) -> None:
        # A flag and no lock: the signal may come while the lock is held by whoever waits for it.
        nonlocal ended
        ended = True

    # Set here and not left as it is: a shell has what it starts in the background ignore SIGINT.
    for ends in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ends, end)
    # Its files may be others when it ends.
    manifest = made_by(service)
    report, rows_error = run(service, partial(_told, speed=service.speed), lambda: ended)
    if as_json:
        emit({**report, "manifest": manifest})
    else:
        _show(report)
    if report["in_flight"] and report["power_cut"] is None:
        stderr().print(
            f"[yellow]{count(report['in_flight'])} requests were in flight, and not done within "
            "5 s of the end: they were not answered[/]"
        )
    if report["store_error"] is not None:
        raise OSError(f"{store}: {report['store_error']}: what clients wrote there failed")
    if rows_error is not None:
        raise rows_error
    return 0


def _told(served: Served, loop: Path | None, port: int | None, *, speed: float | None) -> None:
    """Says where clients come, and what is known of the times by now."""

    def tell(_signal: int, _frame: FrameType | None) -> None:
        stderr().print(json.dumps(served.report()), markup=False)

    signal.signal(signal.SIGUSR1, tell)
    places = " and ".join(
        str(one) for one in (served.uri, served.file, loop, served.device) if one is not None
    )
    stderr().print(f"serving {served.bytes:,} bytes at {places}", markup=False)
    host = served.report()["host"]
    if port is not None:
        stderr().print(f"figures at http://127.0.0.1:{port}/metrics", markup=False)
    if served.quickest_us is None or speed is None:
        return
    quickest_us = served.quickest_us / speed
    if quickest_us < 3 * host["floor_us"]:
        stderr().print(
            f"[yellow]the drive's quickest request takes {quickest_us:.0f} us, and this host "
            f"{host['floor_us']:.0f} us for none: the times of such requests are the host's; "
            f"--speed {speed / 10:g} makes them ten times longer[/]"
        )


def _show(report: ServeReport) -> None:
    table = plain_table("", "p50", "p99", "max")
    late, woken = report["lateness_us"], report["wake_us"]
    for name, by in (("answers late, us", late), ("wake-ups late, us", woken)):
        table.add_row(name, *(number(one, 1) for one in (by["p50"], by["p99"], by["max"])))
    out = stdout()
    out.print(
        f"{count(report['requests'])} requests in {number(report['served_ms'] / 1e3)} s: "
        f"{count(report['reads'])} reads, {count(report['writes'])} writes, "
        f"{count(report['flushes'])} flushes, {count(report['errors'])} errors"
    )
    if report["speed"] is not None:
        out.print(table)
    if (cut := report["power_cut"]) is not None:
        out.print(
            f"the power went after {duration(cut['at_ms'])}: {count(cut['lost_bytes'])} bytes of "
            f"answered writes lost, {count(cut['kept_bytes'])} kept by what outlives it, "
            f"{count(cut['unanswered'])} requests not answered"
        )
    out.print(f"verdict: {report['verdict']}")
    for reason in report["reasons"]:
        out.print(f"  {reason}", markup=False)
