"""The benchmark table: `make bench` prints it and writes target/bench.json.

Every case runs in a process of its own, whose peak memory is what the system counted for it. This
process stays small on purpose: a child's count begins with the memory of the process it came from.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from table import Row, Scaling, show

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
RUNNER = TARGET / "release" / "platterlab-bench"
SITE = TARGET / "bench" / "site"
WEEK = "hp-week/ajw.1week.srt"
NO_WEEK = "The HP week is not at hand: set PLATTERLAB_DATA to the folder that has it."
NEEDS_DATA = {"atlas10k-validate"}
"""Cases that there are only with the measured data; the others generate requests without it."""
REPEATS = {
    "c2200a-week": 200,
    "hp97560-cache": 15,
    "atlas10k-validate": 15,
    "ascii-trace": 40,
    "mixed-single": 8,
    "burst64-fcfs": 8,
    "burst64-look": 8,
    "burst64-sptf": 8,
    "overload5000-look": 8,
    "overload5000-sptf": 3,
    "ncq32-sptf": 8,
    "raid5": 8,
    "raid5-small-writes": 8,
    "drives-1": 8,
    "drives-1000": 8,
    "system-events": 40,
}
"""The fastest repeat counts: it is the one that other work on the machine disturbed least."""
DISKSIM_PER_S = {
    "ascii-trace": 172_000,
    "mixed-single": 86_000,
    "burst64-fcfs": 118_000,
    "burst64-look": 109_000,
    "burst64-sptf": 54_000,
    "overload5000-look": 12_000,
    "overload5000-sptf": 800,
    "raid5": 31_000,
}
"""What DiskSim 4.0, compiled with -O2, serves in a second of one core of a machine of this kind."""
LAB_CORE = "hp97560-cache"
"""The case of which `pl.simulate` serves the same requests."""
SWEPT = {"sweep-local": "local", "sweep-dask": "dask"}
SWEEP_POINTS = 2_000
"""Short experiments on both processors, on the engine of this word."""
SERVED = {"serve-nbd-floor": 5, "serve-nbd-lateness": 1}
"""Repeats of a served drive and a client, by the clock: other work on the machine takes from it."""
LONG_REQUESTS = 10_000_000
SCALING_REPEATS = 3
START_REQUESTS = 10
START_REPEATS = 10
DATA = "from platterlab import data; print(data.folder() or '')"


@dataclass(frozen=True)
class Ran:
    """A process that ended well."""

    out: str
    err: str
    wall_s: float
    cpu_s: float
    peak_rss_mib: float


def main() -> int:
    """Runs every case and leaves the table."""
    signal.signal(signal.SIGTERM, _terminate)
    for package in ("platterlab-bench", "platterlab-python"):
        build = ["cargo", "build", "--release", "--locked", "--quiet", "--package", package]
        subprocess.run(build, cwd=ROOT, check=True)
    optimized()
    data = the_data()
    rows = []
    for name in REPEATS:
        if name in NEEDS_DATA and data is None:
            say(f"{name} is left out: it needs the measured data")
            continue
        rows.append(case(name, data))
    week = data / WEEK if data and (data / WEEK).is_file() else None
    core, cached = (
        next(row.per_s for row in rows if row.id == name) for name in ("c2200a-week", LAB_CORE)
    )
    lab = lab_simulate()
    rows.append(replace(lab, of_core=lab.per_s / cached))
    rows += [replace(row, of_core=row.per_s / core) for row in end_to_end(week)]
    rows.append(start_up())
    rows += [served(name, repeats) for name, repeats in SERVED.items()]
    rows += [swept(name, engine) for name, engine in SWEPT.items()]
    both = scaling()
    TARGET.mkdir(exist_ok=True)
    document = {
        "schema_version": 1,
        "rows": [asdict(row) for row in rows],
        "scaling": asdict(both),
    }
    (TARGET / "bench.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    show(rows, both)
    if week is None:
        sys.stdout.write(f"\n{NO_WEEK}\n")
    sys.stdout.write(f"\n{TARGET / 'bench.json'}\n")
    return 0


def the_data() -> Path | None:
    """The folder of measured data, if it is at hand."""
    folder = run(sys.executable, "-c", DATA).out.strip()
    return Path(folder) if folder else None


def case(name: str, data: Path | None) -> Row:
    """A case of the runner: the simulator alone, its requests in memory."""
    say(f"{name} ...")
    folder = [str(data)] if data else []
    ran = run(RUNNER, name, REPEATS[name], *folder)
    told: dict[str, Any] = json.loads(ran.out)
    with_one, without = (instructions(name, repeats, folder) for repeats in (1, 0))
    counted = with_one is not None and without is not None
    return Row(
        id=name,
        what=told["what"],
        per_s=told["per_s"],
        disksim_per_s=DISKSIM_PER_S.get(name),
        peak_rss_mib=ran.peak_rss_mib,
        instructions_per_request=(with_one - without) / told["served"] if counted else None,
    )


def instructions(name: str, repeats: int, folder: list[str]) -> int | None:
    """How many instructions the runner takes, set-up included."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return None
    count = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    ran = run(valgrind, *count, RUNNER, name, repeats, *folder)
    found = re.search(r"I\s+refs:\s+([\d,]+)", ran.err)
    return int(found[1].replace(",", "")) if found else None


