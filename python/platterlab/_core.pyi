"""The Rust core as Python sees it. Times are in milliseconds, addresses in sectors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from platterlab.answers import (
    AgreementSummary,
    AlignAccount,
    AvReport,
    Choices,
    Conversion,
    DeviceLeft,
    ErrorFigures,
    Extraction,
    FlowInfo,
    FlowSummary,
    FormatFacts,
    JobReport,
    JournalLeft,
    JournalRepair,
    MeasuredDevice,
    PlannedProbe,
    ProfileAnswer,
    Ran,
    Report,
    ServeReport,
    Summary,
    TraceInfo,
    TrackMap,
    WriteDryRun,
)

__all__ = [
    "Agreement",
    "CacheLine",
    "Experiment",
    "InputError",
    "Job",
    "Measurement",
    "MirrorCopy",
    "Profile",
    "Replay",
    "Requests",
    "RowsFile",
    "Served",
    "ShiftPaths",
    "SlipPaths",
    "Stepper",
    "Timeline",
    "WaitingRequest",
    "align",
    "answer_schema",
    "av_run",
    "capture_convert",
    "crowding",
    "demerit_ms",
    "disksim_export",
    "disksim_import",
    "edge_penalties",
    "error_figures",
    "examples",
    "experiment_schema",
    "faults_schema",
    "first_lba",
    "flow_info",
    "flow_scheduler",
    "is_flow",
    "library",
    "next_track_ms",
    "normal_equations",
    "outcomes",
    "positioning_ms",
    "profile_id",
    "profile_schema",
    "row_columns",
    "row_labels",
    "runs",
    "service_parts",
    "smooth_later",
    "spared_places",
    "storage_run",
    "task_run",
    "task_write",
    "trace_convert",
    "trace_detect",
    "trace_device",
    "trace_format_facts",
    "trace_formats",
    "trace_info",
    "track_orders",
    "tracks",
    "unit_numbers",
    "version_info",
    "write_dry_run",
    "write_left",
    "write_repair",
]

class InputError(ValueError):
    """A bad file, key or argument. Its text names the place and says what would be right.

    `file`, `line` and `key` are the place, as far as there is one; else None.
    """

    file: str | None
    line: int | None
    key: str | None

def answer_schema() -> str:
    """The JSON schema of every answer, by the name of its type; not in a release's core."""

def version_info() -> dict[str, str]:
    """`version`, and `build`: release or debug."""

def library() -> list[tuple[str, str, str]]:
    """The drives that come with the program: name, path in the source tree, text."""

def profile_id(name: str) -> str:
    """A name as the id of a profile; empty if it has no words."""

def profile_schema() -> str:
    """The JSON schema of a drive profile."""

def disksim_import(
    path: str, disk: str | None, overrides: list[tuple[str, float]], approximate: bool
) -> tuple[Profile, list[str], list[str]]:
    """The drive of a DiskSim parameter file, the parameters not honoured, and notes.

    `overrides` replaces numbers of the drive's block by parameter, as DiskSim's command line does.
    Raises InputError for a wrong file and, unless `approximate`, for parameters not honoured.
    """

def disksim_export(profile: Profile, stem: str) -> list[tuple[str, str]]:
    """A profile as DiskSim files called after `stem`: names and texts, the drive's file first.

    Raises InputError naming every value that DiskSim has no parameter for.
    """

def row_labels() -> dict[str, list[str]]:
    """Words for the codes in the columns `operation` and `cache` of `Replay.next`."""

def service_parts() -> list[str]:
    """The parts of a service time, in the order in which they pass."""

def row_columns() -> tuple[list[tuple[str, str, str, str]], list[tuple[str, str, str, str]]]:
    """The columns of rows of commands and of requests: name, type, unit, and what each is.

    A type is Arrow's name of it, or `labels` for one of a few words.
    """

def trace_formats() -> list[str]:
    """The names of the trace formats that can be read."""

def trace_format_facts() -> list[FormatFacts]:
    """The declaration of each trace format: name, title, columns, what it does not record."""

def trace_detect(path: str | Path) -> str:
    """The format of a trace, recognized by its first bytes. Raises InputError when none fits."""

def trace_info(
    path: str | Path, format: str | None = None, options: dict[str, Any] | None = None
) -> TraceInfo:
    """The contents of a trace."""

def trace_device(
    path: str | Path, name: str, format: str | None = None, options: dict[str, Any] | None = None
) -> int:
    """The number of the device that a trace calls by this name. Raises InputError."""

