//! Queues: from the file's scheduler, time-outs, rules and tags to the simulator's.

use super::{ms, sectors_32};
use crate::options::{By, OverlapKind, Rules, Scheduler, TagKind, Tags, Timeout, WokenKind};
use platterlab_profile::file::{Fault, KeyPath, check, schema_of};
use platterlab_sim::scheduler::{
    Combine, Deadlines, Key, Overlap, PolicyKind, QueueOptions, Tag, TagRule, TimeoutRule, Together,
};
use platterlab_sim::source::Woken;
use platterlab_units::Span;

/// A queue as a table states it.
#[derive(Clone, Copy)]
pub(crate) struct Stated {
    pub(crate) scheduler: Scheduler,
    pub(crate) critical: Option<Scheduler>,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) rules: Rules,
    pub(crate) tags: Option<Tags>,
}

impl Stated {
    /// The queue for drives with sectors of so many bytes; `at` is its table.
    pub(crate) fn queue(self, sector_bytes: u32, at: &KeyPath) -> Result<QueueOptions, Fault> {
        let Self { scheduler, critical, timeout, rules, tags } = self;
        if timeout.is_some_and(|rule| rule.after_ms <= 0.0) {
            let what = "is 0: every request would be late at once; write more, or leave `timeout` \
                        out";
            return Err(Fault::new(at.key("timeout").key("after_ms"), what));
        }
        let combine = match rules.combine {
            None => None,
            Some(rule) => {
                let at = at.key("rules").key("combine").key("max_size");
                let max_sectors = sectors_32(rule.max_size, sector_bytes, at)?;
                Some(Combine { reads: rule.reads, writes: rule.writes, max_sectors })
            }
        };
        let together = rules.together.map(|rule| Together {
            reads: rule.reads,
            writes: rule.writes,
            mixed: rule.mixed,
            max_gap_sectors: rule.max_gap_sectors,
        });
        Ok(QueueOptions {
            policy: policy(scheduler),
            critical: critical.map(policy),
            promote: false,
            anticipate: Span::ZERO,
            timeout: timeout.map(|rule| TimeoutRule {
                after: ms(rule.after_ms),
                policy: policy(rule.scheduler),
                halves: rule.halves,
            }),
            combine,
            together,
            overlap: match rules.overlap {
                OverlapKind::Free => Overlap::Free,
                OverlapKind::InOrder => Overlap::InOrder,
                OverlapKind::Answered => Overlap::Answered,
            },
            tags: tags.map(tag_rule),
        })
    }
}

pub(crate) fn tag_rule(tags: Tags) -> TagRule {
    let Tags { critical, reads, writes } = tags;
    TagRule { critical: tag(critical), reads: tag(reads), writes: tag(writes) }
}

/// Which processors go on.
pub(crate) fn woken(kind: WokenKind) -> Woken {
    match kind {
        WokenKind::All => Woken::All,
        WokenKind::First => Woken::First,
    }
}

/// The scheduler of a word, as an experiment has it, with the defaults of everything else.
///
/// # Errors
/// There is none of that name; the message says which there are.
pub fn scheduler_named(word: &str) -> Result<PolicyKind, String> {
    let table = toml::Table::from_iter([("kind".to_owned(), toml::Value::from(word))]);
    check(&schema_of::<Scheduler>().to_value(), &table)
        .map_err(|fault| format!("scheduler {}", fault.what))?;
    let stated: Scheduler = table.try_into().map_err(|error| format!("scheduler: {error}"))?;
    Ok(policy(stated))
}

fn tag(kind: TagKind) -> Tag {
    match kind {
        TagKind::Simple => Tag::Simple,
        TagKind::Ordered => Tag::Ordered,
        TagKind::HeadOfQueue => Tag::HeadOfQueue,
    }
}

fn policy(scheduler: Scheduler) -> PolicyKind {
    let key = |by| match by {
        By::Lba => Key::Lba,
        By::Cylinder => Key::Cylinder,
    };
    match scheduler {
        Scheduler::Fcfs {} => PolicyKind::Fcfs,
        Scheduler::Look { by } => PolicyKind::Look(key(by)),
        Scheduler::CLook { by } => PolicyKind::CLook(key(by)),
        Scheduler::Sstf { by } => PolicyKind::Sstf(key(by)),
        Scheduler::VScan { by, turn_share } => PolicyKind::Vscan(key(by), turn_share),
        Scheduler::Batch { by } => PolicyKind::Batch(key(by)),
        Scheduler::MqDeadline { read_expire_ms, write_expire_ms, fifo_batch, writes_starved } => {
            PolicyKind::MqDeadline(Deadlines {
                read: ms(read_expire_ms),
                write: ms(write_expire_ms),
                batch: fifo_batch,
                writes_starved,
            })
        }
        Scheduler::Sptf {} => PolicyKind::Sptf,
        Scheduler::SptfFromLastSector {} => PolicyKind::SptfFromLastSector,
        Scheduler::Spctf {} => PolicyKind::Spctf,
        Scheduler::Satf {} => PolicyKind::Satf,
        Scheduler::LowestFirst {} => PolicyKind::LowestFirst,
        Scheduler::AgedSptf { weight, cache_aware, with_transfer, from_last_sector } => {
            PolicyKind::AgedSptf { weight, cache_aware, with_transfer, from_last_sector }
        }
        Scheduler::WeightedSptf { limit_ms, cache_aware, with_transfer, from_last_sector } => {
            let limit = ms(limit_ms);
            PolicyKind::WeightedSptf { limit, cache_aware, with_transfer, from_last_sector }
        }
    }
}