def optimized() -> None:
    """A folder from which the package is imported as it is, with the core as a wheel has it."""
    shutil.rmtree(SITE, ignore_errors=True)
    package = SITE / "platterlab"
    package.mkdir(parents=True)
    for one in (ROOT / "python" / "platterlab").iterdir():
        if one.suffix != ".so":
            (package / one.name).symlink_to(one)
    (package / "_core.abi3.so").symlink_to(TARGET / "release" / "lib_core.so")


def platterlab(*words: object) -> Ran:
    """Runs the command with that core."""
    return run(sys.executable, "-m", "platterlab", *words, environment={"PYTHONPATH": str(SITE)})


def lab_simulate() -> Row:
    """Requests in memory by `pl.simulate`, by processor time of all its threads."""
    say("lab-simulate ...")
    script = Path(__file__).with_name("lab.py")
    ran = run(sys.executable, script, REPEATS[LAB_CORE], environment={"PYTHONPATH": str(SITE)})
    told: dict[str, Any] = json.loads(ran.out)
    return Row(
        id="lab-simulate",
        what=f"`pl.simulate` of the requests of {LAB_CORE}",
        per_s=told["per_s"],
        peak_rss_mib=ran.peak_rss_mib,
    )


def end_to_end(week: Path | None) -> Iterator[Row]:
    """Ten million requests over years, from a file on disk to the end of the command."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=TARGET) as folder:
        binary, text = Path(folder) / "weeks.srt", Path(folder) / "weeks.ascii"
        source = [str(week)] if week else []
        writer = Path(__file__).with_name("week.py")
        made = run(sys.executable, writer, binary, LONG_REQUESTS, *source)
        written: dict[str, Any] = json.loads(made.out)
        years = f"{'the HP week' if week else 'generated requests'}, {written['years']:.1f} years"
        parquet = simulated("end-to-end-parquet", binary, Path(folder) / "rows.parquet")
        yield replace(parquet, what=f"{years}, from a binary trace to Parquet")
        yield replace(parquet, id="week-10m", what="the same run, under the name it had before")
        csv = simulated("end-to-end-csv", binary, Path(folder) / "rows.csv")
        yield replace(csv, what=f"{years}, from a binary trace to CSV")
        summary = simulated("end-to-end-summary", binary, None)
        yield replace(summary, what=f"{years}, from a binary trace to the summary alone")
        platterlab("trace", "convert", binary, text, "--to", "disksim-ascii")
        binary.unlink()
        from_text = simulated("end-to-end-text", text, Path(folder) / "rows.parquet")
        yield replace(from_text, what=f"{years}, from a text trace (disksim-ascii) to Parquet")


def simulated(name: str, trace: Path, rows: Path | None) -> Row:
    """One whole run of the command."""
    say(f"{name} ...")
    wanted = ["--per-request", rows] if rows else []
    device = ["--device", 0]
    ran = platterlab(
        "simulate", "--profile", "hp-c2200a", "--trace", trace, *device, *wanted, "--json"
    )  # fmt: skip
    served: int = json.loads(ran.out)["served"]
    if served < LONG_REQUESTS:
        raise SystemExit(f"{name}: {served} of {LONG_REQUESTS} requests were served")
    if rows:
        rows.unlink()
    return Row(
        id=name,
        what="",
        per_s=served / ran.wall_s,
        peak_rss_mib=ran.peak_rss_mib,
    )


def start_up() -> Row:
    """A command with next to nothing to do: ten requests at one drive."""
    say("start-up ...")
    with tempfile.TemporaryDirectory(prefix="bench-", dir=TARGET) as folder:
        trace = Path(folder) / "ten.ascii"
        lines = (f"{20 * number}.0 0 {1000 * number} 8 1\n" for number in range(START_REQUESTS))
        trace.write_text("".join(lines), encoding="utf-8")
        line = ("simulate", "--profile", "hp-c2200a", "--trace", trace)
        ran = min((platterlab(*line) for _ in range(START_REPEATS)), key=lambda one: one.cpu_s)
    return Row(
        id="start-up",
        what=f"{START_REQUESTS} requests, from the start of the command to its end",
        per_s=START_REQUESTS / ran.cpu_s,
        peak_rss_mib=ran.peak_rss_mib,
        ms=1e3 * ran.cpu_s,
    )


def served(name: str, repeats: int) -> Row:
    """A drive that is served to a client in the same process."""
    say(f"{name} ...")
    ran = run(RUNNER, name, repeats)
    told: dict[str, Any] = json.loads(ran.out)
    late: dict[str, float] | None = told.get("lateness_us")
    told_late = (
        "" if late is None else f"; late by {late['p50']:.0f}/{late['p99']:.0f} us at 50/99 %"
    )
    return Row(
        id=name,
        what=told["what"] + told_late,
        per_s=told["per_s"],
        peak_rss_mib=ran.peak_rss_mib,
        lateness_us=late,
    )


def swept(name: str, engine: str) -> Row:
    """A sweep of short experiments: points a second with two processes, by the clock."""
    say(f"{name} ...")
    script = Path(__file__).with_name("sweep.py")
    site = {"PYTHONPATH": str(SITE)}
    ran = run(sys.executable, script, SWEEP_POINTS, engine, environment=site)
    told: dict[str, Any] = json.loads(ran.out)
    if not told["same"]:
        raise SystemExit(f"{name}: the tables differ")
    return Row(
        id=name,
        what=f"{SWEEP_POINTS:,} experiments, two processes {told['speed_up']:.2f} times one",
        per_s=told["per_s"]["2"],
        peak_rss_mib=ran.peak_rss_mib,
    )


def scaling() -> Scaling:
    """Many experiments at once, on one thread and on two, the start of the process included."""
    experiment = Path(__file__).with_name("scaling.toml")

    def simulate(threads: int) -> Ran:
        say(f"scaling, {threads} of 2 threads ...")
        return platterlab("simulate", experiment, "--threads", threads, "--json")

    # By turns, so that what else the machine does meets both alike.
    runs = [[simulate(threads) for threads in (1, 2)] for _ in range(SCALING_REPEATS)]
    one, two = (min(column, key=lambda ran: ran.wall_s) for column in zip(*runs, strict=True))
    report: dict[str, Any] = json.loads(one.out)
    return Scaling(
        what=f"{report['name']}: {report['replications']} replications",
        requests=report["served"],
        wall_s=(one.wall_s, two.wall_s),
        cpu_s=(one.cpu_s, two.cpu_s),
        speed_up=one.wall_s / two.wall_s,
    )


def run(*line: object, environment: Mapping[str, str] | None = None) -> Ran:
    """Runs a process to its end; stops the benchmark if it fails."""
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            [str(word) for word in line],
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall_s = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        cpu_s = usage.ru_utime + usage.ru_stime
        ran = Ran(out.read(), err.read(), wall_s, cpu_s, usage.ru_maxrss / 1024)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, line))}\nended with {process.returncode}\n{ran.err}")
    return ran


def say(text: str) -> None:
    """A line on stderr, at once."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
