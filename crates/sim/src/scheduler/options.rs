//! The parameters of a queue: policy, time-out, rules about addresses, and tags.

use super::PolicyKind;
use platterlab_units::{Operation, Span};
use platterlab_workload::Criticality;

/// Requests that have waited too long are served before others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeoutRule {
    /// How long is too long.
    pub after: Span,
    /// The order among them.
    pub policy: PolicyKind,
    /// In two steps: late after half of it, and among the critical ones after all of it.
    pub halves: bool,
}

/// Requests that continue each other become one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combine {
    /// Whether reads are combined.
    pub reads: bool,
    /// Whether writes are combined.
    pub writes: bool,
    /// No command becomes longer.
    pub max_sectors: u32,
}

/// A request that continues the one chosen last comes next, whatever the policy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// Whether reads that continue reads do.
    pub reads: bool,
    /// Whether writes that continue writes do.
    pub writes: bool,
    /// Whether reads may continue writes, and writes reads.
    pub mixed: bool,
    /// How many sectors may be left out between them.
    pub max_gap_sectors: u64,
}

/// What is made of requests for the same sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// Nothing: they may pass each other.
    #[default]
    Free,
    /// Two of which one is a write keep their order.
    InOrder,
    /// The same, and a read whose sectors all lie in a read that is chosen is answered with it.
    Answered,
}

/// How a command is marked for the drive's own queue (SCSI-2, clause 7.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tag {
    /// The drive chooses.
    #[default]
    Simple,
    /// After all that came before it, and before all that comes later.
    Ordered,
    /// Next.
    HeadOfQueue,
}

/// Which tag commands get that bring none themselves, by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagRule {
    /// What a process waits for, or may come to wait for.
    pub critical: Tag,
    /// Other reads.
    pub reads: Tag,
    /// Other writes.
    pub writes: Tag,
}

/// How a queue chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueOptions {
    /// The order among the rest.
    pub policy: PolicyKind,
    /// Requests that a process waits for, or may come to wait for, go before all others in this
    /// order (Ganger–Patt 1998, §5.3: two lists).
    pub critical: Option<PolicyKind>,
    /// Whether a request that somebody comes to wait for joins them.
    pub promote: bool,
    /// After each of them, nothing else is begun for so long: the next may be near, and the arm
    /// would have left.
    pub anticipate: Span,
    /// Requests that have waited too long go next.
    pub timeout: Option<TimeoutRule>,
    /// Requests that continue each other; for the driver's queues and the drive's.
    pub combine: Option<Combine>,
    /// Requests of one stream.
    pub together: Option<Together>,
    /// Requests for the same sectors.
    pub overlap: Overlap,
    /// Tags; for a drive's own queue, which gives out one command at a time.
    pub tags: Option<TagRule>,
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

impl QueueOptions {
    /// One list in the order of `policy`.
    #[must_use]
    pub fn of(policy: PolicyKind) -> Self {
        Self {
            policy,
            critical: None,
            promote: false,
            anticipate: Span::ZERO,
            timeout: None,
            combine: None,
            together: None,
            overlap: Overlap::Free,
            tags: None,
        }
    }

    /// Whether requests must know where they lie on the media.
    #[must_use]
    pub fn needs_place(&self) -> bool {
        let timeout = self.timeout.map(|rule| rule.policy);
        [Some(self.policy), self.critical, timeout]
            .into_iter()
            .flatten()
            .any(PolicyKind::needs_place)
    }
}
