"""What the core answers: the types of its documents, and so of what `--json` prints.

Written by docs/generate.py from the core itself; do not edit. Times are in the unit that a key ends
in; a key that may be missing is `NotRequired`, and `None` is what is not known.
"""
# ruff: noqa: D205 - first sentences may be long

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

@final
class AgreementSummary(TypedDict):
    """The figures of an agreement."""

    # All requests.
    all: ErrorFigures
    # Reads; `None` if there are none.
    reads: ErrorFigures | None
    # Writes; `None` if there are none.
    writes: ErrorFigures | None

@final
class AlignAccount(TypedDict):
    """What extent-aligned tracks cost a drive."""

    capacity_before_sectors: int
    capacity_lost_pct: float
    capacity_sectors: int
    spares_gained_sectors: int
    zones: list[AlignZoneAccount]

class AlignZoneAccount(TypedDict):
    """The same of a zone."""

    cylinders: list[int]
    data_sectors: int
    data_sectors_before: int
    extents_per_track: int
    media_rate_before_mib_s: float
    media_rate_mib_s: float
    sequential_before_mib_s: float
    sequential_mib_s: float
    spare_sectors: int
    # Where surfaces differ.
    surface: int | None

@final
class AvReport(TypedDict):
    """What came of a run."""

    # Commands the drive served.
    commands: int
    # Length of the run.
    elapsed_ms: float
    # Time in which neither drive nor host was busy with an I/O.
    idle_ms: float
    # I/Os served.
    ios: int
    # Rounds that began late because the one before was not over.
    late_rounds: int
    # Cylinders crossed per command, on average.
    mean_seek_cylinders: float
    # Times from the issue of an I/O to its last byte.
    response: DistributionSummary | None
    # Times from the start of a round to its last byte.
    round: DistributionSummary | None
    # Rounds served.
    rounds: int
    # Commands that moved the arm.
    seeks: int
    # Session by session.
    sessions: list[AvSessionReport]
    # I/Os that took more than one command.
    split_ios: int

class AvSessionReport(TypedDict):
    """What came of one session."""

    # The least time by which an I/O came before it was needed.
    least_slack_ms: float | None
    # The most that was in its buffer, in bytes.
    most_buffered_bytes: float
    # Times from the issue of an I/O to its last byte.
    response: DistributionSummary | None
    # How long it stood still in all.
    stalled_ms: float
    # From the start of the run until it played; 0 for a recording.
    start_up_ms: float | None
    # Times it ran out of data, or of room to record into.
    underruns: int

# The values from `from` up to, but not including, `below`.
Bin = TypedDict(
    "Bin",
    {
        # Upper bound.
        "below": "float",
        # Values in between.
        "count": "int",
        # Lower bound.
        "from": "float",
    },
)

class BusReport(TypedDict):
    """The figures of one bus."""

    # Times when nobody had it, each until somebody did; `None` alike.
    idle_ms: DistributionSummary | None
    # Share of the time it was taken; above 1 where interleaved transfers share it.
    utilisation: float
    # From asking for it to having it; `None` where nothing did, or where transfers share it.
    wait_ms: DistributionSummary | None
    # Transfers that had to wait for it.
    waited: int

class CacheReport(TypedDict):
    """What a controller's cache did."""

    # Commands too long for the cache.
    bypassed: int
    # Sectors that are dirty still.
    dirty_sectors: int
    # Sectors that were dirty and were written to their devices.
    flushed_sectors: int
    # Sectors that were dirty and lost, with the memory's power or with their device.
    lost_sectors: int
    # Those of which everything was there.
    read_hits: int
    # Reads that went through the cache.
    reads: int
    # From the driver until the host heard that they are done.
    response_ms: DistributionSummary | None
    # From the driver to the controller: how long the host's commands waited in the driver's
    # queue and for whatever is before the controller. Of all of the run, as all figures of a
    # cache.
    wait_ms: DistributionSummary | None
    # Those for which something had to be read first.
    write_fetches: int
    # Writes that went through the cache.
    writes: int

class CacheSettings(TypedDict):
    """The file cache."""

    # Share of memory that may be dirty before daemons begin to write, in percent.
    dirty_background_percent: float
    # Share of memory that may be dirty before writers wait, in percent.
    dirty_percent: float
    # The largest read-ahead window, in pages; 1 reads page N+1 when N is read.
    read_ahead_pages: int

@final
class Choices(TypedDict):
    """How often the driver of a plan picks the same request."""

    # Different after a write that may still be on its way to the media.
    after_write: int
    # Different, but no sooner under the head than the other's by a tenth of a millisecond.
    as_near: int
    # Different, and either one is in the drive's cache.
    cached: int
    # Of these, with several to choose from.
    choices: int
    # Requests that were dispatched.
    dispatches: int
    # Different for none of these reasons.
    other: int
    # Of these, where ours is the same.
    same: int
    # Different, at the same address.
    same_address: int

class ClassFigures(TypedDict):
    """The figures of a class of criticality."""

    # How many took how long.
    histograms: Counts
    # Mean rotational latency.
    mean_rotation_ms: float
    # Mean distance of the arm's moves, those of zero included.
    mean_seek_distance_cylinders: float
    # Mean seek, head switches included.
    mean_seek_ms: float
    # Mean media transfer.
    mean_transfer_ms: float
    # The class.
    name: str
    # Of commands, from the driver until their device began.
    queue_ms: DistributionSummary | None
    # Of requests, from arrival to completion.
    response_ms: DistributionSummary | None
    # Of commands, from there to the end.
    service_ms: DistributionSummary | None

class ClassInfo(TypedDict):
    """Requests of one class."""

    # Issue to completion, in the mean.
    access_mean_ms: float
    # From arrival to that instant, in the mean.
    limit_mean_ms: float
    # Share of these that had ended by then.
    limit_met_share: float
    # Of these reads.
    reads: int
    # How many.
    requests: int
    # The longest.
    response_max_ms: float
    # Arrival to completion, in the mean.
    response_mean_ms: float
    # Their length.
    sectors: int
    # The device's own time in the mean, if it serves one request after the other: from issue,
    # or from the end before it where that is later.
    service_mean_ms: float
    # Requests that processes waited for.
    waited_for: int
    # How long processes waited for them.
    waited_ms: float
    # Requests that a process needed at a known instant.
    with_limit: int

# Figures of the requests of one class.
ClassReport = TypedDict(
    "ClassReport",
    {
        # The class.
        "class": "str",
        # Its requests.
        "requests": "int",
        # From issue to completion.
        "response_ms": "DistributionSummary | None",
    },
)

