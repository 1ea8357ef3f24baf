"""A simulated drive as a block device, in real time: started, watched, ended, its rows kept."""

import errno
import math
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from platterlab import documents, library, loop_device, manifest, output, results, serve_control
from platterlab._core import Experiment, InputError, Profile, Served
from platterlab.answers import ServeReport
from platterlab.documents import Json

WORDS = ("memory", "pattern")
"""Stores that are not files."""
_LOOK_S = 0.1
"""Between two looks at the server."""


@dataclass(frozen=True)
class Service:
    """A drive to serve, and how.

    Attributes:
        drive: a drive of the library, the path of a profile, or that of an experiment.
        store: `memory`, `pattern` (every 8 bytes hold where they are; read-only), or a file.
        socket: where clients come.
        port: or a port of this machine that no other reaches, 0 for any; or an address and a port.
        folder: where the drive is a file, by FUSE.
        loop: whether a loop device is made of that file.
        ublk: whether it is a block device of this kernel.
        size: bytes, `128k` and the like; the drive's.
        speed: how much faster than the host's time the drive's passes; None for as fast as can be.
        scheduler: the order in which the drive serves what it has taken.
        depth: commands that the drive takes at a time.
        seed: of every random choice.
        volume: the name of the experiment's volume; it can be left out where there is one.
        real_time: whether to ask the host for what a thread needs to be on time.
        rows: a .parquet or .csv file for a row per request; None for none.
        overrides: dotted keys of the profile and the values to use instead.
        faults: a file of faults; None for a drive without any.
        power_cut_s: when the power is cut, in seconds of the drive's own time; None for never.
        control: a socket for `serve_control.ask`.
        metrics: a port of this machine where figures are for Prometheus; 0 for any.
    """

    drive: str
    store: str
    socket: Path | None = None
    port: str | None = None
    folder: Path | None = None
    loop: bool = False
    ublk: bool = False
    size: str | None = None
    speed: float | None = 1.0
    scheduler: str = "fcfs"
    depth: int = 1
    seed: int = 0
    volume: str | None = None
    real_time: bool = True
    rows: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    faults: Path | None = None
    power_cut_s: float | None = None
    control: Path | None = None
    metrics: int | None = None

    @property
    def power_cuts(self) -> bool:
        """Whether the power may be cut: at a time, or by whoever has the control."""
        cuts = self.power_cut_s is not None or self.control is not None
        return cuts and not self.is_system

    @property
    def is_system(self) -> bool:
        """Whether it is a volume of an experiment's system, and no drive by itself."""
        return _experiment(self.drive) is not None

    @property
    def file(self) -> Path | None:
        """Path of the data; None where that is not a file."""
        return None if self.store in WORDS else Path(self.store)

    @property
    def reads(self) -> list[Path | None]:
        """The files that say what is served."""
        return [library.file_of(self.drive), self.faults]


def _experiment(target: str) -> Json | None:
    """The tables of an experiment's file; None where it says nothing of what is asked of a system.

    So it is with a profile, and with what cannot be read: whoever reads it as a profile says why.
    """
    path = library.file_of(target)
    if path is None or not path.is_file():
        return None
    try:
        tables = tomllib.loads(documents.contents(path).decode())
    except (InputError, ValueError):
        return None
    return tables if "workload" in tables else None


def _subject(service: Service) -> Profile | Experiment:
    tables = _experiment(service.drive)
    if tables is None:
        return library.load(service.drive, service.overrides)
    for option, given in (
        ("--faults", service.faults), ("--power-cut", service.power_cut_s),
        ("--rows", service.rows), ("--scheduler", service.scheduler != Service.scheduler or None),
        ("--depth", service.depth != Service.depth or None), ("--seed", service.seed or None),
    ):  # fmt: skip
        if given is not None:
            raise InputError(
                f"{option}: is for a drive by itself; {service.drive} is an experiment"
            )
    return Experiment.load(service.drive, {**_an_end(tables, service), **service.overrides})


def _an_end(tables: Json, service: Service) -> Json:
    """An end for a simulation whose file has none: a system that is served ends when it is told to.

    Its workload is not run, so that no request of a client stops at it.
    """
    stop = tables.get("stop", {})
    if not isinstance(stop, dict):
        # Whoever reads the experiment says what is wrong with it.
        return {}
    ends = {"requests", "time_s", "precision_percent"}
    named = {key.removeprefix("stop.") for key in service.overrides} | set(stop)
    return {} if ends & named else {"stop.time_s": 1.0}


def _require_places(service: Service) -> None:
    """That what is to be made there, or mounted there, can be.

    Raises:
        InputError: the store has no name or no folder, or is an input; the drive is to be mounted
            on what is not an empty folder, or to be a loop device of no file.
    """
    if not service.store:
        raise InputError("--store: name a file, or write memory or pattern")
    if service.file is not None:
        output.require_apart("--store", service.file, service.reads)
        if reason := _no_folder(service.file.parent):
            raise InputError(f"--store {service.file}: {reason}")
    if service.loop and service.folder is None:
        raise InputError("--loop: is made of the file that --fuse FOLDER has; name a folder")
    if service.folder is not None and (reason := _not_to_mount_at(service.folder)):
        raise InputError(
            f"--fuse {service.folder}: the drive's file cannot be mounted there: {reason}"
        )


def _not_to_mount_at(folder: Path) -> str | None:
    """Why nothing is to be mounted at a place, and what to do; None where it can be.

    Of a file the system would make a file system, at whose `disk` nobody could ever look; what
    is in a folder would not be seen meanwhile.
    """
    try:
        if reason := _no_folder(folder):
            return reason
        held = next(folder.iterdir(), None)
    except OSError as error:
        if error.errno == errno.ENOTCONN:
            # What a server that died left there; the core takes it away.
            return None
        raise
    if held is None:
        return None
    return f"it holds {held.name}, which would be hidden; name an empty folder"