def capture_convert(folder: str | Path, page_bytes: int, out: str | Path) -> FlowSummary:
    """Makes a process flow of a raw capture; its totals. Raises InputError."""

def is_flow(path: str | Path) -> bool:
    """Whether a file is a process flow. Raises InputError where it cannot be read."""

def flow_scheduler(path: str | Path) -> str:
    """The scheduler that a process flow was captured under, from its header."""

def flow_info(path: str | Path) -> FlowInfo | None:
    """The contents of a process flow; None for another file. Raises InputError."""

def task_run(
    task: str,
    profile: Profile,
    *,
    seed: int,
    scheduler: str,
    two_lists: bool = False,
    settings: dict[str, float] | None = None,
    path: Path | None = None,
    observed: Path | None = None,
) -> tuple[Ran, Requests]:
    """Runs a published task on its computer over a drive; what both did, and the requests.

    `scheduler` is the driver's, by LBN; with `two_lists` what processes wait for goes first.
    `settings` may have `speed`, `interrupt_ms`, `wake_up_ms` and `context_switch_ms`; with `path`
    the flow is read from there; what a tracer would see of the run goes to `observed`, as a flow.
    Raises InputError.
    """

def task_write(task: str, path: Path, *, seed: int) -> None:
    """Writes a published task as a process flow. Raises InputError."""

def storage_run(
    requests: Requests,
    profile: Profile,
    *,
    scheduler: str,
    two_lists: bool = False,
    population: int | None = None,
    time_scale: float = 1.0,
) -> Report:
    """Runs requests on a drive behind a driver's queue; what it did.

    Open, arrivals times `time_scale`; closed with a `population` that is always outstanding
    (Ganger-Patt 1998, section 6.1). Raises InputError.
    """

def trace_convert(
    source: str | Path,
    source_format: str | None,
    target: str | Path,
    shown: str | Path,
    target_format: str,
    options: dict[str, Any] | None = None,
) -> Conversion:
    """Writes a trace in another format to `target`, which `shown` stands for in messages.

    How many requests, what the new format could not hold, and what the reader skipped.
    Raises InputError when the trace or a request is wrong, OSError when `target` cannot be written.
    """

def demerit_ms(simulated: NDArray[np.float64], measured: NDArray[np.float64]) -> float:
    """Ruemmler and Wilkes' demerit; with unequal numbers of times, by quantiles.

    Raises InputError when one of the two is empty or holds something other than numbers.
    """

def error_figures(simulated: NDArray[np.float64], measured: NDArray[np.float64]) -> ErrorFigures:
    """The demerit and the errors of single requests. Raises InputError as above."""

@final
class Agreement:
    """Simulated against measured service times of any number of requests, in constant memory."""

    def __new__(cls) -> Agreement: ...
    def add(
        self,
        simulated: NDArray[np.float64],
        measured: NDArray[np.float64],
        operation: NDArray[np.uint8],
    ) -> None:
        """Adds requests, each with two times in milliseconds and a code of its operation.

        Raises InputError when a time is not a number or the three differ in length.
        """

    def figures(self) -> AgreementSummary | None:
        """`all`, `reads` and `writes` as `error_figures` gives them; None if empty.

        `exact` is false beyond half a million requests: the demerit and the quantiles of the error
        then come from bins of 0.025 %.
        """