# What a conversion did.
Conversion = TypedDict(
    "Conversion",
    {
        "from": "str",
        # Requests that lost something, by what they lost.
        "losses": "dict[str, int]",
        # What the reader skipped, by reason.
        "notes": "dict[str, int]",
        "requests": "int",
        "to": "str",
    },
)

class Count(TypedDict):
    """A number of requests under a word."""

    # The word.
    name: str
    # How many.
    requests: int

class Counts(TypedDict):
    """Counts by time, in the bins of [`super::Histograms::from_ms`]."""

    # Commands by time in the queue.
    queue: list[int]
    # Requests by response time.
    response: list[int]
    # Commands by service time.
    service: list[int]

class CpuTimes(TypedDict):
    """Where the time of all CPUs went."""

    # Idle while a process waited for storage.
    false_idle_ms: float
    # Idle otherwise.
    idle_ms: float
    # Interrupts, context switches and daemons.
    other_ms: float
    # Computing for processes.
    process_ms: float

class CriticalityInfo(TypedDict):
    """Requests by who waits for them."""

    # A process waits.
    critical: int
    # A process will wait unless the request ends in time.
    limited: int
    # Nothing waits.
    noncritical: int
    # The trace does not say.
    unknown: int

class DerivedFigures(TypedDict):
    """What follows from the values."""

    capacity_bytes: int
    capacity_sectors: int
    cylinders: int
    mean_rotational_latency_ms: float
    media_rate_mib_s: list[float]
    read_seek_full_stroke_ms: float
    read_seek_single_cylinder_ms: float
    read_seek_third_of_stroke_ms: float
    rotation_ms: float
    surfaces: int
    write_seek_first_to_last_sector_ms: float
    write_seek_single_cylinder_ms: float

class DeviceCounts(TypedDict):
    """How long the commands of a device took."""

    # Its place in the system.
    device: int
    # Commands by time in the queue.
    queue: list[int]
    # Requests by response time.
    response: list[int]
    # Commands by service time.
    service: list[int]

class DeviceFacts(TypedDict):
    """The block device."""

    # The file system on it.
    file_system: str
    # The longest request, in sectors.
    max_request_sectors: int
    # The scheduler of its queue.
    scheduler: str
    # Bytes of a sector.
    sector_bytes: int
    # Its size, in sectors.
    sectors: int

class DeviceInfo(TypedDict):
    """One device of a trace."""

    # Its number in the trace.
    device: int
    # The last sector any of them touches.
    last_sector: int
    # Its name, where the trace has names: numbers are then given as they come.
    name: str | None
    # How many of them read.
    reads: int
    # Requests to it.
    requests: int
    # Share of them that start where the previous one ended, 0 to 1.
    sequential_share: float

@final
class DeviceLeft(TypedDict):
    """How a device was left."""

    changed: list[list[int]]
    damaged: list[list[int]]
    journal: str | None

class DeviceOverTime(TypedDict):
    """One device over time."""

    # Its place in the system.
    device: int
    # Commands waiting for it.
    queue: list[float]
    # Share of the time it was at work.
    utilisation: list[float]

class DeviceReport(TypedDict):
    """The figures of one device, over the whole run."""

    # Commands that began where the one before them ended.
    continued: int
    # Times with nothing to do between commands.
    idle: TimesReport
    # Commands that began where one of the seven before that ended: another stream came between.
    interrupted: int
    # The most that waited.
    longest_queue: int
    # Commands waiting for it, on the average.
    mean_queue_length: float
    # Mean rotational latency.
    mean_rotation_ms: float
    # Mean distance of the arm's moves, those of zero included.
    mean_seek_distance_cylinders: float
    # Mean seek, head switches included.
    mean_seek_ms: float
    # Mean media transfer.
    mean_transfer_ms: float
    # The part of that in the device's own queue, of the commands that found it at work; `None`
    # if none did.
    own_queue: TimesReport | None
    # From the driver until it began.
    queue: TimesReport
    # Of its commands, from the driver to the end.
    response: TimesReport
    # Commands served.
    served: int
    # From when it began to the end.
    service: TimesReport
    # Share of the time it was at work.
    utilisation: float
    # Writes right after a read from the cache: each breaks off the read-ahead the hit had
    # begun.
    writes_after_hits: int

class Disagreement(TypedDict):
    """A value that the simulation contradicts."""

    # What did not come out.
    note: str
    # The value's name.
    value: str

class Distribution(TypedDict):
    """How one quantity is distributed; the unit is in the name of the key that holds it.

    Count, extremes, mean and deviation are exact; quantiles are within [`QUANTILE_RELATIVE_ERROR`].
    """

    # How many values.
    count: int
    # How many values lie in each range that has any; ranges are bounded by powers of two.
    histogram: list[Bin]
    # The largest.
    max: float
    # The mean.
    mean: float
    # The smallest.
    min: float
    # Half of the values are at or below it.
    p50: float
    # 90 % of them.
    p90: float
    # 95 % of them.
    p95: float
    # 99 % of them.
    p99: float
    # The standard deviation of the sample (n - 1); of one value none is known.
    sd: float | None

class DistributionSummary(TypedDict):
    """The figures of a distribution."""

    # Values.
    count: int
    # Largest.
    max_ms: float
    # Mean.
    mean_ms: float
    # Smallest.
    min_ms: float
    # Median.
    p50_ms: float
    # 90th percentile.
    p90_ms: float
    # 95th percentile.
    p95_ms: float
    # 99.9th percentile.
    p999_ms: float
    # 99th percentile.
    p99_ms: float
    # Standard deviation of the sample (n - 1); of one value none is known.
    sd_ms: float | None

class DriveModel(TypedDict):
    """The drive that the self-check simulated: where its sectors lie, and how well it is known."""

    # Angles between two sectors anywhere on the drive that were measured.
    angles: int
    # How many of them the model has, to within what the host scatters.
    angles_right: int
    # What another head of the same cylinder adds to a read; none where no read tells it.
    head_switch_ms: float | None
    # Seek time of reads over distance in cylinders; distances rise.
    seeks: list[SeekPoint]
    # A read where the head rests on the track, without latency and transfer.
    still_ms: float | None
    # Recording surfaces; one where they are not known.
    surfaces: int
    # What the movements of the arm that were timed by writes have more than those of reads;
    # none where they were timed by reads, or nothing was timed by both.
    write_settle_ms: float | None
    # Zones, outermost first; together they hold every address.
    zones: list[ModelZone]

