"""The loop: ask what to measure next, measure it, keep the samples, until there is no more."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from platterlab import __version__, library, manifest, output
from platterlab._core import InputError, Measurement
from platterlab.answers import Extraction, MeasuredDevice, PlannedProbe, TrackMap
from platterlab.extras import need
from platterlab.measure import advice, environment, profile, samples, tracks
from platterlab.measure.bundle import (
    ENVIRONMENT,
    EXTRACTION,
    PROFILE,
    SAMPLES,
    TRACKS,
    Bundle,
)
from platterlab.measure.meter import Meter, Progress
from platterlab.measure.outcome import Job, MeasurementError, Outcome
from platterlab.measure.samples import COLUMNS, Run
from platterlab.measure.target import Target, require_size
from platterlab.wrong_file import in_file

LIKE = "ibm-ultrastar-xp"
"""A drive of average size: what it takes is the estimate for one that is not known yet."""
USUAL_ROTATION_MS = 60_000 / 7200


def estimate(wanted: Target) -> tuple[int, float]:
    """Requests and seconds of drive time of an average drive, which others may be far off."""
    average = Measurement.simulated(
        library.load(LIKE),
        noise="off",
        writes=wanted.writes,
        whole=not wanted.quick,
        tracks=wanted.tracks,
        time_s=wanted.time_s,
    )
    runs = measure_all(average)
    return sum(run.requests for run in runs), sum(run.drive_time_s for run in runs)


def measure_all(measurement: Measurement) -> list[Run]:
    """Measures until there is no more to learn, and keeps nothing on disk.

    Raises:
        MeasurementError: the device failed.
        KeyboardInterrupt: it was broken off.
    """
    runs: list[Run] = []
    while (shown := measurement.plan()) is not None:
        run = _run(measurement, shown, None)
        if run.end == "cancelled":
            raise KeyboardInterrupt
        if run.end == "failed":
            raise MeasurementError(str(run.error))
        runs.append(run)
    return runs


def characterize(job: Job, progress: Progress, expected_s: float = 0.0) -> Outcome:
    """Measures a target and leaves a bundle.

    Args:
        job: what to do.
        progress: called now and then.
        expected_s: of drive time, for the progress; 0 is unknown.

    Raises:
        InputError: the target or the folder is not what it has to be.
        MeasurementError: the device failed, or the samples could not be kept.
        KeyboardInterrupt: it was broken off; the samples so far are kept.
    """
    # Its report is drawn at the end, and nothing is to be lost then.
    need("charts", "tables")
    bundle = Bundle(job.out)
    try:
        measurement = job.target.open()
    except OSError as error:
        raise MeasurementError(str(error)) from error
    try:
        device = measurement.info()
        require_size(job.target.name, device)
        kept = _begin(bundle, job, device)
        if job.target.kind == "recorded":
            runs = _replay(measurement, Bundle(Path(job.target.name)).runs())
        else:
            runs = list(_restored(measurement, job, kept))
            runs += _measured(measurement, bundle, len(runs), Meter(progress, expected_s, runs))
    except MeasurementError as error:
        said, _ = _close(measurement, job.target)
        raise MeasurementError("\n".join([str(error), *said])) from error
    except OSError as error:
        said, _ = _close(measurement, job.target)
        raise MeasurementError("\n".join([_kept(bundle, output.os_error(error)), *said])) from error
    except (InputError, KeyboardInterrupt):
        _close(measurement, job.target)
        raise
    said, whole = _close(measurement, job.target)
    if not whole:
        raise MeasurementError(_kept(bundle, "\n".join(said)))
    return _concluded(job, bundle, _found(measurement, device), runs, [*job.notes, *said])


def _begin(bundle: Bundle, job: Job, device: MeasuredDevice) -> list[Run]:
    options = job.target.options()
    inputs = manifest.of(job.target.inputs())["inputs"]
    if not job.resume or not bundle.is_begun:
        bundle.begin(environment.describe(device, options, job.target.inputs()))
        return []
    if bundle.is_complete:
        raise in_file(bundle.folder, "is complete; there is nothing to resume")
    begun = bundle.environment()
    now = environment.describe(device, options, job.target.inputs())
    stored, same = begun["options"], environment.is_same_disk(begun["device"], now["device"])
    if same is False:
        raise in_file(
            bundle.folder,
            "was begun on another device; attach that again, or measure this one "
            "anew with another --out",
        )
    for key, value in options.items():
        if key == "target" and same and job.target.kind == "device":
            continue  # a disk that came again may have another name
        if stored.get(key) != value:
            raise in_file(
                bundle.folder,
                f"was begun with {key} {stored.get(key)!r}, not {value!r}; "
                "resume with the same options",
            )
    if begun.get("inputs", inputs) != inputs:
        raise in_file(
            bundle.folder, f"was begun on another content of {job.target.name}; measure it anew"
        )
    if begun["device"]["capacity_sectors"] != device["capacity_sectors"]:
        raise in_file(bundle.folder, "was begun on a device of another size")
    return bundle.runs()


def _restored(measurement: Measurement, job: Job, kept: list[Run]) -> Iterator[Run]:
    """Takes the measurement to where it stopped.

    A simulated drive is run through the same requests again, so that it ends up in the same state;
    it gives the same answers.
    """
    for run in kept:
        shown = measurement.plan()
        if shown is None or shown["plan"] != run.plan:
            raise in_file(job.out, "was begun by another version; measure anew")
        if job.target.kind == "simulated":
            again = _run(measurement, shown, None)
            if samples.fingerprint([again]) != samples.fingerprint([run]):
                raise in_file(job.out, "is not of this drive; measure anew")
        else:
            measurement.feed(json.dumps(run.plan), dict(run.columns))
        yield run


def _measured(measurement: Measurement, bundle: Bundle, first: int, meter: Meter) -> Iterator[Run]:
    number = first
    # For how long a plan takes: the first that is known does.
    rotation_ms: float | None = None
    while (shown := measurement.plan(rotation_ms or USUAL_ROTATION_MS)) is not None:
        meter.begin(shown)
        mapped = measurement.mapped()
        meter.mapped(mapped)
        run = _run(measurement, shown, meter)
        try:
            bundle.add(number, run)
        except OSError as error:
            raise MeasurementError(_kept(bundle, output.os_error(error))) from error
        if run.end == "cancelled":
            raise KeyboardInterrupt
        if run.end == "failed":
            raise MeasurementError(_kept(bundle, str(run.error)))
        if mapped is None and rotation_ms is None:
            rotation_ms = measurement.extraction()["rotation_ms"]["value"]
        meter.end(run)
        number += 1
        yield run


def read_again(bundle: Bundle) -> Extraction | TrackMap:
    """What the samples of a bundle say to this version: its extraction, or its map of tracks.

    Raises:
        InputError: the bundle cannot be read.
    """
    device = bundle.environment()["device"]
    measurement = Measurement.recorded(json.dumps(device))
    _replay(measurement, bundle.runs())
    return _found(measurement, device)


def _found(measurement: Measurement, device: MeasuredDevice) -> Extraction | TrackMap:
    return measurement.track_map() if device.get("tracks") else measurement.extraction()


def _replay(measurement: Measurement, recorded: list[Run]) -> list[Run]:
    """Hands the runs of a recording in, each where it is asked for, as far as they go."""
    left = list(recorded)
    while left and (shown := measurement.plan()) is not None:
        plan = shown["plan"]
        same = [run for run in left if run.plan == plan]
        alike = same or [run for run in left if run.probe == plan["probe"]]
        if not alike:
            break
        left.remove(alike[0])
        measurement.feed(json.dumps(alike[0].plan), dict(alike[0].columns))
    return recorded


def _run(measurement: Measurement, shown: PlannedProbe, meter: Meter | None) -> Run:
    raw = measurement.run(meter)
    columns = {name: raw[name] for name in COLUMNS}
    return Run(dict(shown["plan"]), raw["end"], raw["error"], columns)


def _close(measurement: Measurement, of: Target) -> tuple[list[str], bool]:
    """Ends the use of the device.

    Returns what there is to say of how it was left, a sentence each, and whether no write failed.
    """
    try:
        left = measurement.finish()
    except OSError as error:
        return [str(error)], False
    said = []
    if changed := left["changed"]:
        said.append(
            f"{of.name}: {_listed(changed)} differ from what was read at the start: somebody else "
            "wrote there meanwhile, and it was left as it is"
        )
    damaged = left["damaged"]
    if damaged:
        said.append(
            f"{of.name}: {_listed(damaged)} may be damaged by a write that failed; what was there "
            f"is kept in {left['journal']}: run `platterlab characterize {of.name} --repair`"
        )
    return said, not damaged


def _listed(runs: list[list[int]]) -> str:
    """Runs of sectors as words: the first few, and how many in all."""
    named = ", ".join(f"{first} to {first + sectors - 1}" for first, sectors in runs[:4])
    return f"{sum(sectors for _, sectors in runs):,} sectors ({named}{', ...' * (len(runs) > 4)})"


def _kept(bundle: Bundle, what: str) -> str:
    """What went wrong, with how many samples are there to go on from."""
    if not bundle.folder.exists():
        return what
    try:
        runs, partial = bundle.runs(), bundle.unfinished_requests()
    except (InputError, OSError):
        runs, partial = [], 0
    requests = sum(run.requests for run in runs) + partial
    return (
        f"{what}\n{requests:,} samples are kept in {bundle.folder}; "
        "put that right and continue with --resume"
    )


def _concluded(
    job: Job, bundle: Bundle, found: Extraction | TrackMap, runs: list[Run], notes: list[str]
) -> Outcome:
    from platterlab.report import drive as drive_report
    from platterlab.report import tracks as tracks_report

    described = bundle.environment()
    device = described["device"]
    bundle_id = samples.fingerprint(runs)
    if "pieces" in found:
        status, warned = tracks.status(found), tracks.warnings(found, device)
        draw = partial(tracks_report.build, found)
    else:
        quick = not device["whole"]
        status = advice.status(found, quick=quick)
        warned = advice.warnings(found, device, quick=quick)
        draw = partial(drive_report.build, found)
    try:
        samples.write(bundle.path(SAMPLES), runs, environment.manifest(described))
        bundle.write_json(EXTRACTION, {"platterlab": __version__, **found, "warnings": warned})
        if "pieces" in found:
            bundle.write_text(TRACKS, tracks.as_csv(found))
        elif text := profile.draft(found, device, bundle_id, job.target.label):
            bundle.write_text(PROFILE, text)
        described["drive_time_s"] = sum(run.drive_time_s for run in runs)
        described["requests"] = sum(run.requests for run in runs)
        bundle.write_json(ENVIRONMENT, described)
        draw(bundle, bundle_id, status, warned)
        bundle.seal(bundle_id, status)
    except OSError as error:
        raise MeasurementError(_kept(bundle, output.os_error(error))) from error
    return Outcome(
        bundle, status, found, warned, described["requests"], described["drive_time_s"], notes
    )
