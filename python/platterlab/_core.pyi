"""The Rust core as Python sees it. Times are in milliseconds, addresses in sectors."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Agreement",
    "InputError",
    "Profile",
    "Replay",
    "Requests",
    "demerit_ms",
    "error_figures",
    "library",
    "profile_schema",
    "row_labels",
    "trace_convert",
    "trace_detect",
    "trace_formats",
    "trace_info",
    "version_info",
]

class InputError(ValueError):
    """A bad file, key or argument. Its text names the place and says what would be right."""

def version_info() -> dict[str, str]:
    """`version`, and `build`: release or debug."""

def library() -> list[tuple[str, str, str]]:
    """The drives that come with the program: name, path in the source tree, text."""

def profile_schema() -> str:
    """The JSON schema of a drive profile."""

def row_labels() -> dict[str, list[str]]:
    """What the codes in the columns `operation` and `cache` of `Replay.next` mean."""

def trace_formats() -> list[str]:
    """The names of the trace formats that can be read."""

def trace_detect(path: str) -> str:
    """The format of a trace, told by its first bytes. Raises InputError when none fits."""

def trace_info(path: str, format: str | None = None, options: dict[str, Any] | None = None) -> str:
    """What a trace holds, as JSON."""

def trace_convert(
    source: str,
    source_format: str | None,
    target: str,
    target_format: str,
    options: dict[str, Any] | None = None,
) -> str:
    """Writes a trace in another format; the file appears whole or not at all.

    JSON: how many requests, what the new format could not hold, and what the reader skipped.
    Raises InputError when either file or a request is wrong.
    """

def demerit_ms(simulated: NDArray[np.float64], measured: NDArray[np.float64]) -> float:
    """Ruemmler and Wilkes' demerit; with unequal numbers of times, by quantiles.

    Raises InputError when one of the two is empty or holds something other than numbers.
    """

def error_figures(simulated: NDArray[np.float64], measured: NDArray[np.float64]) -> str:
    """The demerit and the errors of single requests, as JSON. Raises InputError as above."""

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

        Raises InputError when a time is no number or the three differ in length.
        """

    def figures(self) -> str | None:
        """`all`, `reads` and `writes` as `error_figures` gives them, as JSON; None if empty.

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

    def with_overrides(self, overrides: dict[str, Any]) -> Profile:
        """The same drive with some keys set: `{"seek.kind": "linear"}`. Raises InputError."""

    def to_toml(self) -> str:
        """The profile as a file."""

    def to_json(self) -> str:
        """Every value, where it came from, and the facts that follow from it."""

@final
class Requests:
    """Requests in memory for one device, to be replayed many times."""

    @staticmethod
    def load(
        path: str,
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

    def __len__(self) -> int: ...
    def part(self, first: int, last: int) -> Requests:
        """The requests from `first` to before `last`."""

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
class Replay:
    """One drive serving one trace, a chunk of requests at a time, in constant memory."""

    def __new__(
        cls,
        profile: Profile,
        trace: str,
        format: str | None = None,
        *,
        timing: str = "open",
        device: int | None = None,
        seed: int = 0,
        warm_up: int = 0,
        track_phase: bool = False,
        options: dict[str, Any] | None = None,
    ) -> Replay: ...
    def next(self, rows: int) -> dict[str, NDArray[Any]] | None:
        """Simulates up to `rows` more requests; None at the end. Raises InputError."""

    def summary(self) -> str:
        """What happened so far, as JSON."""

    def progress(self) -> float:
        """The share of the trace that has been read, from 0 to 1."""