class ErrorFigures(TypedDict):
    """Errors of single requests: simulated minus measured service time."""

    # See [`demerit_ms`].
    demerit_ms: float
    # The demerit in percent of the measured mean.
    demerit_percent: float
    # Whether all figures are exact; see [`Agreement`](crate::Agreement) for what is not.
    exact: bool
    # Mean of the measured times.
    measured_mean_ms: float
    # Median of the absolute error.
    median_abs_error_ms: float
    # 95th percentile of the absolute error.
    p95_abs_error_ms: float
    # Requests compared.
    requests: int
    # Root mean square error.
    rmse_ms: float
    # Mean of the simulated times.
    simulated_mean_ms: float
    # Share of requests at most 0.1 ms off.
    within_100_us: float
    # Share of requests at most 1 ms off.
    within_1_ms: float
    # Share of requests at most 0.25 ms off.
    within_250_us: float
    # Share of requests at most 0.5 ms off.
    within_500_us: float

class Estimate(TypedDict):
    """One extracted quantity."""

    # Where the true value lies with 95 % probability; equal bounds for an exact count.
    ci95: list[float] | None
    # What it was read off from.
    method: str
    # What a reader should know; empty where all is well.
    note: str
    # Whether it can be used.
    status: Status
    # The value, in the unit its name ends in; none where it would be a guess.
    value: float | None

@final
class Extraction(TypedDict):
    """Everything read off the samples of one drive.

    The papers call the skews "head switch time" and "cylinder switch time".
    """

    # A request for a physical sector that is just about to pass: MTM and its transfer.
    access_ms: Estimate
    # Curves through it, best first.
    bandwidth_fits: list[Fit]
    # Whether a cache answered some of the requests in place of the platter.
    cached: bool
    # Turn of logical sector zero from cylinder to cylinder (the papers' cylinder switch time).
    cylinder_skew_ms: Estimate
    # What going to the next cylinder adds to a read on the same track.
    cylinder_switch_ms: Estimate
    # What switching heads adds to a read on the same track.
    head_switch_ms: Estimate
    # Bandwidth of the last zone.
    inner_mib_s: Estimate
    # Standard deviation of completions around their place in the revolution.
    jitter_ms: Estimate
    # In which order addresses go over the tracks, as far as a survey of them shows it.
    layout: LayoutGuess | None
    # Turns that each sequential read loses; none where it is not turns that they lose.
    lost_turns: float | None
    # The drive that was simulated; none where too little is known of it.
    model: DriveModel | None
    # Minimum time to media (MTM): `access_ms` less that sector's transfer.
    mtm_ms: Estimate
    # Bandwidth of the first zone.
    outer_mib_s: Estimate
    # A request answered from the drive's cache: host, interface and controller.
    overhead_ms: Estimate
    # What the geometry of the first zone says that bandwidth should be.
    predicted_outer_mib_s: Estimate
    # Bandwidth over position.
    rates: list[Rate]
    # One revolution, in milliseconds.
    rotation_ms: Estimate
    # One logical sector's pass under the head.
    sector_ms: Estimate
    # Sectors per track where SKIPPY ran.
    sectors_per_track: Estimate
    # Curves through it: against cylinders, where they are known, and against sectors.
    seek_fits: list[SeekFit]
    # The most of the seek curve.
    seek_max_ms: Estimate
    # The least of the seek curve: all that the next cylinder adds to a read on the same track.
    # What a controller, or a head that stays, saves there is in it.
    seek_min_ms: Estimate
    # By how much a seek is longer or shorter, each time another one, at most; none where none
    # is seen to be.
    seek_scatter_ms: Estimate | None
    # Seek time over distance, MTM removed.
    seeks: list[SeekPoint]
    # How a simulation of all this compares with what was measured.
    self_check: SelfCheck
    # The same from the slope of SKIPPY's lines alone, not rounded, as the paper has it.
    skippy_sectors_per_track: Estimate
    # What makes sequential reads slower than the media there; none where nothing does.
    slowed_by: Slowed | None
    # The same from SKIPPY's downward spikes, to within one sector time.
    spikes_head_switch_ms: Estimate
    # Smallest distance on one track that is served in the same revolution (STM), from SKIPPY.
    stm_sectors: Estimate
    # Recording surfaces that hold addresses.
    surfaces: Estimate
    # Turn of logical sector zero from track to track (the papers' head switch time); none with
    # one surface, where each track is another cylinder's.
    track_skew_ms: Estimate
    # Zones, outermost first.
    zones: list[Zone]

class Finding(TypedDict):
    """A property that is a word, or why there is none."""

    # What else it may be.
    alternatives: list[str]
    # Share of the evidence that speaks for it, from 0 to 1.
    confidence: float
    # What it was read off from.
    method: str
    # Whether it can be used.
    status: Status
    # The word; none where it would be a guess.
    value: str | None

class Fit(TypedDict):
    """One curve fitted one way."""

    # Akaike's criterion: the smallest is chosen.
    aic: float
    # `a` and `b` in MiB/s (their squares for the root); none for steps.
    coefficients: list[float] | None
    # Its form.
    curve: Curve
    # Root mean square of what is left, in MiB/s.
    rms_mib_s: float
    # From the outermost and the innermost rate alone.
    two_point: bool

class FlowHeader(TypedDict):
    """What stands at the beginning of a flow: the system it belongs to."""

    # How the file cache reads ahead and when it makes writers wait.
    cache: CacheSettings
    # The device the addresses belong to.
    device: DeviceFacts
    # CPUs and memory.
    machine: Machine
    # Captured or generated.
    origin: Origin
    # When dirty pages are written.
    syncer: SyncerSettings
    # What the flow is, in words; never a file's name.
    title: str

@final
class FlowInfo(TypedDict):
    """What a flow holds, in one pass and constant memory."""

    # The requests of the traced system, by cause.
    by_cause: dict[str, ClassInfo]
    # The same by criticality.
    by_class: dict[str, ClassInfo]
    # Computation time of all steps.
    compute_ms: float
    # Files whose pages have a place.
    extents: int
    # The system it belongs to.
    header: FlowHeader
    # How many requests were outstanding in the mean, from the first arrival to the last end.
    mean_outstanding: float
    # Waits of processes, by kind.
    pauses: dict[str, PauseInfo]
    # Processes.
    processes: int
    # All of them.
    requests: ClassInfo
    # Pages in memory at the start.
    resident_pages: int
    # Steps by event.
    steps: dict[str, int]
    # Its totals.
    summary: FlowSummary
    # What happened when.
    timeline: Timeline