@final
class Profile:
    """A drive: what its profile file says, checked."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def capacity_sectors(self) -> int: ...
    @property
    def sector_bytes(self) -> int: ...
    @staticmethod
    def parse(text: str, path: str) -> Profile:
        """Reads a profile; `path` names it in errors. Raises InputError."""

    @staticmethod
    def draft(values: dict[str, Any], origins: dict[str, Any], path: str) -> Profile:
        """A profile of the tables of its file, and the origins of values by dotted key.

        An origin is an entry of `provenance`; `path` names the file in errors. Raises InputError.
        """

    @staticmethod
    def faults(text: str, path: str) -> list[str]:
        """Everything that is wrong with a profile, as far as it can be found at once."""

    def faults_with(self, overrides: dict[str, Any]) -> list[str]:
        """Everything that is wrong with these overrides."""

    def with_overrides(
        self, overrides: dict[str, Any], origins: dict[str, dict[str, Any]] | None = None
    ) -> Profile:
        """The same drive with some keys set: `{"seek.kind": "linear"}`.

        `origins` says for each of them where it comes from, as an entry of `provenance` does;
        without it they are assumed. Raises InputError.
        """

    def stated(self) -> dict[str, Any]:
        """Statements of the file, overrides and origins included."""

    def to_toml(self) -> str:
        """The profile as a file."""

    def facts(self) -> ProfileAnswer:
        """Every value, where it came from, and the facts that follow from it."""

@final
class Requests:
    """Requests in memory for one device, to be replayed many times."""

    @staticmethod
    def load(
        path: str | Path,
        format: str | None = None,
        *,
        device: int = 0,
        options: dict[str, Any] | None = None,
    ) -> Requests:
        """The requests of a trace for one device, by issue. Raises InputError."""

    @staticmethod
    def generate(
        profile: Profile,
        requests: int,
        *,
        read_share: float,
        sequential_share: float,
        local_share: float,
        local_distance_sectors: int,
        mean_sectors: float,
        max_sectors: int,
        align_sectors: int,
        think_ms: float,
        seed: int,
    ) -> Requests:
        """A seeded mixture of requests over a whole drive. Raises InputError."""

    @staticmethod
    def reads(profile: Profile, places: list[tuple[int, int]]) -> Requests:
        """Reads of given first sectors and lengths, each begun when the one before is done."""

    @staticmethod
    def given(
        lba: NDArray[np.uint64],
        sectors: NDArray[np.uint32],
        operation: NDArray[np.uint8],
        arrival_ms: NDArray[np.float64],
        queued_ms: NDArray[np.float64],
        service_ms: NDArray[np.float64],
        think_ms: NDArray[np.float64],
        *,
        sector_bytes: int,
        shown: str,
    ) -> Requests:
        """Requests of given columns, as `columns` gives them; `shown` stands for them in messages.

        Raises InputError for a row that cannot be.
        """

    @property
    def sector_bytes(self) -> int:
        """Bytes of a sector: the unit of addresses and lengths."""

    def __len__(self) -> int: ...
    def part(self, first: int, last: int) -> Requests:
        """The requests from `first` to before `last`."""

    @staticmethod
    def unpickled(records: bytes, sector_bytes: int, path: str) -> Requests:
        """Those that were pickled. Raises InputError for other bytes."""

    def on(self, profile: Profile) -> Requests:
        """The same in the drive's sectors. Raises InputError: it does not take them all."""

    def columns(self) -> dict[str, NDArray[Any]]:
        """What the trace says of each request.

        They are lba, sectors, operation (0 read, 1 write), arrival_ms, queued_ms, service_ms and
        think_ms. A time that the trace does not know is not a number.
        """

    def replay(
        self, profile: Profile, *, timing: str, seed: int = 0, track_phase: bool = False
    ) -> dict[str, NDArray[Any]]:
        """A row each, as the columns of `Replay.next`; refused requests have none."""

    def service_ms(
        self,
        profiles: list[Profile],
        *,
        timing: str,
        seed: int = 0,
        track_phase: bool = False,
    ) -> list[NDArray[np.float64]]:
        """Service times under several profiles, in parallel; the same bits as one by one."""

@final
class RowsFile:
    """A file of rows that is being written, on a thread of its own while the next rows are made."""

    def __new__(
        cls,
        path: str | Path,
        kind: str,
        *,
        requests: bool = False,
    ) -> RowsFile:
        """Begins it.

        Args:
            path: where.
            kind: `parquet` or `csv`.
            requests: whether its rows are requests to volumes rather than commands at drives.

        Raises:
            InputError: there is no such kind.
            OSError: it cannot be written.
        """

    def finish(self, metadata: dict[str, str]) -> None:
        """Waits until everything is written. Raises OSError if it cannot be.

        Args:
            metadata: text for a Parquet file apart from its rows.
        """

@final
class Replay:
    """One drive serving one trace, a chunk of requests at a time, in constant memory.

    Or requests that are in memory already.
    """

    def __new__(
        cls,
        profile: Profile,
        trace: str | Path,
        format: str | None = None,
        *,
        timing: str = "open",
        device: int | None = None,
        seed: int = 0,
        warm_up: int = 0,
        track_phase: bool = False,
        options: dict[str, Any] | None = None,
        beyond: str = "stop",
    ) -> Replay: ...
    @staticmethod
    def of(
        profile: Profile,
        requests: Requests,
        *,
        timing: str = "open",
        seed: int = 0,
        warm_up: int = 0,
        track_phase: bool = False,
        beyond: str = "stop",
    ) -> Replay:
        """Of requests in memory. Raises InputError."""

    def next(
        self, rows: int, progress: Callable[[float], object] | None = None
    ) -> dict[str, NDArray[Any]] | None:
        """Simulates up to `rows` more requests; None at the end. Raises InputError.

        `progress` hears the share that is done; what it raises ends the work, as Ctrl-C does.
        """

    def advance(self, rows: int, progress: Callable[[float], object] | None = None) -> int:
        """As `next`, where nobody looks at the rows: how many there were. Raises InputError."""

    def write(self, file: RowsFile, rows: int) -> int:
        """As `next`, into a file of commands: how many there were.

        Raises:
            InputError: the trace is wrong.
            OSError: the file cannot be written.
        """

    def agreement(self) -> AgreementSummary | None:
        """Against the times that the trace has, so far and without the warm-up; None without."""

    def summary(self) -> Summary:
        """What happened so far."""

    @property
    def wrapped(self) -> int:
        """Number of requests that were given another place on the drive."""

    @property
    def measures(self) -> str:
        """What the measured times of the trace are: `service` or `response`."""

    def progress(self) -> float:
        """The share of the trace that has been read, from 0 to 1."""

