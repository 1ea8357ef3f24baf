"""One made-up drive, measured by its own host, calibrated from its data sheet and judged.

The calibration is run as a user runs it, and what it says of itself is compared with what
its profiles predict here.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from platterlab import output
from platterlab._core import Profile, Replay
from platterlab.calibration.platter.seek_scatter import likeliest
from platterlab.documents import Json

from . import alarms, profile, workload
from . import draw as drives
from . import host as hosts
from . import sheet as sheets
from .drive import Drive
from .outcome import WITHIN_MS, Figures, Trial
from .platter import Platter

REQUESTS = 10_000
"""Rows of a trace, as many as users have."""


def judge(seed: int, requests: int = REQUESTS, *, timeout_s: float = 900.0) -> Trial:
    """Measures the drive of a seed, calibrates, and judges."""
    with TemporaryDirectory(prefix="unseen-") as folder:
        return _judge(seed, requests, timeout_s, Path(folder))


def write(
    seed: int, requests: int, folder: Path
) -> tuple[Drive, sheets.Sheet, list[workload.Seen]]:
    """The files of a seed: `sheet.toml`, `truth.toml` and `measured.trace`."""
    drive, host, mix = drives.draw(seed), hosts.draw(seed), workload.draw(seed)
    sheet = sheets.draw(drive)
    rows = workload.measure(drive, Platter(drive), host, mix, requests)
    output.write_text(folder / "sheet.toml", profile.text(drive, sheet))
    output.write_text(folder / "truth.toml", profile.text(drive, None))
    output.write_text(folder / "measured.trace", workload.trace_text(rows, host.gap))
    return drive, sheet, rows


def _judge(seed: int, requests: int, timeout_s: float, folder: Path) -> Trial:
    drive, sheet, rows = write(seed, requests, folder)
    host, mix = hosts.draw(seed), workload.draw(seed)
    real = np.array([row.service_ms for row in rows])
    own = np.array(workload.replay_ms(drive, Platter(drive), rows))
    trace = folder / "measured.trace"
    half = slice(requests // 2, None)
    truth = predicted_ms(folder / "truth.toml", trace, host.gap)
    code, said = _calibrate(folder, trace, timeout_s, rough=sheet.rough)
    start = result = None
    found: list[str] = []
    off: list[str] = []
    if code == 0:
        first = predicted_ms(folder / "sheet.toml", trace, host.gap)
        last = predicted_ms(folder / "result.toml", trace, host.gap)
        start, result = _figures(first[half], real[half]), _figures(last[half], real[half])
        found = alarms.false_alarms(drive, (folder / "result.toml").read_text())
        off = alarms.classes_off(rows[half], np.abs(last - real)[half] > WITHIN_MS)
    return Trial(
        seed=seed,
        drive=drive.mechanisms(),
        sheet=sheet.silent_on(drive),
        host=asdict(host),
        workload=mix.kind,
        beyond=list(drive.beyond),
        reachable=float(np.mean(np.abs(own - real)[half] <= WITHIN_MS)),
        modelled=float(np.mean(np.abs(truth - real)[half] <= WITHIN_MS)),
        exit_code=code,
        said=said,
        start=start,
        result=result,
        alarms=found,
        off=off,
    )


def _calibrate(folder: Path, trace: Path, timeout_s: float, *, rough: bool) -> tuple[int, Json]:
    """The command as a user gives it: its exit code and what it said."""
    command = [sys.executable, "-m", "platterlab", "calibrate", "--json"]
    command += ["--trace", str(trace), "--profile", str(folder / "sheet.toml")]
    command += ["--out", str(folder / "result.toml"), *(["--rough"] if rough else [])]
    try:
        run = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        return 124, {"error": f"not done after {timeout_s:.0f} s"}
    return run.returncode, _said(run.stdout, run.stderr)


def predicted_ms(path: Path, trace: Path, gap: str) -> NDArray[np.float64]:
    """What a profile predicts of every row, in a closed loop from the first row on, in ms."""
    replay = Replay(
        likeliest(Profile.parse(path.read_text(), path.name)),
        trace,
        None,
        timing="closed",
        device=0,
        seed=0,
        warm_up=0,
        track_phase=False,
        options={"gap": gap},
        beyond="stop",
    )
    found = []
    while (rows := replay.next(1 << 16)) is not None:
        found.append(np.asarray(rows["service_ms"], dtype=np.float64))
    return np.concatenate(found)


def _figures(sim: NDArray[np.float64], real: NDArray[np.float64]) -> Figures:
    error = np.abs(sim - real)
    return Figures(
        demerit_ms=float(np.sqrt(np.mean((np.sort(sim) - np.sort(real)) ** 2))),
        median_ms=float(np.median(error)),
        within=float(np.mean(error <= WITHIN_MS)),
    )


def _said(out: str, err: str) -> Json:
    """The parts of what was printed that are judged; of a failure the end of its message."""
    try:
        found = json.loads(out)
    except json.JSONDecodeError:
        return {"error": err.strip()[-400:]}
    kept = ("judged", "judged_timing", "warnings", "verdict", "undetermined")
    return {key: found[key] for key in kept if key in found}