class FlowSummary(TypedDict):
    """What stands at the end of a flow: totals that the records are checked against."""

    # CPU time of the flow's processes by the trace, interrupts not counted, in ns.
    compute_ns: int
    # Context switches that were seen.
    context_switches: int
    # Processes that still ran when the trace ended; their flows are cut there.
    cut_processes: int
    # Requests by the system's own counters, reads + writes + flushes + discards; 0 where
    # unknown.
    device_requests: int
    # From the first instruction of the first process to the end of the last one, in ns.
    elapsed_ns: int
    # Flushes without data. The system counts each as a write, besides the flush it becomes.
    empty_flushes: int
    # Time that a CPU had nothing to run while a process waited for storage, in ns.
    false_idle_ns: int
    # Time of interrupt handlers that ran while one of the processes had the CPU, in ns.
    interrupt_ns: int
    # Interrupts that were seen.
    interrupts: int
    # CPU time of everything else while the flow ran, in ns.
    other_cpu_ns: int
    # CPU time of the same processes by the system's own accounts, in ns; 0 where unknown.
    scheduler_ns: int
    # Events of the trace that were read.
    trace_events: int
    # Requests that no cause could be found for.
    unattributed_requests: int
    # Requests that had not ended when the trace did.
    unfinished_requests: int
    # Pages that were written and whose place on the device is not known.
    unplaced_pages: int

@final
class FormatFacts(TypedDict):
    """What a format says of itself."""

    # Name, unit and meaning of each column.
    columns: list[list[str]]
    name: str
    silent: str
    title: str
    written: bool

class Histograms(TypedDict):
    """Counts by time; bins begin at [`Histograms::from_ms`], the last has no end."""

    # The commands of the busiest devices, [`OverTimeReport::MOST`] at most, over the whole run.
    devices: list[DeviceCounts]
    # Where each bin begins; it ends where the next begins.
    from_ms: list[float]
    # Commands by time in the queue.
    queue: list[int]
    # Requests by response time.
    response: list[int]
    # Commands by service time.
    service: list[int]

class HostReport(TypedDict):
    """What a computer did."""

    # Requests by what made them.
    causes: list[list[str | int]]
    # Requests by class of criticality.
    classes: list[ClassReport]
    # Changes of a CPU's process.
    context_switches: int
    # Processes that the flow ends before they do.
    cut_processes: int
    # Events of processes.
    events: int
    # Interrupts served.
    interrupts: int
    # How time limits were kept.
    limits: LimitReport | None
    # Computing for the first process.
    task_computation_ms: float
    # From the start to the end of the first process.
    task_elapsed_ms: float | None
    # Where the CPUs' time went until then.
    task_times: CpuTimes | None
    # How long the first process did.
    task_wait_ms: float
    # Where it went altogether.
    times: CpuTimes
    # Pages the flow gave no place on the device.
    unplaced_pages: int
    # How long, altogether.
    wait_ms: float
    # How often processes waited for storage.
    waits: int

class Interval(TypedDict):
    """A mean and its 95 % confidence interval, by Student's t."""

    # How many values there are.
    count: int
    # Half the width of the interval; `None` for a single value.
    half_width_95: float | None
    # The mean.
    mean: float

@final
class JobReport(TypedDict):
    """What a job gave."""

    # Every figure over the replications, where there are several: in the shape of a run's
    # `report`, each number a mean and its interval.
    across_runs: NotRequired[Any]
    # The buses, as they are numbered.
    buses: list[str]
    # The drives, as devices are numbered.
    drives: list[str]
    # Requests under way where a run was broken off.
    in_flight: int
    # Mean response times of the driver's commands to devices, which parts of a request are.
    mean_command_ms: Interval | None
    # Mean response times of the replications.
    mean_response_ms: Interval | None
    # What the experiment is called.
    name: str | None
    # Requests that came, in all replications.
    offered: int
    # Requests that did not fit their volume.
    refused: int
    # Replications asked for.
    replications: int
    # Each replication that was begun.
    runs: list[Replication]
    # Requests that were served.
    served: int
    # The streams, as they are numbered: one for each workload.
    streams: list[str]
    # The volumes, as they are numbered.
    volumes: list[str]
    # Requests of traces that were given another place on their volume.
    wrapped: int

@final
class JournalLeft(TypedDict):
    """What a run that died left behind."""

    journal: str
    what: str

@final
class JournalRepair(TypedDict):
    """What became of it."""

    journal: str
    outcome: str
    repaired: list[list[int]]
    replaced: str | None
    what: str | None

class Lateness(TypedDict):
    """How late something was, over all requests."""

    # How many were how late, to a sixty-fourth of where a step begins.
    histogram: list[LatenessStep]
    # The worst.
    max: float
    # Requests that were later than 100 us.
    over_100us: int
    # Requests that were later than 1 ms.
    over_1ms: int
    # The median.
    p50: float
    # At 90 % of the requests.
    p90: float
    # At 99 % of the requests.
    p99: float
    # At 99.9 % of the requests.
    p999: float

class LatenessStep(TypedDict):
    """A step of a histogram of lateness."""

    # From here on, in microseconds, up to where the next step begins; the last has no end.
    from_us: int
    # Requests that were so late.
    requests: int

# The layout as far as it shows.
LayoutGuess = TypedDict(
    "LayoutGuess",
    {
        # `head-first`, `seek-first` or `one-surface`.
        "class": "Finding",
        # The profile's word for the order.
        "order": "Finding",
        # Whether passes start at the same cylinder each time: `forward` or `alternating`.
        "seek_direction": "Finding",
        # Cylinders that a serpentine passes over before it changes the surface.
        "serpentine_cylinders": "Estimate",
        # Whether groups of passes (cylinders, where heads come first) start on the same surface
        # each time: `forward` or `alternating`.
        "surface_order": "Finding",
        # Recording surfaces.
        "surfaces": "Estimate",
    },
)

class LimitReport(TypedDict):
    """How time limits were kept."""

    # From issue to the need, on the average.
    mean_limit_ms: float
    # Of these, those that were done by then, as a share.
    met_share: float
    # Time-limited requests whose data a process came to need.
    needed: int

class Machine(TypedDict):
    """The computer."""

    # The clock of the trace.
    clock: str
    # Processors, at least 1.
    cpus: int
    # Memory that can hold file pages, in pages.
    memory_pages: int
    # Bytes of a page, a multiple of the sector.
    page_bytes: int
    # The operating system and its version.
    system: str

