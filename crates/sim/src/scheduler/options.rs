//! The parameters of a queue: policy, time-out, rules about addresses, and tags.

use super::Scheduler;
use platterlab_units::{Operation, Span};
use platterlab_workload::Criticality;

/// Requests that have waited too long are served before others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields))]
pub struct TimeoutRule {
    /// How long is too long, in milliseconds.
    #[cfg_attr(
        feature = "file",
        serde(rename = "after_ms"),
        schemars(range(min = 0.0, max = 1e9))
    )]
    pub after: Span,
    /// The order among them.
    #[cfg_attr(feature = "file", serde(default))]
    pub scheduler: Scheduler,
    /// Whether requests count as late after half of it, and as critical after all of it.
    #[cfg_attr(feature = "file", serde(default))]
    pub halves: bool,
}

/// Rules about addresses that go before any policy. Sizes are sectors; in a file, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields, default))]
#[cfg_attr(
    feature = "file",
    schemars(bound = "S: schemars::JsonSchema + serde::Serialize + Default")
)]
pub struct Rules<S = u32> {
    /// Requests that continue each other become one command.
    pub combine: Option<Combine<S>>,
    /// A request that continues the one chosen last comes next, whatever the policy says.
    pub together: Option<Together>,
    /// The treatment of requests for the same sectors.
    pub overlap: Overlap,
}

/// Requests that continue each other become one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields))]
pub struct Combine<S = u32> {
    /// No command becomes longer.
    #[cfg_attr(feature = "file", serde(rename = "max_size"))]
    pub max_sectors: S,
    /// Whether reads are combined.
    #[cfg_attr(feature = "file", serde(default))]
    pub reads: bool,
    /// Whether writes are combined.
    #[cfg_attr(feature = "file", serde(default))]
    pub writes: bool,
}

/// A request that continues the one chosen last comes next, or in its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields, default))]
pub struct Together {
    /// Whether reads that continue reads do.
    pub reads: bool,
    /// Whether writes that continue writes do.
    pub writes: bool,
    /// Whether reads may continue writes, and writes reads.
    pub mixed: bool,
    /// How many sectors may be left out between them.
    #[cfg_attr(feature = "file", schemars(range(min = 0, max = 1_000_000_000)))]
    pub max_gap_sectors: u64,
    /// Whether it is only thought of once the one before it is chosen, and then like any other, as in
    /// DiskSim, rather than coming next whatever the policy says.
    pub in_turn: bool,
}

/// The treatment of requests for the same sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Overlap {
    /// Nothing: they may pass each other.
    #[default]
    Free,
    /// Two of which one is a write keep their order.
    InOrder,
    /// The same, and a read whose sectors all lie in a read that is chosen is answered with it.
    Answered,
}

/// The tag of commands in a drive's own queue (SCSI-2, clause 7.8), where they bring none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields, default))]
pub struct TagRule {
    /// Requests that a process waits for, or may come to wait for.
    pub critical: Tag,
    /// Other reads.
    pub reads: Tag,
    /// Other writes.
    pub writes: Tag,
}

/// How a command is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Tag {
    /// The drive chooses.
    #[default]
    Simple,
    /// After all that came before it, and before all that comes later.
    Ordered,
    /// Next.
    HeadOfQueue,
}

/// How a queue chooses. Sizes are sectors; as an experiment states them, bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueOptions<S = u32> {
    /// The order among the rest.
    pub scheduler: Scheduler,
    /// Requests that a process waits for, or may come to wait for, go before all others in this
    /// order (Ganger–Patt 1998, §5.3: two lists).
    pub critical: Option<Scheduler>,
    /// Whether a request that somebody comes to wait for joins them.
    pub promote: bool,
    /// After each of them, nothing else is begun for so long: the next may be near, and the arm
    /// would have left.
    pub anticipate: Span,
    /// Requests that have waited too long go next.
    pub timeout: Option<TimeoutRule>,
    /// Rules that go before the policy; for the driver's queues and the drive's.
    pub rules: Rules<S>,
    /// Tags; for a drive's own queue, which gives out one command at a time.
    pub tags: Option<TagRule>,
}

impl<S> Rules<S> {
    /// The same with sizes in another unit.
    ///
    /// # Errors
    /// The first that cannot be converted.
    pub fn in_units<U, E>(self, size: impl Fn(S) -> Result<U, E>) -> Result<Rules<U>, E> {
        let Self { combine, together, overlap } = self;
        let combine = match combine {
            None => None,
            Some(Combine { max_sectors, reads, writes }) => {
                Some(Combine { max_sectors: size(max_sectors)?, reads, writes })
            }
        };
        Ok(Rules { combine, together, overlap })
    }
}

impl TagRule {
    /// The tag of a command.
    #[must_use]
    pub fn of(self, criticality: Criticality, operation: Operation) -> Tag {
        match (criticality, operation) {
            (Criticality::Critical | Criticality::Limited, _) => self.critical,
            (_, Operation::Read) => self.reads,
            (_, Operation::Write) => self.writes,
        }
    }
}

impl<S: Default> QueueOptions<S> {
    /// One list in the order of `scheduler`.
    #[must_use]
    pub fn of(scheduler: Scheduler) -> Self {
        Self {
            scheduler,
            critical: None,
            promote: false,
            anticipate: Span::ZERO,
            timeout: None,
            rules: Rules::default(),
            tags: None,
        }
    }
}

impl<S> QueueOptions<S> {
    /// The same with sizes in another unit.
    ///
    /// # Errors
    /// The first that cannot be converted.
    pub fn in_units<U, E>(self, size: impl Fn(S) -> Result<U, E>) -> Result<QueueOptions<U>, E> {
        let Self { scheduler, critical, promote, anticipate, timeout, rules, tags } = self;
        let rules = rules.in_units(size)?;
        Ok(QueueOptions { scheduler, critical, promote, anticipate, timeout, rules, tags })
    }

    /// Whether requests must know where they lie on the media.
    #[must_use]
    pub fn needs_place(&self) -> bool {
        let timeout = self.timeout.map(|rule| rule.scheduler);
        [Some(self.scheduler), self.critical, timeout]
            .into_iter()
            .flatten()
            .any(Scheduler::needs_place)
    }
}