def examples() -> list[tuple[str, str]]:
    """The experiments that come with the program: name and text, by name."""

def faults_schema() -> str:
    """The JSON schema of a file of faults for a drive that is served."""

def experiment_schema() -> str:
    """The JSON schema of the experiment file."""

@final
class Experiment:
    """A storage subsystem and what is asked of it, checked."""

    @staticmethod
    def load(path: str | Path, overrides: dict[str, Any]) -> Experiment:
        """Reads an experiment file, with other values at some dotted keys. Raises InputError."""

    @staticmethod
    def parse(text: str, shown: str, folder: str | Path, overrides: dict[str, Any]) -> Experiment:
        """Reads the text of an experiment; `shown` stands for the file in messages.

        Profiles and flows are looked for in `folder`. Raises InputError.
        """

    @staticmethod
    def draft(
        values: dict[str, Any], shown: str, folder: str | Path, overrides: dict[str, Any]
    ) -> Experiment:
        """The same of the tables of the file. Raises InputError."""

    @staticmethod
    def disksim(
        path: str | Path,
        trace: str | None = None,
        format: str | None = None,
        seed: int | None = None,
        replications: int = 1,
        overrides: list[tuple[str, str, float | str]] = ...,
    ) -> Experiment:
        """Reads DiskSim's parameters of a whole system. Raises InputError.

        With a trace, its requests replace those of the file's generators. Overrides are component,
        parameter and number, as on DiskSim's command line.
        """

    @property
    def name(self) -> str | None: ...
    @property
    def drives(self) -> list[str]:
        """Their names, by the number in which rows and reports have them."""

    @property
    def inputs(self) -> list[tuple[str, str]]:
        """Profiles, traces and flows that it names.

        What each is for, and its path or, of a profile, its name in the library.
        """

    @property
    def seed(self) -> int:
        """Of the first replication."""

    @property
    def notes(self) -> list[str]:
        """What a reader should know of an import."""

    @property
    def files(self) -> list[Path]:
        """The profiles, traces and flows that it reads."""

    def with_classes(
        self,
        *,
        scheduler: Callable[[], object] | None = None,
        replacement: Callable[[], object] | None = None,
        workload: Callable[[], object] | None = None,
        read_choice: Callable[[], object] | None = None,
    ) -> Experiment:
        """The same with these classes in place of what it says.

        The run raises InputError once an object of theirs does what it may not.
        """

    def with_beyond(self, rule: str) -> Experiment:
        """The same with `stop`, `skip` or `wrap` for requests that do not lie on their volume."""

    @property
    def streams(self) -> list[str]:
        """The name of each workload, by its number in rows and reports."""

    @property
    def volumes(self) -> list[str]:
        """Their names, by the number in which rows have them."""

    def timeline(self, path: str | Path) -> Timeline:
        """Begins a timeline of its drives and volumes in a file. Raises OSError."""

    @property
    def replications(self) -> int: ...
    def saturated(self) -> list[tuple[str, float]]:
        """Drives that open workloads ask too much of, and their loads, by an estimate."""

    def choices(
        self,
        arrival_ms: NDArray[np.float64],
        completion_ms: NDArray[np.float64],
        lba: NDArray[np.uint64],
        sectors: NDArray[np.uint32],
        reads: NDArray[np.bool_],
    ) -> Choices:
        """Share of the driver's choices that are another simulator's, too.

        The queue is the other's at each of its dispatches. A completion of nan is of a request that
        was never done.
        """

    def memory(self, threads: int) -> tuple[int, str]:
        """Bytes that a number of replications at a time take, by an estimate, and of what."""

    def start(self, threads: int, rows: bool) -> Job:
        """Starts the replications; with `rows`, those of the first are kept to be taken."""