@final
class MeasuredDevice(TypedDict):
    """What is known of a device before anything is measured."""

    capacity_sectors: int
    facts: list[list[str]]
    host_overhead_us: float
    logical_sector_bytes: int
    name: str
    physical_sector_bytes: int
    region: list[int]
    # Drive time that it may take, a survey of the tracks included; none for no survey.
    time_s: float | None
    # How tracks are mapped, where that is what is wanted: `every` or `fast`.
    tracks: str | None
    whole: bool
    writes: bool

class Mechanics(TypedDict):
    """The mechanics' part of commands."""

    # Half of the commands crossed at most this number of cylinders.
    median_seek_distance_cylinders: float
    # Ninety percent crossed at most this number.
    p90_seek_distance_cylinders: float
    # Rotational latency.
    rotation_ms: DistributionSummary | None
    # Seeks, head switches included.
    seek_ms: DistributionSummary | None
    # Media transfer.
    transfer_ms: DistributionSummary | None

class ModelZone(TypedDict):
    """Adjacent cylinders that are formatted alike."""

    # Turn of logical sector zero from cylinder to cylinder.
    cylinder_skew_turns: float
    # Spare sectors at the end of each cylinder, or of each so many cylinders that share them;
    # of each pass in orders that seek first, where it is one.
    cylinder_spare_sectors: int
    # First and last cylinder, both included.
    cylinders: list[int]
    # Whether angles across zones show it.
    first_track_agrees: bool
    # Turn of the zone's first sector against that of the drive.
    first_track_skew_turns: float
    # The sequence in which addresses visit the tracks.
    order: TrackOrder
    # Sectors around one track, spares included; the most of any surface where they differ.
    sectors_per_track: int
    # Cylinders of a pass over one surface, in orders that seek first.
    serpentine_cylinders: int | None
    # Turn of logical sector zero from pass to pass, in orders that seek first.
    serpentine_skew_turns: float
    # Whether angles over many tracks come out by the skews: whole sectors, or angles where they
    # do by none.
    skews_agree: bool
    # Sectors at the beginning that have no address.
    skip_first_sectors: int
    # Sectors at the end that have no address.
    skip_last_sectors: int
    # Cylinders that share those.
    spare_cylinders: int
    # The same for each surface, where surfaces differ; else empty.
    surface_sectors_per_track: list[int]
    # Turn of logical sector zero from track to track of a cylinder.
    track_skew_turns: float
    # Spare sectors at the end of each track.
    track_spare_sectors: int
    # Whether angles come out by no other count of them; where cylinders share spares, shorter
    # tracks show these.
    track_spares_agree: bool

class OperationFigures(TypedDict):
    """The figures of one operation."""

    # `reads` or `writes`.
    name: str
    # Of its requests, from arrival to completion.
    response_ms: DistributionSummary | None

class OutstandingInfo(TypedDict):
    """How many requests an arriving one finds in the driver or at the drive, itself not counted."""

    # The most found.
    max: int
    # Mean over all arrivals.
    mean: float

class OverTimeReport(TypedDict):
    """Means over bins of equal width, from the start to the end of the run."""

    # Width of a bin.
    bin_ms: float
    # Share of each bus that was taken.
    buses: list[list[float]]
    # The busiest devices, [`OverTimeReport::MOST`] at most, in their order in the system.
    devices: list[DeviceOverTime]
    # Requests under way.
    in_flight: list[float]

class Overhead(TypedDict):
    """What the host and the interface cost: the same sector is read again and again, at once.

    A drive with a cache answers all but the first from there, without its mechanism: the least time
    is the overhead. A drive without one needs a revolution each time, which says so.
    """

    # The sector.
    lba: int
    # How many requests.
    repeats: int
    # Length of each request, in logical sectors: one physical sector.
    sectors: int

class Overlay(TypedDict):
    """Service times of a probe, measured and simulated."""

    # Root mean square of the distance between the two distributions.
    demerit_ms: float
    # Quantiles of the measured times, from the least to the most, in even steps.
    measured_ms: list[float]
    # The probe.
    probe: str
    # Requests that were measured and simulated.
    requests: int
    # The same of the simulated ones.
    simulated_ms: list[float]

class Part(TypedDict):
    """A mean time under a word."""

    # How long.
    mean_ms: float
    # The word.
    name: str

class PastCache(TypedDict):
    """How a movement is timed in spite of a read cache.

    The drive is left alone after the anchor until its read-ahead is done: the head then rests where
    that ended, and the movement starts there. Other places are read before the anchor, so that the
    cache has forgotten it.
    """

    # Sectors read before each movement, none of them near it.
    forget_lbas: list[int]
    # What read-ahead needs, in picoseconds.
    rest_ps: int

class PauseInfo(TypedDict):
    """Waits of one kind."""

    # How many.
    count: int
    # The longest.
    max_ms: float
    # Altogether.
    total_ms: float

class Piece(TypedDict):
    """Tracks that follow each other, of the same length or of lengths that recur in a cycle."""

    # Cycles.
    cycles: int
    # First sector of the first track.
    first_lba: int
    # Number of the first track.
    first_track: int
    # Sectors that hold data on each track of a cycle.
    sectors: list[int]

@final
class PlannedProbe(TypedDict):
    """What is measured next, and what that costs."""

    drive_time_s: float
    plan: Plan
    probe: str
    requests: int
    sectors: int

class PowerCut(TypedDict):
    """What a power cut took."""

    # When, by the drive's own clock.
    at_ms: float
    # Bytes of answered writes that were not on the media and outlived it.
    kept_bytes: int
    # Bytes of answered writes that were neither on the media nor in memory that outlives it.
    lost_bytes: int
    # Requests that were not answered.
    unanswered: int

@final
class ProfileAnswer(TypedDict):
    """A drive profile, value by value."""

    derived: DerivedFigures
    name: str
    notes: str | None
    profile: str
    values: list[ProfileValueAnswer]

# A value and where it comes from.
ProfileValueAnswer = TypedDict(
    "ProfileValueAnswer",
    {
        "ci95": "list[float] | None",
        "from": "str",
        "key": "str",
        "kind": "str",
        "note": "str | None",
        "value": "Any",
    },
)

@final
class Ran(TypedDict):
    """What computer and storage did."""

    host: HostReport
    storage: Report

class Rate(TypedDict):
    """The rate at one place of the drive."""

    # The first sector that was timed.
    lba: int
    # How many were.
    sectors: int
    # Sectors delivered per millisecond.
    sectors_per_ms: float

