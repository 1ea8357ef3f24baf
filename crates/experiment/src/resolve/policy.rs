//! Queues: from the file's sizes to sectors, and schedulers by their words.

use super::sectors_32;
use crate::options::Scheduler;
use platterlab_profile::Size;
use platterlab_profile::file::{Fault, KeyPath, check, schema_of};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_units::Span;

/// A queue for drives with sectors of this many bytes; `at` is the table that states it.
pub(crate) fn queue(
    stated: QueueOptions<Size>,
    sector_bytes: u32,
    at: &KeyPath,
) -> Result<QueueOptions, Fault> {
    if stated.timeout.is_some_and(|rule| rule.after == Span::ZERO) {
        let what = "is 0: every request would be late at once; write more, or leave `timeout` out";
        return Err(Fault::new(at.key("timeout").key("after_ms"), what));
    }
    let late = stated.timeout.map(|rule| rule.scheduler);
    for (key, scheduler) in [
        (at.key("scheduler"), Some(stated.scheduler)),
        (at.key("critical"), stated.critical),
        (at.key("timeout").key("scheduler"), late),
    ] {
        if scheduler.is_some_and(Scheduler::reckons_twice) {
            let what = "is true, and so is `from_last_sector`: these are two ways to reckon time; \
                        leave one out";
            return Err(Fault::new(key.key("at_once"), what));
        }
    }
    stated.in_units(|size| {
        sectors_32(size, sector_bytes, at.key("rules").key("combine").key("max_size"))
    })
}

/// The scheduler of an experiment's word, with the defaults of everything else.
///
/// # Errors
/// There is none of that name; the message says which there are.
pub fn scheduler_named(word: &str) -> Result<Scheduler, String> {
    let table = toml::Table::from_iter([("kind".to_owned(), toml::Value::from(word))]);
    check(&schema_of::<Scheduler>().to_value(), &table)
        .map_err(|fault| format!("scheduler {}", fault.what))?;
    table.try_into().map_err(|error| format!("scheduler: {error}"))
}