def _no_folder(path: Path) -> str | None:
    """Why a path is not a folder, and what to do; None for one."""
    if path.is_dir():
        return None
    if path.exists():
        return f"{path} is not a folder; name another place"
    return f"there is no folder {path}; make it (mkdir -p), or name another place"


def start(service: Service) -> Served:
    """Serves it from now on.

    Raises:
        InputError: a drive, a store, a socket, a folder, a size, a speed or faults that cannot be.
    """
    _require_places(service)
    return Served(
        _subject(service),
        store=service.store,
        socket=service.socket,
        port=service.port,
        folder=service.folder,
        ublk=service.ublk,
        size=service.size,
        speed=math.inf if service.speed is None else service.speed,
        scheduler=service.scheduler,
        depth=service.depth,
        seed=service.seed,
        volume=service.volume,
        real_time=service.real_time,
        keep_rows=service.rows is not None,
        faults=None if service.faults is None else faults_in(service.faults),
        power_cuts=service.power_cuts,
        power_cut_s=service.power_cut_s,
    )


def faults_in(path: Path) -> tuple[str, str]:
    """A file of faults as the core takes it: its name and its text.

    Raises:
        InputError: there is no such file, it is not a regular one, too large or not UTF-8.
    """
    return str(path), documents.text(path)


def made_by(service: Service) -> Json:
    """What the answers depend on, beside what clients asked for.

    Raises:
        InputError: a drive or faults that cannot be.
    """
    subject, faults = _subject(service), []
    if service.faults is not None:
        faults_in(service.faults)
        faults = [("faults", str(service.faults))]
    kind = "experiment" if service.is_system else "profile"
    drives = subject.inputs if isinstance(subject, Experiment) else []
    how: Json = {"volume": service.volume}
    if not service.is_system:
        # Of a system they are its file's.
        how = {"scheduler": service.scheduler, "depth": service.depth, "seed": service.seed,
               "power_cut_s": service.power_cut_s}  # fmt: skip
    return manifest.of(
        [(kind, service.drive), *drives, *faults], store=service.store, speed=service.speed,
        overrides=dict(service.overrides), **how,
    )  # fmt: skip


class Ended(NamedTuple):
    """Result of serving.

    Attributes:
        report: the server's.
        rows_error: why there is no file of rows that was asked for; None where there is.
    """

    report: ServeReport
    rows_error: OSError | None


class _Rows:
    """The file of rows, for as long as it can be written: a drive is served on without it."""

    def __init__(self, service: Service, path: Path) -> None:
        self.error: OSError | None = None
        self._open = ExitStack()
        made = made_by(service)
        self._file = self._open.enter_context(results.writing(path, lambda: made))

    def take(self, served: Served) -> None:
        """Those that came since it was asked last."""
        if self.error is None:
            try:
                served.write(self._file)
            except OSError as error:
                self.error = error
                with suppress(OSError):
                    self._open.__exit__(type(error), error, error.__traceback__)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._open.__exit__(kind, error, trace)
        except OSError as found:
            if error is not None:
                raise
            self.error = found


def run(
    service: Service,
    told: Callable[[Served, Path | None, int | None], None],
    ended: Callable[[], bool],
) -> Ended:
    """Serves until it is to end, then answers what is in flight and reports.

    Args:
        service: what and how.
        told: called once clients can come, with the loop device and the port where figures are,
            if there are.
        ended: whether it is to end; asked again and again.

    Returns:
        How it went.

    Raises:
        InputError: as `start`.
        OSError: the file of rows cannot be begun, or the server ended by itself.
    """
    rows = None if service.rows is None else _Rows(service, service.rows)
    with ExitStack() as stack:
        if rows is not None:
            stack.enter_context(rows)
        served = start(service)
        stack.callback(served.stop)
        if service.control is not None:
            obeys = partial(
                serve_control.obey, served, [*service.reads, service.file, service.rows]
            )
            stack.enter_context(serve_control.listening(service.control, obeys))
        port = None
        if service.metrics is not None:
            figures = serve_control.metrics(service.metrics, lambda: {**served.report()})
            port = stack.enter_context(figures)
        # Let go while somebody still answers what it has not written.
        with _loop(service, served) as device:
            told(served, device, port)
            while served.serves() and not ended():
                if rows is not None:
                    rows.take(served)
                time.sleep(_LOOK_S)
        served.stop()
        if rows is not None:
            rows.take(served)
        report = served.report()
    return Ended(report, None if rows is None else rows.error)


def _loop(service: Service, served: Served) -> AbstractContextManager[Path | None]:
    if not service.loop:
        return nullcontext()
    return loop_device.attached(Path(str(served.file)))


def speed_of(text: str, named: str = "--speed") -> float | None:
    """A speed in the form of the command line: how many times the host's, or `max`.

    Args:
        text: what was written.
        named: how it is called in messages.

    Raises:
        InputError: it is neither.
    """
    if text == "max":
        return None
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if not math.isfinite(factor):
        raise InputError(f"{named} {text}: write a number, as 1 or 0.1, or max")
    return factor


_UNITS_S = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """A time in the form of the command line: 500ms, 30s, 2m or 1h.

    Raises:
        InputError: it is none.
    """
    for unit, seconds in _UNITS_S.items():
        if text.endswith(unit) and text[: -len(unit)].replace(".", "", 1).isdecimal():
            return float(text[: -len(unit)]) * seconds
    raise InputError(f"--power-cut {text}: write a time, as 500ms, 30s, 2m or 1h")
