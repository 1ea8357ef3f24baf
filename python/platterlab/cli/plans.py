"""The experiment that a command line asks for, of each kind of file, and what made it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape

from platterlab import experiment as systems
from platterlab import library
from platterlab import manifest as manifests
from platterlab._core import Experiment, InputError, is_flow
from platterlab.cli.console import stderr
from platterlab.cli.experiment import Named
from platterlab.cli.experiment import overrides as disksim_overrides
from platterlab.documents import Json
from platterlab.wrong_file import in_file


@dataclass(frozen=True)
class Asked:
    """What a command line says of a system."""

    files: Mapping[str, Path | None]
    """Its `experiment`, `disksim` and `trace`, as far as they are given."""
    flow: Path | None
    profile: str | None
    words: dict[str, str | None]
    """`scheduler`, `critical`, `model`, and the trace's `format` and `columns`."""
    timing: str | None
    numbers: tuple[int | None, int | None, int | None]
    """Seed, replications and requests to leave out of the summary."""
    beyond: str | None

    def plan(self, changes: Json) -> tuple[Experiment, Json]:
        """The experiment with these values at its keys, and what made it."""
        self._check_said_once(changes)
        if self.flow is not None:
            made = of_flow(self.flow, self.profile, self.words, changes, self.numbers[:2])
        elif self.profile is not None:
            trace = self.files["trace"]
            made = of_trace(self.profile, trace, self.timing, self.words, changes, self.numbers)
        else:
            made = of_system(self.files, self.words["format"], changes, self.numbers[:2])
        return with_beyond(*made, self.beyond)

    def _check_said_once(self, changes: Mapping[str, Any]) -> None:
        """Whether no option says what a key says as well: one would win, unreported."""
        seed, replications, warm_up = self.numbers
        for option, given, key in (
            ("--seed", seed, "seed"), ("--replications", replications, "replications"),
            ("--warm-up", warm_up, "stop.warm_up_requests"),
            ("--scheduler", self.words["scheduler"], "host.scheduler.kind"),
            ("--critical", self.words["critical"], "host.critical.kind"),
            ("--model", self.words["model"], "workload[0].model.kind"),
            ("--beyond", self.beyond, "workload[0].beyond"),
        ):  # fmt: skip
            if given is not None and key in changes:
                raise InputError(f"{option} and {key} say the same; leave one of them out")

    @property
    def inputs(self) -> manifests.Inputs:
        """The files that a system is read from."""
        if self.flow is not None or self.profile is not None:
            return ()
        named = [(what, str(path)) for what, path in self.files.items() if path is not None]
        return [*named, *(("disksim", str(path)) for path in self._drawn_in)]

    def named(self) -> Named:
        """Its files, and what they are before one of them is read."""
        profile = None if self.profile is None else library.file_of(self.profile)
        return Named(self.inputs, self.reads, manifests.states([profile, *self.reads]))

    @property
    def reads(self) -> list[Path | None]:
        """The files that were named to the command."""
        return [self.flow, *self.files.values(), *self._drawn_in]

    @property
    def _drawn_in(self) -> list[Path]:
        disksim = self.files["disksim"]
        return [] if disksim is None else library.disksim_files(disksim)


def flow_in(path: Path | None, profile: str | None) -> Path | None:
    """The process flow that stands where an experiment could; None where it is none."""
    if path is None:
        return None
    if profile is not None and not path.is_file():
        raise in_file(path, "there is no such process flow for --profile to run")
    return path if path.suffix != ".toml" and path.is_file() and is_flow(path) else None


def of_flow(
    flow: Path,
    profile: str | None,
    chosen: dict[str, str | None],
    changes: Json,
    seeds: tuple[int | None, int | None],
) -> tuple[Experiment, Json]:
    """A process flow over a drive."""
    if profile is None:
        raise InputError("a process flow needs --profile, the drive it runs on")
    for key, value in zip(("seed", "replications"), seeds, strict=True):
        if value is not None:
            changes[key] = value
    scheduler, note = systems.scheduler_of(flow, chosen["scheduler"])
    plan = systems.of_flow(
        flow,
        profile,
        scheduler=scheduler,
        critical=chosen["critical"],
        model=chosen["model"] or "system",
        overrides=changes,
    )
    if note is not None:
        stderr().print(f"[yellow]note:[/] {escape(note)}")
    given = {name: word for name, word in chosen.items() if word is not None}
    named = {"flow": str(flow), "profile": profile, **given, "scheduler": scheduler}
    return plan, {**named, "overrides": changes}


def of_trace(
    profile: str,
    trace: Path | None,
    timing: str | None,
    chosen: dict[str, str | None],
    changes: Json,
    numbers: tuple[int | None, int | None, int | None],
) -> tuple[Experiment, Json]:
    """The requests of a trace in a driver's queue before a drive."""
    if trace is None:
        raise InputError("--profile needs --trace, the trace to replay")
    if timing not in (None, "open"):
        raise InputError(
            f"--timing {timing}: --scheduler chooses among requests that wait, and they wait where "
            "they come when they are recorded to: leave --timing out, or --scheduler"
        )
    keys = ("seed", "replications", "stop.warm_up_requests")
    changes |= {key: value for key, value in zip(keys, numbers, strict=True) if value is not None}
    plan = systems.of_trace(
        trace,
        profile,
        scheduler=chosen["scheduler"] or "fcfs",
        trace_format=chosen["format"],
        columns=chosen["columns"],
        overrides=changes,
    )
    given = {name: word for name, word in chosen.items() if word is not None}
    return plan, {"trace": str(trace), "profile": profile, **given, "overrides": changes}


def of_system(
    given: Mapping[str, Path | None],
    trace_format: str | None,
    changes: Json,
    chosen: tuple[int | None, int | None],
) -> tuple[Experiment, Json]:
    """A whole system of either kind of file, with seed and replications as chosen."""
    seed, replications = chosen
    experiment, disksim, trace = given["experiment"], given["disksim"], given["trace"]
    if disksim is not None:
        plan = systems.disksim(
            disksim,
            trace=trace,
            trace_format=trace_format,
            seed=seed,
            replications=replications or 1,
            overrides=disksim_overrides(changes),
        )
        return plan, {"disksim": str(disksim), "trace": str(trace), "overrides": changes}
    if experiment is None:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    if seed is not None:
        changes["seed"] = seed
    if replications is not None:
        changes["replications"] = replications
    manifest = {"experiment": str(experiment), "overrides": changes}
    return systems.load(experiment, changes), manifest


def with_beyond(plan: Experiment, manifest: Json, beyond: str | None) -> tuple[Experiment, Json]:
    """The same with what becomes of requests beyond the end of a drive, where that was said."""
    if beyond is None:
        return plan, manifest
    return plan.with_beyond(beyond), {**manifest, "beyond": beyond}