class RebuildReport(TypedDict):
    """What became of the rebuild of a member."""

    # When the rebuild began.
    begun_ms: float
    # When all was there again; not there if it never was.
    finished_ms: float | None
    # The member, by its place in the volume.
    member: int
    # Sectors that were there again in the end.
    rebuilt_sectors: int
    # Sectors of a member.
    sectors: int
    # The device that takes its place.
    spare: int

class Recall(TypedDict):
    """What a read cache holds: each trial reads some sectors and then asks for one that the drive
    may have by now, by reading ahead or by keeping it.

    A trial's other sectors were never read before, so that nothing but the trial itself can have
    brought the last one into the cache.
    """

    # What is asked.
    question: Question
    # Length of each request, in logical sectors: one physical sector.
    sectors: int
    # What is done for it, one after the other.
    trials: list[Trial]

class Replication(TypedDict):
    """What one replication gave."""

    # What the computers of process flows did, in the order of the workloads.
    hosts: NotRequired[list[HostReport]]
    # Whether it was broken off from outside.
    interrupted: bool
    # Its number, from 0.
    number: int
    # Where a precision is wanted: its mean response by the means of batches, as far as it is
    # known.
    precision_ms: NotRequired[Interval | None]
    # Where a precision is wanted: whether it was reached before something else ended the run.
    precision_reached: NotRequired[bool | None]
    # The drive whose queue was full, where that ended the run.
    queue_full: str | None
    # Its figures.
    report: Report
    # Its seed.
    seed: int
    # Requests of its traces that were given another place on their volume.
    wrapped: int

class Report(TypedDict):
    """The figures of a run.

    `offered = served + refused + lost + in_flight` always holds.
    """

    # Each bus.
    buses: list[BusReport]
    # The cache of each controller.
    caches: list[CacheReport | None]
    # Each class of criticality that there was.
    classes: list[ClassFigures]
    # Commands at the devices.
    commands: Summary
    # Each device.
    devices: list[DeviceReport]
    # The simulated time.
    elapsed_ms: float
    # Events, those of the source included.
    events: int
    # How many requests and commands took how long.
    histograms: Histograms
    # Requests still under way, if the run was broken off.
    in_flight: int
    # Requests whose data no device holds any more.
    lost: int
    # The mechanics' part of commands.
    mechanics: Mechanics
    # Requests that came.
    offered: int
    # Reads and writes, where there were any.
    operations: list[OperationFigures]
    # What was busy when.
    over_time: OverTimeReport
    # Requests that did not fit their volume.
    refused: int
    # From arrival to completion.
    response_ms: DistributionSummary | None
    # Times a request was begun anew because a device failed under it.
    retried: int
    # Requests that were served.
    served: int
    # Each stream.
    streams: list[StreamFigures]
    # Each volume.
    volumes: list[VolumeReport]

class Rotation(TypedDict):
    """The rotation period, and the proof that no cache answers.

    A sector comes around once a revolution, whatever the host does in between: completions lie on a
    grid of one period, and the period's error falls with the number of requests to the power of
    3/2. Answers from a cache lie on no grid.
    """

    # The first sector.
    lba: int
    # Which sectors.
    pattern: Pattern
    # Requests in each pass.
    repeats: int
    # Length of each request, in logical sectors: one physical sector.
    sectors: int

class SeekFit(TypedDict):
    """`a + b * sqrt(d)` up to a distance and `c + e * d` beyond it, the form of Ruemmler and
    Wilkes.
    """

    # What `d` counts.
    against: Unit
    # The last distance of the short piece.
    boundary: int
    # `c` and `e`, in milliseconds.
    long_ms: list[float]
    # Root mean square of what is left, in milliseconds.
    rms_ms: float
    # `a` and `b`, in milliseconds.
    short_ms: list[float]

class SeekPoint(TypedDict):
    """One movement of the arm."""

    # In cylinders, where the zones are known.
    distance_cylinders: int | None
    # From start to start, in sectors.
    distance_sectors: int
    # Half the width of its 95 % interval.
    half_width_ms: float
    # What the movement adds to a request on the same track: settling included, less what the
    # transfer over the interface hides of it.
    seek_ms: float

class Seeker(TypedDict):
    """SEEKER: the least time from one sector to others (paper §4.3).

    The paper tries all rotational offsets by address and keeps the fastest. Here the offset is
    changed by waiting before the request, and searched by halving: the longest wait after which the
    target is still reached in the same revolution leaves no rotational latency. That takes some
    fifteen pairs a target in place of a whole track, and resolves less than a sector.
    """

    # Where each movement starts.
    anchor_lba: int
    # Halvings of the period: 11 resolve 4 us at 7200 rpm.
    halvings: int
    # Where the drive reads ahead. None if it does not, or if writes are timed.
    past_cache: NotRequired[PastCache | None]
    # The rotation period in picoseconds, as measured.
    rotation_ps: int
    # Length of each request, in logical sectors: one physical sector.
    sectors: int
    # Where they end.
    targets: list[int]

class SelfCheck(TypedDict):
    """How a simulation of what was extracted compares with what was measured."""

    # Values that do not agree, each with what is wrong.
    disagreements: list[Disagreement]
    # What a reader should know.
    note: str
    # Times of all requests by probe, measured and simulated.
    probes: list[Overlay]
    # `ok` where all that could be compared agrees, `ambiguous` where something does not,
    # `unsupported` where nothing could be simulated; `note` says why.
    status: Status

class ServeHostReport(TypedDict):
    """What the host is good for, measured at start."""

    # Whether its timers were exact.
    exact_timers: bool
    # A byte to another thread and back.
    floor_us: float
    # The longest of them.
    longest_tick_gap_us: float
    # The share of time that went into them.
    lost_share: float
    # Whether its memory was locked.
    memory_locked: bool
    # Processors.
    processors: int
    # Whether the server had `SCHED_FIFO`.
    real_time: bool
    # Gaps of more than 20 us in which a busy thread did not run.
    tick_gaps_per_s: float

