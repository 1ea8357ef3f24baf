//! The commands that wait in a device until its own scheduler chooses one.

use super::{Model, OnClock};
use crate::scheduler::{Queue, QueueOptions, Waiting};
use platterlab_units::Stamp;
use std::collections::BTreeMap;

/// The queue of a device, which knows where the reads in it continue.
#[derive(Clone, Debug)]
pub(crate) struct DeviceQueue {
    queue: Queue,
    /// The reads in it, by their first sectors: where each ends.
    reads: BTreeMap<u64, u64>,
}

impl DeviceQueue {
    /// An empty one of this device.
    pub(crate) fn new(options: &QueueOptions, model: &Model) -> Self {
        let queue = Queue::new(options, model.sectors(), model.cylinders());
        Self { queue, reads: BTreeMap::new() }
    }

    /// A command comes into the device, and waits.
    pub(crate) fn push(&mut self, waiting: Waiting) {
        if waiting.operation.is_read() {
            self.reads.insert(waiting.lba, waiting.end());
        }
        self.queue.push(waiting);
    }

    /// The next command of the device; those that are served with it are its [`DeviceQueue::riders`].
    pub(crate) fn pop(&mut self, now: Stamp, device: &OnClock) -> Option<Waiting> {
        let next = self.queue.pop(now, device)?;
        let riders = self.queue.riders().iter();
        for one in riders.chain([&next]).filter(|one| one.operation.is_read()) {
            self.reads.remove(&one.lba);
        }
        Some(next)
    }

    /// The commands that are served with the one chosen last.
    pub(crate) fn riders(&mut self) -> &mut Vec<Waiting> {
        self.queue.riders()
    }

    /// Somebody has come to wait for these commands.
    pub(crate) fn promote(&mut self, is_awaited: impl Fn(u32) -> bool) {
        self.queue.promote(is_awaited);
    }

    /// Where the reads end that wait here and continue each other from `end` on.
    pub(crate) fn continued_to(&self, mut end: u64) -> u64 {
        while let Some(&next) = self.reads.get(&end) {
            end = next;
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::{AccessLaw, SimpleDevice, SimpleParams};
    use crate::scheduler::Scheduler;
    use platterlab_units::{Moment, Operation, Span};
    use platterlab_workload::Criticality;

    #[test]
    fn a_write_takes_no_read_away_that_begins_where_it_does() {
        let params = SimpleParams {
            sectors: 1_000,
            sector_bytes: 512,
            overhead: Span::ZERO,
            access: AccessLaw::Constant { time: Span::from_us(1) },
            sector_time: Span::ZERO,
        };
        let model = Model::Simple(Box::new(SimpleDevice::new(params, 1)));
        let mut queue = DeviceQueue::new(&QueueOptions::of(Scheduler::Fcfs), &model);
        let (read, write) = (Operation::Read, Operation::Write);
        for (id, operation, lba) in [(0, write, 8), (1, read, 8), (2, read, 16)] {
            let waiting = Waiting {
                id,
                sequence: id.into(),
                arrival: Moment::from(Stamp::ZERO),
                lba,
                sectors: 8,
                operation,
                criticality: Criticality::Critical,
                order: None,
                place: None,
            };
            queue.push(waiting);
        }
        let mut ends = Vec::new();
        while queue.pop(Stamp::ZERO, &model.view()).is_some() {
            ends.push(queue.continued_to(8));
        }
        assert_eq!(ends, [24, 8, 8]);
    }
}
