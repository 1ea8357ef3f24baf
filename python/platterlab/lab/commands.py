"""Commands of the command line other than simulations, as functions."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platterlab import data, studies
from platterlab._core import InputError, version_info
from platterlab.comparing.statistics import against, common_time
from platterlab.extras import need
from platterlab.lab.arguments import in_range
from platterlab.lab.compared import Compared, side
from platterlab.lab.comparison import Comparison
from platterlab.lab.drive import Drive
from platterlab.lab.progress import Progress, listener
from platterlab.lab.sweeping import planned
from platterlab.lab.trace import Trace
from platterlab.lab.trace_file import in_a_file
from platterlab.measure import Job as Measurement
from platterlab.measure import Outcome, Target
from platterlab.measure import characterize as measured
from platterlab.studies import Outcome as Studied
from platterlab.studies import Request
from platterlab.sweeps.sweep import Swept
from platterlab.sweeps.sweep import run as run_sweep
from platterlab.tracing import Captured
from platterlab.tracing import capture as captured
from platterlab.tracing.session import Options

if TYPE_CHECKING:
    from platterlab.calibration.listed import Calibrations
    from platterlab.calibration.outcome import Findings


@in_range
def characterize(
    target: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    time: str = "full",
    tracks: str | None = None,
    quick: bool = False,
    region: tuple[int, int] | None = None,
    resume: bool = False,
    noise: str = "typical",
    seed: int = 0,
    progress: Progress | None = None,
) -> Outcome:
    """Measures a drive from outside, and leaves a bundle; a real device is only read.

    Args:
        target: a drive of the library or a .toml profile (simulated), a block device or file, or
            the folder of a bundle.
        out: the folder of the new bundle.
        time: drive time after which nothing is begun: `3m`, `15m` or `full`.
        tracks: `fast` or `every` to map tracks instead.
        quick: whether only the start of the drive is measured.
        region: first sector and number of sectors to stay within; None for everything.
        resume: whether to continue with what is in `out`.
        noise: of a simulated drive's host: `typical` or `off`.
        seed: of a simulated drive's noise.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: the target or the folder is not what it has to be.
        MeasurementError: the device failed, or the samples could not be kept.

    >>> import platterlab as pl, tempfile
    >>> found = pl.characterize("mock", tempfile.mkdtemp() + "/mock", quick=True)
    >>> found.extraction["rotation_ms"]["status"]
    'ok'
    """
    aim = Target(
        os.fspath(target), time=time, tracks=tracks, quick=quick, region=region, noise=noise,
        seed=seed,
    )  # fmt: skip
    job = Measurement(aim, Path(out), resume=resume)
    with listener(progress) as heard:
        return measured(job, lambda what, share, _rate: heard(what, share))


def compare(
    base: Compared,
    *others: Compared,
    of: str | None = None,
    columns: str | None = None,
    threads: int | None = None,
) -> Comparison:
    """Says how times differ from those of the first: figures with 95 % intervals, by group.

    Args:
        base: a file: rows of a simulation (.parquet, .csv), a trace with measured times, or an
            experiment (.toml), which is run; or an object: a `Result`, a table of rows, a `Trace`,
            or an `Experiment`. A result is compared by its rows if it is a drive's, and by the
            figures of its runs if it is an experiment's.
        others: what is compared with it, at least one.
        of: which times: `response`, `service`, ...; None for what all have.
        columns: what the columns of traces are, as `--columns` says it.
        threads: of an experiment, the most runs at a time; None for one per processor.

    Returns:
        By the name of each other (a file's path, or `result 2`, its place among the sides), and
        by group (`all`, `reads`, ...), a `Group`: `figures` has `mean`, `p50`, `p95`, ..., each
        with `base`, `other` and `change` in ms and their ends.

    Raises:
        InputError: one is none of these, or they have no times of one kind.

    >>> import platterlab as pl, tempfile, pathlib
    >>> drive = pl.Drive("hp-97560")
    >>> trace = pl.Trace.random(drive, 1000, think_ms=5.0)
    >>> slow, fast = (
    ...     pl.simulate(drive.with_values({"spindle.speed_rpm": rpm}), trace, rows=True)
    ...     for rpm in (4002, 5400)
    ... )
    >>> pl.compare(slow, fast)["result 2"]["all"].figures["mean"].change.ms < 0
    True
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> text = pl.Experiment.examples()["mm1"].replace("100_000", "5_000")
    >>> for name, access_ms in (("a", "10.0"), ("b", "9.0")):
    ...     made = text.replace("mean_ms = 10.0", "mean_ms = " + access_ms)
    ...     _ = (folder / f"{name}.toml").write_text(made)
    >>> found = pl.compare(folder / "a.toml", folder / "b.toml")
    >>> found[str(folder / "b.toml")]["all"].figures["mean"].change.ms < 0
    True
    """
    need("fits", "tables")
    if not others:
        raise InputError("a comparison needs a second side")
    given = enumerate((base, *others), 1)
    sides = [side(what, number, columns, threads) for number, what in given]
    word = of or common_time(sides)
    return Comparison({other.name: against(sides[0], other, word) for other in sides[1:]})


@dataclass(frozen=True)
class Calibrated:
    """The result of a calibration.

    Attributes:
        drive: the better drive; the start, where nothing is better.
        findings: how it was judged, and every value with its interval.

    `calibrate` has an example.
    """

    drive: Drive
    findings: Findings


@in_range
def calibrate(
    drive: Drive | str | os.PathLike[str],
    trace: Trace | str | os.PathLike[str],
    *,
    share: float = 0.5,
    rough: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> Calibrated:
    """Fits a drive to the measured times of a trace, judged on what was not fitted on.

    Args:
        drive: where to start.
        trace: with service times, in a file or in memory.
        share: fit on this first part, judge on the rest; above 0, at most 1.
        rough: whether the start is no more than a data sheet.
        seed: of every random choice.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: trace or drive are wrong, or not of the same drive.

    >>> import platterlab as pl
    >>> true = pl.Drive("hp-97560", {"spindle.speed_rpm": 4003})
    >>> asked = pl.Trace.random(true, 1300, think_ms=20.0)
    >>> rows = pl.simulate(true, asked, timing="closed", rows=True).rows
    >>> measured = rows.rename_columns({"queue_ms": "queued_ms"})
    >>> found = pl.calibrate("hp-97560", pl.Trace.of(measured))
    >>> found.drive.rotation_ms == true.rotation_ms
    True
    """
    need("fits", "tables")
    from platterlab.calibration import procedure
    from platterlab.calibration.job import Job
    from platterlab.calibration.outcome import findings
    from platterlab.calibration.profile_file import profile_text

    start = drive if isinstance(drive, Drive) else Drive(drive)
    given = trace if isinstance(trace, Trace) else Trace(trace)
    with in_a_file(given) as served, listener(progress) as heard:
        job = Job(
            trace=served.file,
            profile=start.profile,
            trace_format=served.format,
            options=served.options,
            device=served.device or 0,
            share=share,
            rough=rough,
            resume=None,
            seed=seed,
        )
        found = procedure.calibrate(job, heard)
    name = "requests in memory" if given.path is None else given.path.name
    text = profile_text(found, name)
    return Calibrated(Drive.of_toml(text, f"calibrated to {name}"), findings(found))


def calibrations(
    drives: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Calibrations:
    """Calibrates each drive of a list to its trace; resumed where it was interrupted.

    From a script, call it under `if __name__ == "__main__":`, as its processes read the script.

    Args:
        drives: a file with a `[[drive]]` each: `profile` and `trace`.
        out: the folder where of each drive its profile and what was found are kept.
        workers: processes at a time; None for one per processor.
        dask: a scheduler's address, or `local`; None for no cluster.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: the list, a drive or the folder cannot be.

    >>> import platterlab as pl, pyarrow.parquet, tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> true = pl.Drive("hp-97560", {"spindle.speed_rpm": 4003})
    >>> asked = pl.Trace.random(true, 1300, think_ms=20.0)
    >>> rows = pl.simulate(true, asked, timing="closed", rows=True).rows
    >>> pyarrow.parquet.write_table(pyarrow.table(rows), folder / "a.parquet")
    >>> text = 'drive = [{ profile = "hp-97560", trace = "a.parquet" }]'
    >>> _ = (folder / "drives.toml").write_text(text)
    >>> pl.calibrations(folder / "drives.toml", folder, workers=1).rows[0]["verdict"]
    'improved'
    >>> pl.Drive(folder / "a.toml").rotation_ms == true.rotation_ms
    True
    """
    need("fits", "tables")
    from platterlab.calibration import listed

    calls = listed.load(Path(drives))
    with listener(progress) as heard:
        return listed.run(
            calls,
            Path(out),
            workers=workers,
            dask=dask,
            progress=lambda share: heard("calibrating", share),
        )


@in_range
def study(
    name: str,
    *,
    out: str | os.PathLike[str] | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Studied:
    """Runs a published experiment again: its rows, each with paper, ours, interval and verdict.

    Args:
        name: from `platterlab study list`.
        out: the folder for figures, which exists; None to draw none.
        seed: of every random choice.
        constants: other values of the study's own, by name.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: there is no such study, or it lacks data.

    >>> import platterlab as pl
    >>> pl.study("gim").verdicts["reproduced"] > 0
    True
    """
    need("fits", "charts", "tables")
    wanted = studies.find(name)
    folder = None if out is None else Path(out)
    with listener(progress) as heard:
        return wanted.run(Request(folder, data.folder(), seed, heard, dict(constants or {})))


def sweep(
    plan: str | os.PathLike[str] | Mapping[str, Any],
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Swept:
    """Runs an experiment at many points of its keys; resumed where it was interrupted.

    From a script, call it under `if __name__ == "__main__":`, as its processes read the script.

    Args:
        plan: the sweep's file, or its tables, where `experiment` may be a path or an `Experiment`.
        out: the folder where each finished point is kept.
        workers: processes at a time; None for one per processor.
        dask: a scheduler's address, or `local`; None for no cluster.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: the plan, a point or the folder cannot be.

    >>> import platterlab as pl, tempfile
    >>> plan = {"experiment": "mm1", "vary": [{"key": "stop.requests", "values": [3000, 6000]}]}
    >>> pl.sweep(plan, tempfile.mkdtemp(), workers=1).table.num_rows
    2
    """
    need("fits", "tables")
    folder = Path(out)
    tasks, inputs = planned(plan, folder)
    with listener(progress) as heard:
        return run_sweep(
            tasks,
            folder,
            inputs=inputs,
            workers=workers,
            dask=dask,
            progress=lambda share, _rate: heard("sweeping", share),
        )


def capture(
    command: Sequence[str],
    out: str | os.PathLike[str],
    *,
    path: str | os.PathLike[str] = ".",
    buffer_mib: int = 64,
    settle_s: float = 0.0,
    names: bool = False,
) -> Captured:
    """Runs a command on this Linux, as root, and keeps what its processes did as a process flow.

    Args:
        command: its words.
        out: the flow's file.
        path: a folder of the file system whose disk is traced.
        buffer_mib: of each of the two ring buffers of each CPU.
        settle_s: how long to continue after the command ended, for what it left dirty.
        names: whether names of processes go into the flow.

    Raises:
        InputError: the system cannot be traced, or events were lost.

    >>> import platterlab as pl, os
    >>> if os.geteuid() == 0 and os.path.exists("/sys/kernel/tracing/trace_clock"):
    ...     _ = pl.capture(["true"], "/tmp/true.flow")
    """
    options = Options(path=Path(path), buffer_mib=buffer_mib, settle_s=settle_s, names=names)
    return captured(list(command), Path(out), options)


def show_versions() -> None:
    """Prints what a report of a defect needs: this program, Python, the system, libraries.

    >>> import platterlab as pl
    >>> pl.show_versions()  # doctest: +ELLIPSIS
    platterlab ...
    """
    core = version_info()
    lines = [
        f"platterlab {core['version']} ({core['build']})",
        f"python     {platform.python_version()} ({sys.executable})",
        f"system     {platform.platform()}, {os.cpu_count()} processors",
    ]
    for name in ("numpy", "pyarrow", "scipy", "altair", "polars", "pandas", "duckdb"):
        try:
            lines.append(f"{name:<10} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{name:<10} –")
    sys.stdout.write("\n".join(lines) + "\n")