@final
class ServeReport(TypedDict):
    """What was served, and how well."""

    # Questions where data is.
    block_status: int
    # Connections so far.
    connections: int
    # Answered with an error: it did not fit, or the store failed.
    errors: int
    # Requests that the model served in less than three times the floor.
    faster_than_floor: int
    # Flushes.
    flushes: int
    # What the host is good for.
    host: ServeHostReport
    # Requests that are being served.
    in_flight: int
    # From the model's completion to the answer.
    lateness_us: Lateness
    # The model's service times: the median, in the host's time.
    median_service_us: float
    # The power cut, if there was one.
    power_cut: PowerCut | None
    # Bytes read.
    read_bytes: int
    # Of those: reads.
    reads: int
    # Why not.
    reasons: list[str]
    # Requests answered, refused ones included.
    requests: int
    # How long it has served.
    served_ms: float
    # Revolutions that a client lost because the answer before was late.
    slipped_revolutions: int
    # How much faster than the host's time the model's passes; null where nothing is paced.
    speed: float | None
    # What the host said to the first write that the store could not take, as where its disk is
    # full; to the client such a write failed.
    store_error: str | None
    # Sectors forgotten.
    trims: int
    # Whether to trust the times.
    verdict: Verdict
    # Answers that waited for the host's own disk: their lateness is not counted.
    waited_for_sync: int
    # From the model's completion to the thread that was woken for it.
    wake_us: Lateness
    # Writes, of zeros too.
    writes: int
    # Bytes written.
    written_bytes: int

class Skippy(TypedDict):
    """SKIPPY: the distance between requests grows by one step from each to the next (paper §4.1).

    Writing or reading is the caller's choice. Distances run from 0 to `steps - 1` steps.
    """

    # The first sector of the region it may touch.
    lba: int
    # Length of each request, in logical sectors: one physical sector.
    sectors: int
    # How many distances.
    steps: int
    # How much a distance grows each time, in units of `sectors`.
    stride: int
    # How it moves.
    walk: Walk

class StreamFigures(TypedDict):
    """The figures of a stream.

    `offered = served + refused + lost + in_flight` always holds.
    """

    # How many took how long.
    histograms: Counts
    # Requests still under way, if the run was broken off.
    in_flight: int
    # Requests whose data no device holds any more.
    lost: int
    # Mean rotational latency.
    mean_rotation_ms: float
    # Mean distance of the arm's moves, those of zero included.
    mean_seek_distance_cylinders: float
    # Mean seek, head switches included.
    mean_seek_ms: float
    # Mean media transfer.
    mean_transfer_ms: float
    # Requests that came.
    offered: int
    # Of commands, from the driver until their device began.
    queue_ms: DistributionSummary | None
    # Requests that did not fit their volume.
    refused: int
    # Of requests, from arrival to completion.
    response_ms: DistributionSummary | None
    # Requests that were served.
    served: int
    # Of commands, from there to the end.
    service_ms: DistributionSummary | None

class Summary(TypedDict):
    """A run in figures.

    `offered = served + refused` always holds.
    """

    # Requests by cache outcome.
    cache: list[Count]
    # From the first issue to the last completion.
    duration_ms: float
    # Mean distance of the arm's moves, those of zero included.
    mean_seek_distance_cylinders: float
    # Service time the trace recorded.
    measured: DistributionSummary | None
    # Requests the workload offered to the drive.
    offered: int
    # Those of them that left a part of a sector alone, which the drive had to read first.
    partial_writes: int
    # Mean of each part of the service time, in order; they add up to its mean.
    parts_mean_ms: list[Part]
    # Arrival to issue.
    queue: DistributionSummary | None
    # Share of reads that were full hits.
    read_hit_ratio: float | None
    # Reads served.
    reads: int
    # Requests refused, by reason.
    refused: list[Count]
    # Served requests by time.
    requests_per_s: float
    # Arrival to completion.
    response: DistributionSummary | None
    # Requests served.
    served: int
    # Issue to completion.
    service: DistributionSummary | None
    # Service time of reads.
    service_reads: DistributionSummary | None
    # Service time of writes.
    service_writes: DistributionSummary | None
    # Data moved by time, in 2^20 bytes.
    throughput_mib_s: float
    # Share of that time in which the drive served a request.
    utilisation: float
    # Served requests left out of all figures below, at the start of the run.
    warm_up: int
    # Writes served.
    writes: int

class SyncerSettings(TypedDict):
    """The daemon that writes dirty pages."""

    # How old a page must be before it writes it, in ms.
    expire_ms: float
    # How often it wakes, in ms.
    interval_ms: float

class Timeline(TypedDict):
    """Sums over equal stretches of time."""

    # The length of a stretch.
    bin_ms: float
    # Name to one sum per stretch, in ms: computation, waits by kind, outstanding by class.
    series: dict[str, list[float]]

class TimesReport(TypedDict):
    """The figures of some times."""

    # How many.
    count: int
    # Longest.
    max_ms: float
    # Mean, 0 if there are none.
    mean_ms: float
    # Median, to 3 %.
    p50_ms: float
    # 95th percentile, to 3 %.
    p95_ms: float
    # 99th percentile, to 3 %.
    p99_ms: float

@final
class TraceInfo(TypedDict):
    """A trace in numbers.

    Units are in the names of the keys.
    """

    # Who waits for the requests.
    criticality: CriticalityInfo
    # Every device, in ascending order.
    devices: list[DeviceInfo]
    # From the first arrival to the last.
    duration_ms: float
    # Name of the trace's format.
    format: str
    # From one arrival to the next, of any device.
    inter_arrival_ms: Distribution | None
    # What its times measure, where it has any: service, or response.
    measures: str | None
    # What was skipped or is incomplete, by reason.
    notes: dict[str, int]
    # How many requests an arriving one finds before it, where the trace has the times for it.
    outstanding: OutstandingInfo | None
    # Means, extremes and counts are exact; quantiles are off by at most this share of their
    # value.
    quantile_relative_error: float
    # Time in the driver's queue, of the requests that have one.
    queued_ms: Distribution | None
    # How many of them read.
    reads: int
    # Records in the trace.
    requests: int
    # Bytes in one sector of the trace's addresses and lengths.
    sector_bytes: int
    # Share of requests that start where the previous one of their device ended, 0 to 1.
    sequential_share: float
    # Service time, of the requests that have one.
    service_ms: Distribution | None
    # Lengths.
    size_sectors: Distribution | None
    # Think time, of the requests that have one.
    think_ms: Distribution | None
    # How many of them write.
    writes: int

