"""A list of drives, each calibrated to a trace of its own, on an engine.

What is finished stays in a folder under the drive's name: the profile and what was found. The same
call goes on from there, and calibrates again only what is made of something else.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from platterlab import documents, library, manifest
from platterlab._core import InputError
from platterlab.output import write_text
from platterlab.sweeps import engine
from platterlab.sweeps.work import Call
from platterlab.wrong_file import in_file

Progress = Callable[[float], None]
"""Called with the share of drives that are done."""


class Listed(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One drive of the list: what `calibrate` is given."""

    profile: str
    """A drive of the library, or a file, from the list's folder on."""
    trace: str
    """With measured service times, likewise."""
    name: str | None = None
    """Of its files in the folder; the trace's own where this is not given."""
    format: str | None = None
    """Of the trace; told by its content."""
    options: dict[str, Any] = {}
    """What the trace does not say of itself, as `--trace-option` has it."""
    device: int = 0
    """Of the trace."""
    share: float = 0.5
    """Fit on this first part, judge on the rest."""
    rough: bool = False
    """Whether the profile is no more than a data sheet."""
    seed: int = 0
    """Of every random choice."""


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    drive: list[Listed]


@dataclass(frozen=True)
class Calibrations:
    """A finished list.

    Attributes:
        folder: where it is kept: of each drive `NAME.toml` and `NAME.json`.
        rows: of each drive its `name`, and what `calibrate --json` says of it.
        ran: how many this run added; the others were there.
    """

    folder: Path
    rows: list[dict[str, Any]]
    ran: int


def load(path: Path) -> dict[str, Call]:
    """The calibrations that a file asks for, by the drives' names.

    Raises:
        InputError: it cannot be read, a drive is there twice, or a profile or a trace is not there.
    """
    try:
        document = tomllib.loads(documents.text(path))
        listed = msgspec.convert(document, _File).drive
    except tomllib.TOMLDecodeError as error:
        raise in_file(path, f"is no TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise in_file(path, documents.told(error)) from error
    names = [one.name or Path(one.trace).stem for one in listed]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise in_file(path, f"two drives are named `{twice[0]}`; give each a `name` of its own")
    if wrong := [name for name in names if Path(name).name != name or name.startswith(".")]:
        raise in_file(path, f"`{wrong[0]}` is no name of a file; give the drive another `name`")
    try:
        calls = [_call(one, path.parent) for one in listed]
    except InputError as error:
        raise in_file(path, str(error)) from error
    return dict(zip(names, calls, strict=True))


def _call(one: Listed, home: Path) -> Call:
    if not 0.05 <= one.share <= 1:
        raise InputError(f"share = {one.share:g}; from 0.05 to 1")
    trace = (home / one.trace).absolute()
    documents.require_file(trace, "trace")
    profile = one.profile
    if profile not in library.drives():
        profile = str((home / profile).absolute())
    library.load(profile)
    made_by = manifest.of([("profile", profile), ("trace", str(trace))])["inputs"]
    told = {**msgspec.structs.asdict(one), "profile": profile, "trace": str(trace)}
    told["trace_format"] = told.pop("format")
    del told["name"]
    return Call("calibration", {**told, "inputs": made_by})


def line(
    *,
    profile: str,
    trace: str,
    trace_format: str | None,
    inputs: Sequence[Mapping[str, Any]],
    **settings: Any,
) -> dict[str, Any]:
    """Calibrates one: what `calibrate --json` says, and the profile's text. What an engine calls.

    Raises:
        InputError: a file is another one here, or the trace does not tell of such a drive.
    """
    from platterlab.calibration import procedure
    from platterlab.calibration.job import Job
    from platterlab.calibration.outcome import findings
    from platterlab.calibration.profile_file import profile_text

    asked = {"inputs": list(inputs)}
    manifest.require_same(asked)
    job = Job(
        trace=Path(trace), profile=library.load(profile), trace_format=trace_format, **settings
    )
    made_by = job.made_by(profile)
    found = procedure.calibrate(job, lambda _what, _share: None)
    told = findings(found).to_json()
    manifest.require_same(asked)
    return {"text": profile_text(found, Path(trace).name), "told": {**told, "manifest": made_by}}


def run(
    calls: Mapping[str, Call],
    out: Path,
    *,
    workers: int | None = None,
    dask: str | None = None,
    progress: Progress = lambda _share: None,
) -> Calibrations:
    """Calibrates what the folder has not.

    Args:
        calls: by the drives' names, from `load`.
        out: the folder, made if there is none.
        workers: processes at a time; None for one per processor.
        dask: a scheduler's address, or `local`; None for no cluster.
        progress: hears how far it is.

    Raises:
        InputError: something is wrong with the folder or a drive. What is finished is kept.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise in_file(out, "is a file; --out has to be a folder") from error
    found = {name: told for name, call in calls.items() if (told := _kept(out, name, call))}
    ran = len(calls) - len(found)
    names: dict[str, list[str]] = {}
    for name, call in calls.items():
        if name not in found:
            names.setdefault(call.name, []).append(name)
    left = {call.name: call for name, call in calls.items() if name not in found}

    def done(call: Call, told: str, _where: str) -> None:
        answer = json.loads(told)
        for name in names[call.name]:
            found[name] = answer["told"]
            write_text(out / f"{name}.toml", answer["text"])
            # Last: it says that all of it is there.
            kept = {"work": call.name, **answer["told"]}
            write_text(out / f"{name}.json", json.dumps(kept, indent=1) + "\n")
        progress(len(found) / len(calls))

    engine.run(list(left.values()), done, workers=workers, dask=dask)
    return Calibrations(out, [{"name": name, **found[name]} for name in calls], ran)


def _kept(out: Path, name: str, call: Call) -> dict[str, Any] | None:
    """What is there of a drive, if it was made by the same call."""
    path = out / f"{name}.json"
    if not path.is_file() or not (out / f"{name}.toml").is_file():
        return None
    try:
        told = documents.as_dict(documents.contents(path), path)
    except InputError:
        return None
    return told if told.pop("work", None) == call.name else None
