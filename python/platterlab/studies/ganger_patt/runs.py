"""A task run three ways: under its computer, and its requests alone, open and closed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from platterlab._core import Profile, Requests, storage_run, task_run
from platterlab.answers import ClassReport, HostReport, LimitReport, Report
from platterlab.known import known

_CLASSES = {
    "critical": "time-critical",
    "limited": "time-limited",
    "noncritical": "time-noncritical",
}


@dataclass(frozen=True)
class Run:
    """What a computer and its storage did with a task.

    Attributes:
        host: the computer's figures, see `HostReport`.
        storage: the storage's, see `Report`.
        requests: what it asked of the storage, with the times of the asking.
    """

    host: HostReport
    storage: Report
    requests: Requests

    @property
    def elapsed_s(self) -> float:
        """From the task's beginning to its end."""
        return known(self.host["task_elapsed_ms"]) / 1e3

    @property
    def response_ms(self) -> float:
        """Mean over all requests."""
        return known(self.storage["response_ms"])["mean_ms"]

    @property
    def service_ms(self) -> float:
        """Mean at the drive."""
        return known(self.storage["commands"]["service"])["mean_ms"]

    @property
    def wait_s(self) -> float:
        """The task's waits for storage."""
        return float(self.host["task_wait_ms"]) / 1e3

    @property
    def limits(self) -> LimitReport:
        """How time limits were kept."""
        return known(self.host["limits"])

    @property
    def hits_pct(self) -> float:
        """Requests that the drive's buffer answered."""
        cache = {part["name"]: part["requests"] for part in self.storage["commands"]["cache"]}
        hits, served = float(cache["hit"]), float(sum(cache.values()))
        return 100.0 * hits / served

    @property
    def seek_cylinders(self) -> float:
        """Mean distance of the arm's moves."""
        return float(self.storage["commands"]["mean_seek_distance_cylinders"])

    @property
    def seek_ms(self) -> float:
        """Mean time of the arm's moves, of all requests."""
        return float(self.storage["devices"][0]["mean_seek_ms"])

    @property
    def last_done_s(self) -> float:
        """When the last request is done, the background's included: as the syncer looks, in s."""
        return float(self.storage["elapsed_ms"]) / 1e3

    @property
    def rate_per_s(self) -> float:
        """Requests in a second of the whole run."""
        return len(self.requests) / self.last_done_s

    @property
    def utilization_pct(self) -> float:
        """How busy the CPU was until the task's end."""
        busy = self.time_s("process_ms") + self.time_s("other_ms")
        return 100.0 * busy / self.elapsed_s

    @property
    def mean_wait_ms(self) -> float:
        """Of a process for storage."""
        return float(self.host["wait_ms"]) / float(self.host["waits"])

    @property
    def aborted(self) -> float:
        """Writes right after a read from the buffer, whose read-ahead they break off."""
        return float(self.storage["devices"][0]["writes_after_hits"])

    @property
    def population(self) -> int:
        """Requests outstanding on the average (section 6.1), at least 1."""
        outstanding = self.response_ms / 1e3 * self.rate_per_s
        return max(1, round(outstanding))

    def time_s(self, part: Literal["process_ms", "other_ms", "false_idle_ms"]) -> float:
        """A part of the CPU's time during the task."""
        return known(self.host["task_times"])[part] / 1e3

    def class_ms(self, which: str, figure: Literal["mean_ms", "max_ms"] = "mean_ms") -> float:
        """Mean or greatest response of a class: critical, limited or noncritical."""
        found = self._class(which)["response_ms"]
        return found[figure] if found else 0.0

    def class_requests(self, which: str) -> int:
        """Requests of a class."""
        return int(self._class(which)["requests"])

    def class_pct(self, which: str) -> float:
        """The share of a class among all requests."""
        return 100.0 * self.class_requests(which) / len(self.requests)

    def _class(self, which: str) -> ClassReport:
        name = _CLASSES[which]
        return next(one for one in self.host["classes"] if one["class"] == name)


def system(
    profile: Profile,
    task: str,
    seed: int,
    scheduler: str,
    *,
    two_lists: bool = False,
    settings: dict[str, float] | None = None,
    path: Path | None = None,
    observed: Path | None = None,
) -> Run:
    """The system-level model; with `path`, of the flow there; `observed` gets its trace."""
    told, requests = task_run(
        task,
        profile,
        seed=seed,
        scheduler=scheduler,
        two_lists=two_lists,
        settings=settings or {},
        path=path,
        observed=observed,
    )
    return Run(told["host"], told["storage"], requests)


def open_ms(profile: Profile, run: Run, scheduler: str, scale: float = 1.0) -> float:
    """The open model: the requests of a run at the times they came then; the mean response.

    They come `scale` times as fast.
    """
    told = storage_run(run.requests, profile, scheduler=scheduler, time_scale=1.0 / scale)
    return _response_ms(told)


def closed_ms(profile: Profile, run: Run, scheduler: str, population: int) -> float:
    """The closed model: `population` of a run's requests are outstanding at any time."""
    return _response_ms(
        storage_run(run.requests, profile, scheduler=scheduler, population=population)
    )


def _response_ms(told: Report) -> float:
    return known(told["response_ms"])["mean_ms"]