@final
class Job:
    """The replications of an experiment at work."""

    def progress(self) -> tuple[float, int]:
        """The share that is done, from 0 to 1, and the requests served."""

    @property
    def done(self) -> bool: ...
    def stop(self) -> None:
        """Breaks off; what has been learnt is kept."""

    def rows(
        self, patience_ms: int
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]] | None:
        """The next rows of commands and requests; empty if there are none yet, None at the end."""

    def write(
        self,
        patience_ms: int,
        commands: RowsFile | None = None,
        requests: RowsFile | None = None,
        timeline: Timeline | None = None,
    ) -> bool:
        """The next rows into files; False where there will be no more.

        Raises OSError for a file that cannot be written.
        """

    def finish(self) -> JobReport:
        """Waits for the end and gives the figures. Raises InputError for a bad trace."""

@final
class Timeline:
    """A file that Perfetto opens, being written."""

    def finish(self) -> None:
        """Ends it. Raises OSError."""

@final
class Measurement:
    """A drive being measured: what to ask next, asking it, and what the answers mean."""

    @staticmethod
    def simulated(
        profile: Profile,
        *,
        noise: str = "typical",
        seed: int = 0,
        writes: bool = True,
        whole: bool = True,
        faults: dict[str, Any] | None = None,
        tracks: str | None = None,
        host: dict[str, float] | None = None,
        time_s: float | None = None,
    ) -> Measurement:
        """A simulated drive behind a host that is `typical` or costs nothing (`off`).

        `host` sets parts of that host by themselves: overhead_us, jitter_us, tail_share, tail_us,
        stall_share, clock_grain_us, interrupt_grain_us.
        `time_s` is the drive time that it may take, a survey of the tracks included; without it
        there is no survey.
        `faults`: bad_sectors, errors_from, short_at, gone_from, shrink. `tracks`, `every` or
        `fast`, maps tracks instead of measuring the drive. Raises InputError.
        """

    @staticmethod
    def linux(
        path: str,
        *,
        region: tuple[int, int] | None = None,
        whole: bool = True,
        tracks: str | None = None,
        time_s: float | None = None,
    ) -> Measurement:
        """A block device or file, read-only. Raises InputError."""

    @staticmethod
    def linux_for_writing(
        path: str,
        *,
        confirmation: str,
        region: tuple[int, int],
        journal_dir: str,
        even_if_open: bool = False,
        whole: bool = True,
        time_s: float | None = None,
    ) -> Measurement:
        """The same, to be written in `region` after every check; what is there is saved first.

        Raises InputError with everything that speaks against it, and the way out of each.
        """

    @staticmethod
    def recorded(info: str) -> Measurement:
        """A device that is not here; `info` is what `info` gave, as JSON. Raises InputError."""

    def info(self) -> MeasuredDevice:
        """Facts that are known beforehand."""

    def plan(self, rotation_ms: float = 8.333) -> PlannedProbe | None:
        """What to measure next and what it costs; None when there is no more."""

    def run(self, progress: Callable[[int, int, float], None] | None = None) -> dict[str, Any]:
        """Measures it: columns, and `end` (complete, cancelled, failed) with `error`.

        A complete run is taken in. A signal ends it early; its samples are returned. `progress`
        gets requests done, requests planned and ms of drive time; it must not use the measurement.
        """

    def mapped(self) -> tuple[int, int] | None:
        """Sectors done with and sectors there are, where tracks are mapped."""

    def feed(self, plan: str, columns: dict[str, NDArray[Any]]) -> None:
        """Takes in a complete run measured earlier. Raises InputError."""

    def extraction(self) -> Extraction:
        """Everything learnt so far, where a drive is measured."""

    def falsified(self, name: str, value: float) -> Extraction | None:
        """What the self-check leaves of the extraction with one value put wrong, to try that check.

        `name` is one of the extraction's values, `value` the wrong one, in its unit. `None` where
        that value is not sure.
        """

    def track_map(self) -> TrackMap:
        """Everything learnt so far, where tracks are mapped."""

    def finish(self) -> DeviceLeft:
        """Ends the use of the device; how it was left. Writes nothing.

        `changed` has the sectors that somebody else wrote meanwhile, `damaged` those of a write
        that failed or that cannot be read (first and number of each run), `journal` where their
        content is kept. Raises InputError.
        """

