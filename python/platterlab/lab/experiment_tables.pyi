"""The tables of an experiment, in the words of its file, for editors and type checkers.

Written by docs/generate.py from the schema of the file; do not edit. What each key is for stands in
the reference, `experiment.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, NotRequired, TypeAlias, TypedDict

from platterlab.lab.drive import Drive
from platterlab.lab.trace import Trace

class HostCriticalFcfsTable(TypedDict):
    """`host.critical`."""

    kind: Literal["fcfs"]

class HostCriticalLookTable(TypedDict):
    """`host.critical`."""

    by: NotRequired[Literal["lba", "cylinder"]]
    kind: Literal["look"]

class HostCriticalCLookTable(TypedDict):
    """`host.critical`."""

    by: NotRequired[Literal["lba", "cylinder"]]
    kind: Literal["c-look"]

class HostCriticalSstfTable(TypedDict):
    """`host.critical`."""

    by: NotRequired[Literal["lba", "cylinder"]]
    kind: Literal["sstf"]

class HostCriticalVScanTable(TypedDict):
    """`host.critical`."""

    by: NotRequired[Literal["lba", "cylinder"]]
    kind: Literal["v-scan"]
    turn_share: float

class HostCriticalBatchTable(TypedDict):
    """`host.critical`."""

    by: NotRequired[Literal["lba", "cylinder"]]
    kind: Literal["batch"]

class HostCriticalMqDeadlineTable(TypedDict):
    """`host.critical`."""

    fifo_batch: NotRequired[int]
    kind: Literal["mq-deadline"]
    read_expire_ms: NotRequired[float]
    write_expire_ms: NotRequired[float]
    writes_starved: NotRequired[int]

class HostCriticalSptfTable(TypedDict):
    """`host.critical`."""

    kind: Literal["sptf"]

class HostCriticalSptfFromLastSectorTable(TypedDict):
    """`host.critical`."""

    kind: Literal["sptf-from-last-sector"]

class HostCriticalSptfAtOnceTable(TypedDict):
    """`host.critical`."""

    kind: Literal["sptf-at-once"]

class HostCriticalLowestFirstTable(TypedDict):
    """`host.critical`."""

    kind: Literal["lowest-first"]

class HostCriticalSpctfTable(TypedDict):
    """`host.critical`."""

    kind: Literal["spctf"]

class HostCriticalSatfTable(TypedDict):
    """`host.critical`."""

    kind: Literal["satf"]

class HostCriticalAgedSptfTable(TypedDict):
    """`host.critical`."""

    at_once: NotRequired[bool]
    cache_aware: NotRequired[bool]
    from_last_sector: NotRequired[bool]
    kind: Literal["aged-sptf"]
    weight: float
    with_transfer: NotRequired[bool]

class HostCriticalWeightedSptfTable(TypedDict):
    """`host.critical`."""

    at_once: NotRequired[bool]
    cache_aware: NotRequired[bool]
    from_last_sector: NotRequired[bool]
    kind: Literal["weighted-sptf"]
    limit_ms: float
    with_transfer: NotRequired[bool]

HostCriticalTable: TypeAlias = (
    HostCriticalFcfsTable
    | HostCriticalLookTable
    | HostCriticalCLookTable
    | HostCriticalSstfTable
    | HostCriticalVScanTable
    | HostCriticalBatchTable
    | HostCriticalMqDeadlineTable
    | HostCriticalSptfTable
    | HostCriticalSptfFromLastSectorTable
    | HostCriticalSptfAtOnceTable
    | HostCriticalLowestFirstTable
    | HostCriticalSpctfTable
    | HostCriticalSatfTable
    | HostCriticalAgedSptfTable
    | HostCriticalWeightedSptfTable
)

class HostRulesCombineTable(TypedDict):
    """`host.rules.combine`."""

    max_size: int | str
    reads: NotRequired[bool]
    writes: NotRequired[bool]

class HostRulesTogetherTable(TypedDict):
    """`host.rules.together`."""

    in_turn: NotRequired[bool]
    max_gap_sectors: NotRequired[int]
    mixed: NotRequired[bool]
    reads: NotRequired[bool]
    writes: NotRequired[bool]

class HostRulesTable(TypedDict):
    """`host.rules`."""

    combine: NotRequired[HostRulesCombineTable]
    overlap: NotRequired[Literal["free", "in-order", "answered"]]
    together: NotRequired[HostRulesTogetherTable]

class HostTimeoutTable(TypedDict):
    """`host.timeout`."""

    after_ms: float
    halves: NotRequired[bool]
    scheduler: NotRequired[HostCriticalTable]

class HostTable(TypedDict):
    """`host`."""

    anticipate_ms: NotRequired[float]
    critical: NotRequired[HostCriticalTable]
    processors: NotRequired[int]
    promote: NotRequired[bool]
    read_ms: NotRequired[float]
    rules: NotRequired[HostRulesTable]
    scheduler: NotRequired[HostCriticalTable]
    timeout: NotRequired[HostTimeoutTable]
    woken: NotRequired[Literal["all", "first"]]
    write_ms: NotRequired[float]

class DriveSimpleAccessConstantTable(TypedDict):
    """`drive.simple.access`."""

    kind: Literal["constant"]
    time_ms: float

class DriveSimpleAccessExponentialTable(TypedDict):
    """`drive.simple.access`."""

    kind: Literal["exponential"]
    mean_ms: float

DriveSimpleAccessTable: TypeAlias = (
    DriveSimpleAccessConstantTable | DriveSimpleAccessExponentialTable
)

class DriveSimpleTable(TypedDict):
    """`drive.simple`."""

    access: DriveSimpleAccessTable
    overhead_ms: NotRequired[float]
    sector_ms: NotRequired[float]
    size: int | str

class DriveTagsTable(TypedDict):
    """`drive.tags`."""

    critical: NotRequired[Literal["simple", "ordered", "head-of-queue"]]
    reads: NotRequired[Literal["simple", "ordered", "head-of-queue"]]
    writes: NotRequired[Literal["simple", "ordered", "head-of-queue"]]

class DriveTable(TypedDict):
    """`drive`."""

    at_index: NotRequired[bool]
    bus: NotRequired[str]
    choose_at_rest: NotRequired[bool]
    count: NotRequired[int]
    critical: NotRequired[HostCriticalTable]
    depth: NotRequired[int]
    in_step: NotRequired[str]
    name: NotRequired[str]
    profile: NotRequired[str | PathLike[str] | Drive]
    rules: NotRequired[HostRulesTable]
    scheduler: NotRequired[HostCriticalTable]
    simple: NotRequired[DriveSimpleTable]
    tags: NotRequired[DriveTagsTable]
    timeout: NotRequired[HostTimeoutTable]

class BusTable(TypedDict):
    """`bus`."""

    arbitration: NotRequired[Literal["fcfs", "slot", "last-slot"]]
    arbitration_ms: NotRequired[float]
    controller: NotRequired[str]
    count: NotRequired[int]
    name: str
    read_sector_ms: NotRequired[float]
    sharing: NotRequired[Literal["exclusive", "interleaved"]]
    write_sector_ms: NotRequired[float]

class ControllerCacheFlushTable(TypedDict):
    """`controller.cache.flush`."""

    idle_ms: NotRequired[float]
    max_cluster_lines: NotRequired[int]
    period_ms: NotRequired[float]

class ControllerCacheReplacementLruTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["lru"]

class ControllerCacheReplacementFifoTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["fifo"]

class ControllerCacheReplacementLifoTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["lifo"]

class ControllerCacheReplacementRandomTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["random"]

class ControllerCacheReplacementSegmentedLruTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["segmented-lru"]
    shares: Sequence[float]

class ControllerCacheReplacementArcTable(TypedDict):
    """`controller.cache.replacement`."""

    kind: Literal["arc"]

ControllerCacheReplacementTable: TypeAlias = (
    ControllerCacheReplacementLruTable
    | ControllerCacheReplacementFifoTable
    | ControllerCacheReplacementLifoTable
    | ControllerCacheReplacementRandomTable
    | ControllerCacheReplacementSegmentedLruTable
    | ControllerCacheReplacementArcTable
)

class ControllerCacheStoreMemoryTable(TypedDict):
    """`controller.cache.store`."""

    kind: Literal["memory"]

class ControllerCacheStoreDriveTable(TypedDict):
    """`controller.cache.store`."""

    drive: str
    kind: Literal["drive"]

ControllerCacheStoreTable: TypeAlias = (
    ControllerCacheStoreMemoryTable | ControllerCacheStoreDriveTable
)

class ControllerCacheTable(TypedDict):
    """`controller.cache`."""

    allocation: NotRequired[Literal["any", "clean-first"]]
    critical: NotRequired[HostCriticalTable]
    drive_depth: NotRequired[int]
    flush: NotRequired[ControllerCacheFlushTable]
    granule: NotRequired[int | str]
    line: NotRequired[int | str]
    line_by_line: NotRequired[bool]
    max_gather_lines: NotRequired[int]
    max_request: NotRequired[int | str]
    read_prefetch: NotRequired[Literal["none", "front", "rest", "line"]]
    replacement: NotRequired[ControllerCacheReplacementTable]
    rules: NotRequired[HostRulesTable]
    scheduler: NotRequired[HostCriticalTable]
    size: int | str
    store: NotRequired[ControllerCacheStoreTable]
    timeout: NotRequired[HostTimeoutTable]
    write: NotRequired[Literal["through", "through-early", "back", "battery-backed"]]
    write_prefetch: NotRequired[Literal["none", "front", "rest", "line"]]

class ControllerTable(TypedDict):
    """`controller`."""

    bus: NotRequired[str]
    cache: NotRequired[ControllerCacheTable]
    count: NotRequired[int]
    depth: NotRequired[int]
    forgetful: NotRequired[bool]
    name: str
    read_ms: NotRequired[float]
    write_ms: NotRequired[float]

class FaultWhatDriveTable(TypedDict):
    """`fault.what`."""

    drive: str
    kind: Literal["drive"]

class FaultWhatCacheLossTable(TypedDict):
    """`fault.what`."""

    controller: str
    kind: Literal["cache-loss"]

FaultWhatTable: TypeAlias = FaultWhatDriveTable | FaultWhatCacheLossTable

class FaultTable(TypedDict):
    """`fault`."""

    at_s: float
    what: FaultWhatTable

class StopTable(TypedDict):
    """`stop`."""

    precision_percent: NotRequired[float]
    queue_limit: NotRequired[int]
    requests: NotRequired[int]
    time_s: NotRequired[float]
    warm_up_requests: NotRequired[int]
    warm_up_s: NotRequired[float]

class VolumeLayoutConcatTable(TypedDict):
    """`volume.layout`."""

    kind: Literal["concat"]

class VolumeLayoutStripeTable(TypedDict):
    """`volume.layout`."""

    kind: Literal["stripe"]
    unit: int | str

class VolumeLayoutRaid0Table(TypedDict):
    """`volume.layout`."""

    kind: Literal["raid0"]
    unit: int | str

class VolumeLayoutBalancedTable(TypedDict):
    """`volume.layout`."""

    choice: NotRequired[Literal["round-robin", "random"]]
    kind: Literal["balanced"]

class VolumeLayoutMirrorTable(TypedDict):
    """`volume.layout`."""

    copies: NotRequired[int]
    kind: Literal["mirror"]
    read: NotRequired[
        Literal[
            "primary",
            "random",
            "round-robin",
            "shortest-seek",
            "shortest-queue",
            "shortest-queue-then-seek",
            "shortest-positioning",
        ]
    ]
    unit: NotRequired[int | str]

class VolumeLayoutRaid1Table(TypedDict):
    """`volume.layout`."""

    copies: NotRequired[int]
    kind: Literal["raid1"]
    read: NotRequired[
        Literal[
            "primary",
            "random",
            "round-robin",
            "shortest-seek",
            "shortest-queue",
            "shortest-queue-then-seek",
            "shortest-positioning",
        ]
    ]

class VolumeLayoutRaid10Table(TypedDict):
    """`volume.layout`."""

    copies: NotRequired[int]
    kind: Literal["raid10"]
    read: NotRequired[
        Literal[
            "primary",
            "random",
            "round-robin",
            "shortest-seek",
            "shortest-queue",
            "shortest-queue-then-seek",
            "shortest-positioning",
        ]
    ]
    unit: int | str

class VolumeLayoutUpdateFewestCommandsTable(TypedDict):
    """`volume.layout.update`."""

    kind: Literal["fewest-commands"]

class VolumeLayoutUpdateModifyUpToTable(TypedDict):
    """`volume.layout.update`."""

    kind: Literal["modify-up-to"]
    share: float

class VolumeLayoutUpdateModifyBelowTable(TypedDict):
    """`volume.layout.update`."""

    kind: Literal["modify-below"]
    share: float

VolumeLayoutUpdateTable: TypeAlias = (
    VolumeLayoutUpdateFewestCommandsTable
    | VolumeLayoutUpdateModifyUpToTable
    | VolumeLayoutUpdateModifyBelowTable
)

class VolumeLayoutRaid4Table(TypedDict):
    """`volume.layout`."""

    kind: Literal["raid4"]
    synch_writes: NotRequired[bool]
    unit: int | str
    update: NotRequired[VolumeLayoutUpdateTable]

class VolumeLayoutRaid5Table(TypedDict):
    """`volume.layout`."""

    kind: Literal["raid5"]
    parity_unit: NotRequired[int | str]
    rotation: NotRequired[
        Literal["left-symmetric", "left-asymmetric", "right-asymmetric", "right-symmetric"]
    ]
    synch_writes: NotRequired[bool]
    unit: int | str
    update: NotRequired[VolumeLayoutUpdateTable]

class VolumeLayoutRaid6Table(TypedDict):
    """`volume.layout`."""

    kind: Literal["raid6"]
    rotation: NotRequired[
        Literal["left-symmetric", "left-asymmetric", "right-asymmetric", "right-symmetric"]
    ]
    synch_writes: NotRequired[bool]
    unit: int | str
    update: NotRequired[VolumeLayoutUpdateTable]

VolumeLayoutTable: TypeAlias = (
    VolumeLayoutConcatTable
    | VolumeLayoutStripeTable
    | VolumeLayoutRaid0Table
    | VolumeLayoutBalancedTable
    | VolumeLayoutMirrorTable
    | VolumeLayoutRaid1Table
    | VolumeLayoutRaid10Table
    | VolumeLayoutRaid4Table
    | VolumeLayoutRaid5Table
    | VolumeLayoutRaid6Table
)

class VolumeRebuildTable(TypedDict):
    """`volume.rebuild`."""

    chunk: NotRequired[int | str]
    delay_ms: NotRequired[float]
    rate_mib_s: NotRequired[float]
    rate_share: NotRequired[float]
    spares: Sequence[str]

class VolumeTable(TypedDict):
    """`volume`."""

    accept_uneven: NotRequired[bool]
    drives: Sequence[str]
    layout: VolumeLayoutTable
    name: str
    rebuild: NotRequired[VolumeRebuildTable]

class WorkloadIntervalMsConstantTable(TypedDict):
    """`workload.interval_ms`."""

    kind: Literal["constant"]
    value: float

class WorkloadIntervalMsUniformTable(TypedDict):
    """`workload.interval_ms`."""

    kind: Literal["uniform"]
    least: float
    most: float

class WorkloadIntervalMsNormalTable(TypedDict):
    """`workload.interval_ms`."""

    kind: Literal["normal"]
    mean: float
    variance: float

class WorkloadIntervalMsExponentialTable(TypedDict):
    """`workload.interval_ms`."""

    base: NotRequired[float]
    kind: Literal["exponential"]
    mean: float

class WorkloadIntervalMsPoissonTable(TypedDict):
    """`workload.interval_ms`."""

    base: NotRequired[float]
    kind: Literal["poisson"]
    mean: float

class WorkloadIntervalMsBurstyTable(TypedDict):
    """`workload.interval_ms`."""

    between: float
    kind: Literal["bursty"]
    length: float
    within: float

class WorkloadIntervalMsTwoValueTable(TypedDict):
    """`workload.interval_ms`."""

    kind: Literal["two-value"]
    other: float
    share: float
    usual: float

WorkloadIntervalMsTable: TypeAlias = (
    WorkloadIntervalMsConstantTable
    | WorkloadIntervalMsUniformTable
    | WorkloadIntervalMsNormalTable
    | WorkloadIntervalMsExponentialTable
    | WorkloadIntervalMsPoissonTable
    | WorkloadIntervalMsBurstyTable
    | WorkloadIntervalMsTwoValueTable
)

class WorkloadPatternSpreadUniformTable(TypedDict):
    """`workload.pattern.spread`."""

    kind: Literal["uniform"]

class WorkloadPatternSpreadZipfTable(TypedDict):
    """`workload.pattern.spread`."""

    kind: Literal["zipf"]
    parts: NotRequired[int]
    theta: float

WorkloadPatternSpreadTable: TypeAlias = (
    WorkloadPatternSpreadUniformTable | WorkloadPatternSpreadZipfTable
)

class WorkloadPatternTable(TypedDict):
    """`workload.pattern`."""

    block: NotRequired[int | str]
    local_distance_sectors: NotRequired[WorkloadIntervalMsTable]
    local_share: NotRequired[float]
    max_size: NotRequired[int | str]
    read_share: NotRequired[float]
    sequential_share: NotRequired[float]
    size_sectors: NotRequired[WorkloadIntervalMsTable]
    span: NotRequired[int | str]
    spread: NotRequired[WorkloadPatternSpreadTable]

class WorkloadOpenTable(TypedDict):
    """`workload`."""

    interval_ms: WorkloadIntervalMsTable
    kind: Literal["open"]
    name: NotRequired[str]
    pattern: NotRequired[WorkloadPatternTable]
    requests: NotRequired[int]
    tags: NotRequired[DriveTagsTable]
    volumes: NotRequired[Sequence[str]]

class WorkloadClosedTable(TypedDict):
    """`workload`."""

    kind: Literal["closed"]
    name: NotRequired[str]
    pattern: NotRequired[WorkloadPatternTable]
    population: int
    requests: NotRequired[int]
    tags: NotRequired[DriveTagsTable]
    think_ms: NotRequired[WorkloadIntervalMsTable]
    volumes: NotRequired[Sequence[str]]

class WorkloadProcessesTable(TypedDict):
    """`workload`."""

    count: int
    critical_share: NotRequired[float]
    interval_ms: WorkloadIntervalMsTable
    kind: Literal["processes"]
    limit_ms: NotRequired[WorkloadIntervalMsTable]
    limited_share: NotRequired[float]
    local_interval_ms: NotRequired[WorkloadIntervalMsTable]
    name: NotRequired[str]
    pattern: NotRequired[WorkloadPatternTable]
    requests: NotRequired[int]
    sequential_interval_ms: NotRequired[WorkloadIntervalMsTable]
    tags: NotRequired[DriveTagsTable]
    volumes: NotRequired[Sequence[str]]

class WorkloadMapTable(TypedDict):
    """`workload.map`."""

    device: NotRequired[int]
    location_bytes: NotRequired[int]
    named: NotRequired[str]
    offset_sectors: NotRequired[int]
    size_scale: NotRequired[float]
    volume: str

class WorkloadTimingOpenTable(TypedDict):
    """`workload.timing`."""

    kind: Literal["open"]
    own_clock: NotRequired[bool]
    time_scale: NotRequired[float]

class WorkloadTimingClosedTable(TypedDict):
    """`workload.timing`."""

    kind: Literal["closed"]
    population: int

WorkloadTimingTable: TypeAlias = WorkloadTimingOpenTable | WorkloadTimingClosedTable

class WorkloadTraceTable(TypedDict):
    """`workload`."""

    beyond: NotRequired[Literal["stop", "skip", "wrap"]]
    columns: NotRequired[str]
    file: str | PathLike[str] | Trace
    format: NotRequired[str]
    kind: Literal["trace"]
    map: NotRequired[Sequence[WorkloadMapTable]]
    name: NotRequired[str]
    requests: NotRequired[int]
    tags: NotRequired[DriveTagsTable]
    timing: NotRequired[WorkloadTimingTable]

class WorkloadModelSystemTable(TypedDict):
    """`workload.model`."""

    context_switch_ms: NotRequired[float]
    flush_ms: NotRequired[float]
    interrupt_ms: NotRequired[float]
    issue_to_sleep_ms: NotRequired[float]
    kind: Literal["system"]
    memory_pages: NotRequired[int]
    processors: NotRequired[int]
    software: NotRequired[Literal["linux", "svr4-mp"]]
    speed: NotRequired[float]
    wake_up_ms: NotRequired[float]

class WorkloadModelOpenTable(TypedDict):
    """`workload.model`."""

    kind: Literal["open"]
    time_scale: NotRequired[float]

class WorkloadModelClosedTable(TypedDict):
    """`workload.model`."""

    kind: Literal["closed"]
    population: NotRequired[int]

WorkloadModelTable: TypeAlias = (
    WorkloadModelSystemTable | WorkloadModelOpenTable | WorkloadModelClosedTable
)

class WorkloadFlowTable(TypedDict):
    """`workload`."""

    file: str | PathLike[str] | Trace
    kind: Literal["flow"]
    model: NotRequired[WorkloadModelTable]
    name: NotRequired[str]
    tags: NotRequired[DriveTagsTable]
    volume: NotRequired[str]

WorkloadTable: TypeAlias = (
    WorkloadOpenTable
    | WorkloadClosedTable
    | WorkloadProcessesTable
    | WorkloadTraceTable
    | WorkloadFlowTable
)
