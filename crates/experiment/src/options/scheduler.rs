//! The keys of queues: schedulers, time-outs, rules about addresses, tags, and the host.

use platterlab_profile::Size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The host and its driver, which has a queue for each device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Host {
    /// The order in which waiting requests are served.
    pub scheduler: Scheduler,
    /// Requests that a process waits for, or may come to wait for, go before all others, in this
    /// order. Without it, criticality makes no difference.
    pub critical: Option<Scheduler>,
    /// Whether a request that a process comes to wait for later joins the critical ones.
    pub promote: bool,
    /// After each critical request, nothing else is begun for so long, in milliseconds: the next may
    /// be near, and the arm would have left.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub anticipate_ms: f64,
    /// Requests that have waited too long go before others.
    pub timeout: Option<Timeout>,
    /// What goes before the scheduler: streams and overlaps.
    pub rules: Rules,
    /// What starting a read takes, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub read_ms: f64,
    /// What starting a write takes, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub write_ms: f64,
    /// Processors on which the processes of all workloads think; without it each has its own.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub processors: Option<u32>,
    /// Which of the processors go on with a process whose request has come.
    pub woken: WokenKind,
}

/// Which processors go on after they found no process to go on with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WokenKind {
    /// All of them.
    #[default]
    All,
    /// The first alone, as if it took all interrupts and did not call the others: any other that
    /// found nothing to do is lost for the rest of the run.
    First,
}

/// Requests that have waited too long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timeout {
    /// How long is too long, in milliseconds.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub after_ms: f64,
    /// The order among them.
    #[serde(default)]
    pub scheduler: Scheduler,
    /// Whether requests count as late after half of it, and as critical after all of it.
    #[serde(default)]
    pub halves: bool,
}

/// Rules about addresses that go before any policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Requests that continue each other become one command.
    pub combine: Option<CombineRule>,
    /// A request that continues the one chosen last comes next, whatever the policy says.
    pub together: Option<TogetherRule>,
    /// What is made of requests for the same sectors.
    pub overlap: OverlapKind,
}

/// Requests that continue each other become one command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CombineRule {
    /// No command becomes longer.
    pub max_size: Size,
    /// Whether reads are combined.
    #[serde(default)]
    pub reads: bool,
    /// Whether writes are combined.
    #[serde(default)]
    pub writes: bool,
}

/// A request that continues the one chosen last comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TogetherRule {
    /// Whether reads that continue reads do.
    pub reads: bool,
    /// Whether writes that continue writes do.
    pub writes: bool,
    /// Whether reads may continue writes, and writes reads.
    pub mixed: bool,
    /// How many sectors may be left out between them.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub max_gap_sectors: u64,
}

/// What is made of requests for the same sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverlapKind {
    /// Nothing: they may pass each other.
    #[default]
    Free,
    /// Two of which one is a write keep their order.
    InOrder,
    /// The same, and a read whose sectors all lie in a read that is chosen is answered with it.
    Answered,
}

/// Which tag commands get in a drive's own queue (SCSI-2, clause 7.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tags {
    /// What a process waits for, or may come to wait for.
    pub critical: TagKind,
    /// Other reads.
    pub reads: TagKind,
    /// Other writes.
    pub writes: TagKind,
}

/// How a command is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TagKind {
    /// The drive chooses.
    #[default]
    Simple,
    /// After all that came before it, and before all that comes later.
    Ordered,
    /// Next.
    HeadOfQueue,
}

/// A scheduling policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Scheduler {
    /// First come, first served.
    Fcfs {},
    /// On in the same direction, and back where nothing is left in it (the elevator).
    Look {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// Upwards only, then back to the lowest.
    CLook {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// The nearest.
    Sstf {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// The nearest, turning back at the cost of a share of the range: V-SCAN(R) (Geist and Daniel
    /// 1987).
    VScan {
        /// What is compared.
        #[serde(default)]
        by: By,
        /// The share, R.
        #[schemars(range(min = 0.0, max = 1.0))]
        turn_share: f64,
    },
    /// What waits when a batch begins is served, upwards, before anything that comes later.
    Batch {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// Linux's `mq-deadline`: batches of reads or of writes, upwards, reads first. A batch begins with
    /// what has waited too long. Its defaults are the kernel's.
    MqDeadline {
        /// How long a read may wait, in milliseconds.
        #[serde(default = "read_expire")]
        #[schemars(range(min = 0.0, max = 1e9))]
        read_expire_ms: f64,
        /// How long a write may wait, in milliseconds.
        #[serde(default = "write_expire")]
        #[schemars(range(min = 0.0, max = 1e9))]
        write_expire_ms: f64,
        /// Requests of a batch at most; deadlines are looked at between batches.
        #[serde(default = "fifo_batch")]
        #[schemars(range(min = 1, max = 1_000_000))]
        fifo_batch: u32,
        /// How many batches of reads may go before waiting writes.
        #[serde(default = "writes_starved")]
        #[schemars(range(min = 0, max = 1_000_000))]
        writes_starved: u32,
    },
    /// Shortest positioning time.
    Sptf {},
    /// Shortest positioning time, reckoned from where and when a sector last passed under the head,
    /// without overheads, and a turn longer for what the head would meet in its middle; as DiskSim
    /// does it. `sptf` knows what the arm does since.
    SptfFromLastSector {},
    /// The lowest address, wherever the arm is.
    LowestFirst {},
    /// Shortest positioning time, none for what the drive's cache holds.
    Spctf {},
    /// Shortest time until the last sector.
    Satf {},
    /// Shortest positioning time less a share of the time waited.
    AgedSptf {
        /// Milliseconds forgiven for each millisecond waited.
        #[schemars(range(min = 0.0, max = 1_000.0))]
        weight: f64,
        /// Whether what the cache holds needs no positioning.
        #[serde(default)]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[serde(default)]
        with_transfer: bool,
        /// Whether time is reckoned as `sptf-from-last-sector` does.
        #[serde(default)]
        from_last_sector: bool,
    },
    /// Shortest positioning time, scaled down to nothing as the wait nears a limit.
    WeightedSptf {
        /// The limit, in milliseconds.
        #[schemars(range(min = 0.001, max = 1e9))]
        limit_ms: f64,
        /// Whether what the cache holds needs no positioning.
        #[serde(default)]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[serde(default)]
        with_transfer: bool,
        /// Whether time is reckoned as `sptf-from-last-sector` does.
        #[serde(default)]
        from_last_sector: bool,
    },
}

impl Default for Scheduler {
    fn default() -> Self {
        Self::Fcfs {}
    }
}

fn read_expire() -> f64 {
    500.0
}

fn write_expire() -> f64 {
    5_000.0
}

fn fifo_batch() -> u32 {
    16
}

fn writes_starved() -> u32 {
    2
}

/// What policies of place compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// First sectors.
    #[default]
    Lba,
    /// Cylinders of first sectors.
    Cylinder,
}