def write_dry_run(
    path: str,
    *,
    confirmation: str,
    region: tuple[int, int],
    journal_dir: str,
    even_if_open: bool = False,
) -> WriteDryRun:
    """What writing would do and what speaks against it; changes nothing."""

def write_left(path: str, *, journal_dir: str) -> list[JournalLeft]:
    """What runs that died left behind; changes nothing, opens no device but `path`."""

def write_repair(
    path: str, *, confirmation: str, journal_dir: str, even_if_open: bool = False
) -> list[JournalRepair]:
    """Writes back what runs that died had in flight on a device; what was done.

    Raises InputError with everything that speaks against it, and the way out of each.
    """

def align(
    profile: Profile, extent_bytes: int, model: int, most_per_track: int | None = None
) -> tuple[Profile, AlignAccount]:
    """The profile with tracks that hold whole extents, and what that cost.

    Raises InputError when an extent is not a whole number of sectors or does not fit a track.
    """

def track_orders() -> dict[str, bool]:
    """The orders of tracks by their words, and whether each seeks before it changes the head."""

def tracks(profile: Profile, lbas: list[int]) -> dict[str, NDArray[Any]]:
    """Places of addresses, as columns.

    They are cylinder, surface, sector, track_data_sectors, sectors_per_track, track_first_lba and
    angle_turns. Raises InputError beyond the capacity.
    """

def runs(
    profile: Profile, lbas: NDArray[np.uint64], sectors: NDArray[np.uint64]
) -> dict[str, NDArray[Any]]:
    """Requests cut into runs of sectors under one head, as columns.

    They are request, first (sectors of the request before the run), sectors, zone, cylinder,
    surface, sector, sectors_per_track, track (its number in the zone), cylinder_steps,
    serpentine_steps and angle_turns. Raises InputError beyond the capacity.
    """

