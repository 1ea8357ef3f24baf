"""The same calibration on a week of a real system's disk: what can be predicted of each request.

Such a trace has what a validation trace has not: a queue in the host, interrupts that come late,
pauses of half an hour over which nobody knows where the platter is, and few requests that the
buffer could answer.
"""

from pathlib import Path

from platterlab import library
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.procedure import calibrate
from platterlab.studies.row import Row
from platterlab.studies.study import Progress

TRACE = "hp-week/ajw.1week.srt"
DRIVE = "hp-c2200a"
GROUP = "HP C2200A, a week of use: calibrated on the first half, at measured times, second half"


def week_rows(data: Path, seed: int, progress: Progress) -> tuple[list[Row], list[str]]:
    """How near single requests of the unseen half come; nothing where the trace is not there."""
    trace = data / TRACE
    if not trace.is_file():
        return [], [f"the week of the {DRIVE} is left out: {trace} is not there"]
    job = Job(trace, library.load(DRIVE), trace_format="hp-srt", seed=seed)
    found = calibrate(job, lambda what, share: progress(f"the week: {what}", share))
    figures = findings(found).judged["issued when the drive's were"]
    words = {
        "demerit_ms": ("demerit", "ms"),
        "median_abs_error_ms": ("median of single errors", "ms"),
        "p95_abs_error_ms": ("95th percentile of single errors", "ms"),
        "within_0.25_ms": ("share within 0.25 ms", ""),
        "within_0.5_ms": ("share within 0.5 ms", ""),
        "within_1_ms": ("share within 1 ms", ""),
        "slipped_revolution": ("share off by one revolution", ""),
    }
    rows = [
        Row(
            id=f"{DRIVE}/calibrated-unseen/{name}",
            what=what,
            paper=None,
            ours=figures[name],
            unit=unit,
            group=GROUP,
        )
        for name, (what, unit) in words.items()
    ]
    period = found.reading.period
    note = (
        f"the week: requests near each other agree on a revolution of {period.rotation_ms:.5f} ms "
        f"(strength {period.strength:.2f}, chance {period.chance:.2f})"
    )
    return rows, [note]
