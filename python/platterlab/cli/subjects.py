"""Subjects of a simulation, and the options that mean something with each."""

from collections.abc import Mapping
from pathlib import Path

from platterlab._core import InputError

_EXPERIMENT, _DISKSIM = "an experiment", "--disksim"
_PROFILE, _FLOW = "--profile", "a process flow"
_QUEUED = "--profile with --scheduler"
_SYSTEMS = (_EXPERIMENT, _DISKSIM, _FLOW, _QUEUED)
# What each option is for, and where else its meaning is to be stated.
_MEANT = {
    "--trace": ((_PROFILE, _DISKSIM, _QUEUED), "name it in the file, as the `file` of a workload"),
    "--format": ((_PROFILE, _DISKSIM, _QUEUED), "write `format` in the trace's workload"),
    "--timing": ((_PROFILE, _QUEUED), "write `timing` in the trace's workload"),
    "--device": ((_PROFILE,), "write `map` in the trace's workload"),
    "--warm-up": ((_PROFILE, _QUEUED), "write `stop.warm_up_requests`"),
    "--track-phase": ((_PROFILE,), "a whole system has no one platter to follow"),
    "--columns": ((_PROFILE, _QUEUED), "write `columns` in the trace's workload"),
    "--trace-option": ((_PROFILE,), "convert the trace first, with `platterlab trace convert`"),
    "--beyond": ((_PROFILE, _EXPERIMENT, _DISKSIM, _QUEUED), "its requests lie on its own disk"),
    "--from": ((_PROFILE,), "convert the trace first, with `platterlab trace convert`"),
    "--for": ((_PROFILE,), "convert the trace first, with `platterlab trace convert`"),
    "--report": (_SYSTEMS, "`platterlab report` draws --per-request rows"),
    "--requests": (_SYSTEMS, "--per-request has a row for each"),
    "--timeline": (_SYSTEMS, "one drive serves one request after the other"),
    "--replications": (_SYSTEMS, "a trace is replayed once for each --seed"),
    "--threads": (_SYSTEMS, "a trace is replayed on one"),
    "--vary": ((_EXPERIMENT, _DISKSIM), "write an experiment with it in its workload"),
    "--table": ((_EXPERIMENT, _DISKSIM), "it has a row for each point of --vary"),
    "--scheduler": ((_FLOW, _QUEUED), "write --set host.scheduler.kind=WORD"),
    "--critical": ((_FLOW,), "of a trace nobody waits; an experiment has `host.critical`"),
    "--model": ((_FLOW,), "write `model` in the workload"),
}


def subject_of(
    experiment: Path | None,
    disksim: Path | None,
    profile: str | None,
    flow: Path | None,
    *,
    queued: bool,
) -> str:
    """The one thing that is to be simulated.

    Raises:
        InputError: there is none, or more than one.
    """
    if flow is not None and disksim is None:
        return _FLOW
    if queued:
        return _QUEUED
    subjects = {_EXPERIMENT: experiment, _DISKSIM: disksim, _PROFILE: profile}
    chosen = [subject for subject, given in subjects.items() if given is not None]
    if len(chosen) != 1:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    return chosen[0]


def check_meant(subject: str, given: Mapping[str, object]) -> None:
    """Whether every option that is given means something.

    Raises:
        InputError: an option means nothing with `subject`, and what would be right.
    """
    for option, value in given.items():
        meant, instead = _MEANT[option]
        if value is not None and subject not in meant:
            what = " and ".join(meant)
            raise InputError(f"{option} is for {what}, and means nothing with {subject}: {instead}")