def smooth_later(
    first: NDArray[np.float64], second: NDArray[np.float64], width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The later of two times with a transition of some width, and how far it is the second's."""

def unit_numbers(radians: NDArray[np.float64]) -> NDArray[np.complex128]:
    """The unit number at each of some angles: `np.exp(1j * radians)`, in less time."""

def crowding(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    slopes: NDArray[np.float64],
    edges: NDArray[np.float64],
) -> NDArray[np.float64]:
    """How crowded values less a slope times their weights are, for each of some slopes.

    The sum of the squares of how many fall between each two of the rising edges.
    """

def normal_equations(
    design: NDArray[np.float64],
    weights: NDArray[np.float64],
    observed: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The normal equations of a weighted least-squares fit most of whose design is nothing.

    The normal matrix, one row after the other, and what it times the unknowns is.

    Args:
        design: shape (rows, unknowns), in C order.
        weights: by row; rows without one are left out.
        observed: by row.
    """

def outcomes(
    requests: Requests,
    profile: Profile,
    *,
    timing: str,
    seed: int = 0,
    track_phase: bool = False,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Columns `cache` and `service_ms` of `Requests.replay`, in less time."""

def spared_places(
    lba: NDArray[np.int64],
    turns: NDArray[np.float64],
    shape: tuple[int, int, int],
    sectors: float,
    width: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Places of requests on a zone that has spare sectors at the end of each few cylinders.

    By how many turns each came after its sector, its head, and cylinders from the zone's first.
    Those beyond the zone are left out.

    Args:
        lba: of the requests, rising, from the zone's first sector.
        turns: where the platter was at each.
        shape: surfaces, sectors of a track and cylinders of the zone.
        sectors: spares, on average, of each `width` cylinders.
        width: cylinders that have them in common.
    """

@final
class ShiftPaths:
    """Requests in the order of their addresses, under each shift that never falls along them."""

    def __new__(
        cls,
        cells: NDArray[np.uint32],
        begins: NDArray[np.bool_],
        table: NDArray[np.float64],
        cost: NDArray[np.float64],
        step_cost: float,
    ) -> ShiftPaths:
        """What shifts go by.

        Args:
            cells: where in `table` each request is under each shift, a row a request.
            begins: whether no shift is left before a request of those of the requests before.
            table: how likely it is to be so late, as a logarithm; nothing beyond it.
            cost: of each shift.
            step_cost: of one that grows.
        """

    def likelihoods(
        self, before: NDArray[np.float64], angles: NDArray[np.uint32]
    ) -> NDArray[np.float64]:
        """How likely the likeliest shifts are under each angle, by which cells are moved.

        Args:
            before: how likely each shift is before the first request.
            angles: in cells.
        """

    def traced(
        self, before: NDArray[np.float64], angle: int
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
        """How likely each shift is at last under one angle, and from which each one came.

        The latter row by row.
        """

@final
class SlipPaths:
    """Requests in the order of their tracks, under each number of tracks skipped before them."""

    def __new__(
        cls,
        late: NDArray[np.float64],
        beside: NDArray[np.bool_],
        table: NDArray[np.float64],
        cost: NDArray[np.float64],
    ) -> SlipPaths:
        """What numbers of slips go by.

        Args:
            late: by how many turns each request is late under each number, a row a request.
            beside: whether a request is on the track of the one before.
            table: how likely it is to be so late, as a logarithm, for even parts of a revolution, a
                power of two of them.
            cost: of each number.
        """

    def likelihoods(self, angles: NDArray[np.float64]) -> NDArray[np.float64]:
        """How likely the likeliest numbers are under each angle of the first track, in turns."""

    def traced(self, angle: float) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
        """How likely each number is at last under one angle, and from which each one came.

        The latter row by row.
        """

def edge_penalties(
    times: NDArray[np.float64],
    ends: NDArray[np.float64],
    is_open: NDArray[np.bool_],
    length: float,
    width: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What each time is charged for not lying in the interval of some length up to its end.

    It rises smoothly, over some width, to a cap, after the end and before the start, which an open
    interval has none of. With by how much it grows with the time, and by how much that does.
    """

def first_lba(profile: Profile, cylinders: list[int]) -> list[int]:
    """The first address on each cylinder or, where it holds none, on the next that does."""

def next_track_ms(profile: Profile, lbas: list[int]) -> list[float]:
    """From the end of the data on the track of each address to the next track's first sector.

    Both are read in one go: this is the track switch time as a reader sees it.
    """

def positioning_ms(profile: Profile, pairs: list[tuple[int, int]]) -> list[float]:
    """Time to bring the arm from the one address's track onto the other's for a new read."""

def av_run(
    profile: Profile,
    sessions: list[tuple[int, int, int, bool, int]],
    *,
    period_ms: float | None,
    buffers: int,
    start_after: int,
    order: str,
    host_spread_ms: float,
    break_share: float,
    allocator: str,
    unit_sectors: int,
    indirect: str,
    seed: int,
) -> tuple[AvReport, dict[str, NDArray[Any]]]:
    """Serves streams in rounds: the report, and buffer levels as columns.

    Each stream is its first sector, the sectors of an I/O, how many I/Os, whether it records, and
    its bits per second. Raises InputError when a stream or an option cannot be.
    """

@final
class Served:
    """A drive of a profile that programs use as a block device, until it is stopped."""

    uri: str | None
    """Address for NBD clients."""
    file: str | None
    """The drive as a file, by FUSE."""
    device: str | None
    """The drive as a block device, by ublk."""
    bytes: int
    """Its size."""
    quickest_us: float | None
    """What the drive's quickest request takes, or nearly; None for a volume of a system."""

    def __new__(
        cls,
        subject: Profile | Experiment,
        *,
        store: str,
        socket: Path | None = None,
        port: str | None = None,
        folder: Path | None = None,
        ublk: bool = False,
        size: str | None = None,
        speed: float = 1.0,
        scheduler: str = "fcfs",
        depth: int = 1,
        seed: int = 0,
        volume: str | None = None,
        real_time: bool = True,
        keep_rows: bool = False,
        faults: tuple[str, str] | None = None,
        power_cuts: bool = False,
        power_cut_s: float | None = None,
    ) -> Served:
        """Serves it from now on.

        Args:
            subject: the drive, or the experiment of whose system a volume is served.
            store: where the data is: `memory`, `pattern`, or the name of a file.
            socket: where clients come.
            port: or this port of the loopback interface, 0 for any that is free; or an address
                and a port.
            folder: where the drive is a file, by FUSE.
            ublk: whether it is a block device of this kernel.
            size: bytes that are served, `128k` and the like; the drive's.
            speed: how much faster than the host's time the drive's passes; inf to wait for nothing.
            scheduler: the order in which the drive serves what it has taken.
            depth: commands that the drive takes at a time.
            seed: of every random choice.
            volume: the name of the experiment's; it can be left out where there is one.
            real_time: whether to ask the host for what a thread needs to be on time.
            keep_rows: whether a row of each request is kept for `rows`.
            faults: a file's name and its text; None for a drive without any.
            power_cuts: whether the power may be cut: the store then holds what is on the media, and
                what is not there yet is held in memory.
            power_cut_s: when it is cut, in seconds of the drive's own time.

        Raises:
            InputError: a store, a socket, a folder, a size, a volume or a speed that cannot be.
        """

    def serves(self) -> bool:
        """Whether it serves still."""

    def report(self) -> ServeReport:
        """Report of what was served, how late it was, and whether to trust it."""

    def rows(self) -> dict[str, NDArray[Any]] | None:
        """The rows since this was asked last; None where there are none."""

    def write(self, file: RowsFile) -> None:
        """The same into a file of commands. Raises OSError if it cannot be written."""

    def set_faults(self, faults: tuple[str, str] | None) -> None:
        """From now on a file's faults, of its name and text, are the drive's in place of its own.

        Raises:
            InputError: the text is not a file of faults, or one that the drive cannot have.
        """

    def set_speed(self, speed: float) -> None:
        """From now on the drive's time passes this many times as fast as the host's.

        Raises:
            InputError: it is not 0.001 to 1000000, nor inf.
        """

    def pause(self) -> None:
        """The drive's time stands still: requests come in, and none is answered."""

    def resume(self) -> None:
        """The drive's time continues."""

    def cut_power(self) -> None:
        """The power goes: what is not on the media is lost, nobody is answered, the server ends.

        Raises:
            InputError: it is not served with power cuts in view.
        """

    def snapshot(self, path: Path) -> None:
        """Copies the data, as clients see it, to a new file; the drive's time stands still.

        Raises:
            OSError: the file is there or cannot be written.
        """

    def stop(self) -> None:
        """Answers what is in flight and ends.

        Raises:
            OSError: what ended it before.
        """

@final
class Stepper:
    """A drive or a system on the caller's clock. Times are whole picoseconds since the start."""

    now_ps: int
    """The instant it has come to."""
    next_event_ps: int | None
    """Instant of the next event; None while nothing is to come."""
    in_flight: int
    """Requests that were handed in and are not over."""
    volumes: int
    """Their number."""
    sector_bytes: int
    """Bytes in a sector, of every volume."""

    @staticmethod
    def of_drive(profile: Profile, scheduler: str, seed: int) -> Stepper:
        """A drive behind a driver that gives it one command at a time, in the scheduler's order.

        Raises InputError: there is no such scheduler.
        """

    @staticmethod
    def of_system(experiment: Experiment, replication: int) -> Stepper:
        """The system of an experiment as it begins a replication, its workloads left out."""

    def copy(self) -> Stepper:
        """Another one in the same state."""

    def sectors(self, volume: int) -> int:
        """Those of a volume; 0 where there is none."""

    def submit(self, at_ps: int | None, volume: int, lba: int, sectors: int, writes: bool) -> int:
        """Hands a request in, which arrives now where no instant is given; its number.

        Raises InputError: the instant is past, or the request does not lie on its volume.
        """

    def advance(self, to_ps: int) -> list[tuple[int, int, int, bool]]:
        """Lets happen what is due up to an instant, that included, which is then the time.

        What is over since: number, arrival and completion in picoseconds, whether its data is lost.
        Raises InputError: the instant is past, or too many requests wait.
        """

    def estimate(self, volume: int, lba: int, sectors: int, writes: bool) -> int:
        """Completion of a request if it came now and nothing after it; nothing is done.

        Raises InputError: the request does not lie on its volume.
        """

    def report(self) -> Report:
        """The figures so far, those of a simulation."""

@final
class WaitingRequest:
    """A request that waits, as a scheduler in Python sees it."""

    lba: int
    """First sector on the drive."""
    sectors: int
    """Length in sectors."""
    operation: str
    """`read` or `write`."""
    arrival_ps: int
    """Arrival in this queue, in picoseconds."""
    number: int
    """Its number in the order of arrival."""
    cylinder: int
    """That of its first sector; 0 on a device without any."""

@final
class CacheLine:
    """A line of a cache, as a replacement policy in Python sees it."""

    device: int
    """The device, by its place in the system."""
    lba: int
    """Its first sector there."""
    entered: int
    """The count of all entries and uses of the cache when it entered."""
    used: int
    """The same when it was last used; at first, when it entered."""
    uses: int
    """Number of uses after it entered."""

@final
class MirrorCopy:
    """A copy that could be read, as a read choice in Python sees it."""

    device: int
    """The device, by its place in the system."""
    lba: int
    """First sector on the device."""
    sectors: int
    """Length in sectors."""
    outstanding: int
    """Commands that wait for the device or are under way in it."""
    seek_cylinders: int
    """Cylinders between its arm and the first sector."""
    positioning_ms: float
    """Time until the first sector could be read, were the device free."""