@final
class TrackMap(TypedDict):
    """Everything that a survey found."""

    # Boundaries that do not show and were taken from the sectors of a turn.
    hidden_boundaries: int
    # The layout as far as it shows.
    layout: LayoutGuess
    # Tracks that differ from those around them and lie where none was looked at: at most so
    # many percent of all, with 95 %, if they are spread evenly (the rule of three, over those
    # looked at among others).
    most_missed_pct: float
    # What a reader should know; empty where all is well.
    note: str
    # The skew every few tracks, from cylinder to cylinder with heads first and from pass to
    # pass with cylinders first; none where all are alike.
    other_switch_ms: Estimate
    # The tracks, alike ones in one piece.
    pieces: list[Piece]
    # One revolution, in milliseconds.
    rotation_ms: Estimate
    # The seek profile.
    seeks: list[TrackSeek]
    # Tracks both ends of which were looked at; the others lie between such.
    seen_tracks: int
    # Whether there is a map; `note` says why not.
    status: Status
    # What a second track costs on top of its revolution (Gim 2009, Table 2): the usual skew.
    track_switch_ms: Estimate
    # The same as a share of a revolution.
    track_switch_pct: Estimate
    # Tracks found.
    tracks: int

class TrackSeek(TypedDict):
    """The least time to a track so many tracks away."""

    # Tracks by address, from the middle of the region on.
    distance_tracks: int
    # Half the width of its interval.
    half_width_ms: float
    # From one completion to the next, without latency: seek, overhead and one sector.
    time_ms: float

class Tracks(TypedDict):
    """The angles of chosen sectors: each is visited once, in the order given.

    From one completion to the next the platter turns by the angle between the two sectors and by
    whole revolutions, so that angles follow to within the host's jitter, and track boundaries from
    them: that is where the angle jumps by a skew. Descending order keeps read-ahead out of it.
    """

    # The sectors.
    lbas: list[int]
    # Length of each request, in logical sectors: one physical sector.
    sectors: int
    # What the sectors were chosen for.
    visit: Visit
    # What is waited before each of them, in picoseconds; empty where nothing is.
    waits_ps: NotRequired[list[int]]

class Trial(TypedDict):
    """One trial of a [`Recall`] run."""

    # The sectors in order; whether the last is a hit is the answer.
    lbas: list[int]
    # Before the last request, in picoseconds: read-ahead goes on meanwhile.
    rest_ps: int

class VolumeReport(TypedDict):
    """The figures of a volume, and its state at the end."""

    # The rebuilds there were.
    rebuilds: list[RebuildReport]
    # Responses of its requests after the warm-up; `None` if it had none, or where it is one of
    # several volumes and a single device, whose figures are its own.
    response_ms: DistributionSummary | None
    # Whether every device was there, or a spare in its place.
    whole: bool

@final
class WriteDryRun(TypedDict):
    """What writing would do."""

    refusals: list[WriteRefusal]
    steps: list[str]

class WriteRefusal(TypedDict):
    """What speaks against it."""

    reason: str
    way_out: str

class Zone(TypedDict):
    """Adjacent addresses that are formatted alike."""

    # Turn of logical sector zero from cylinder to cylinder.
    cylinder_skew_ms: Estimate
    # Its first sector.
    first_lba: Estimate
    # Bandwidth of sequential reads.
    mib_s: Estimate
    # Sectors around one track; around the first one where surfaces differ.
    sectors_per_track: Estimate
    # The same from the slope of SKIPPY's lines in this zone, not rounded.
    skippy_sectors_per_track: Estimate
    # Sectors around the tracks of each surface, in the order in which the zone's first passes
    # go over them; empty where surfaces do not differ, or are not known.
    surface_sectors_per_track: list[int]
    # Turn of logical sector zero from track to track.
    track_skew_ms: Estimate

class Zoned(TypedDict):
    """ZONED: bandwidth over position (paper §4.2), by reading in large blocks one after the other.

    At each of `points` places, spread evenly over the region, it reads `blocks` blocks in sequence.
    The first of them pays for the way there; with enough points there is no way and the whole
    region is read, as in the paper.
    """

    # Length of one read in logical sectors.
    block_sectors: int
    # Reads at each place.
    blocks: int
    # The first sector of the region.
    lba: int
    # How many places.
    points: int
    # Length of the region in logical sectors.
    region_sectors: int

# A curve through the rates, `x` running from 0 at the first sector to 1 at the last.
Curve: TypeAlias = Literal["step", "linear", "quadratic", "square-root"]

# Where a flow comes from.
Origin: TypeAlias = Literal["captured", "generated"]

# Which sectors are asked for.
Pattern: TypeAlias = Literal["same", "two-sectors", "backwards"]

class PlanOverhead(Overhead):
    """What the host and the interface cost."""

    probe: Literal["overhead"]

class PlanRotation(Rotation):
    """The rotation period."""

    probe: Literal["rotation"]

class PlanSkippy(Skippy):
    """The linearly increasing stride."""

    probe: Literal["skippy"]

class PlanTracks(Tracks):
    """The angles of chosen sectors."""

    probe: Literal["tracks"]

class PlanRecall(Recall):
    """What a read cache holds."""

    probe: Literal["recall"]

class PlanSeeker(Seeker):
    """Positioning times."""

    probe: Literal["seeker"]

class PlanZoned(Zoned):
    """Bandwidth over position."""

    probe: Literal["zoned"]

# What to measure. All addresses and lengths are in logical sectors.
Plan: TypeAlias = (
    "PlanOverhead | PlanRotation | PlanSkippy | PlanTracks | PlanRecall | PlanSeeker | PlanZoned"
)

# What a [`Recall`] run is about.
Question: TypeAlias = Literal["reach", "places"]

# What makes sequential reads slower than the media.
Slowed: TypeAlias = Literal["read", "track", "turns", "interface", "unknown"]

# Whether a value can be used.
Status: TypeAlias = Literal["ok", "ambiguous", "unsupported"]

# The sequence in which consecutive addresses visit tracks (Gim 2009, Figure 3). Head-first
# orders use all surfaces of a cylinder before the next cylinder; seek-first orders pass over
# `serpentine_cylinders` cylinders on one surface before the next surface. A pass, or a group of
# passes, may turn every second time.
TrackOrder: TypeAlias = Literal[
    "traditional",
    "cylinder-serpentine",
    "cylinder-serpentine-reversed",
    "surface-serpentine",
    "hybrid-serpentine",
    "alternating-surface-serpentine",
    "alternating-hybrid-serpentine",
    "listed",
]

# What a distance is counted in.
Unit: TypeAlias = Literal["cylinders", "sectors"]

# Whether the times that clients saw were the drive's.
Verdict: TypeAlias = Literal["trusted", "degraded", "unpaced", "idle"]

# What sectors are visited for.
Visit: TypeAlias = "dict[str, Any]"

# How SKIPPY moves through the region.
Walk: TypeAlias = Literal["running", "backwards", "restart"]
