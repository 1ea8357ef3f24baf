//! Place and time of the last sector under the head: all that is known of the arm to someone who
//! hears of sectors alone, and not of seeks.

use crate::mechanism::Arm;
use platterlab_units::Time;

/// The end of a sector, and where the arm was then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) at: Time,
    pub(crate) arm: Arm,
}

/// Sectors being transferred: from when on, and the last of them.
#[derive(Clone, Copy, Debug, Default)]
struct Transfer {
    first: Time,
    last: Passed,
}

/// The last transfers. A write can still be under way when the next one has been taken, and only
/// then, so that two and what was before them are enough.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PassedSectors {
    before: Passed,
    transfers: [Transfer; 2],
}

impl PassedSectors {
    /// A transfer that is over, and all before it.
    pub(crate) fn done(&mut self, last: Passed) {
        *self = Self { before: last, transfers: [Transfer { first: last.at, last }; 2] };
    }

    /// A transfer from `first` on, perhaps still to come.
    pub(crate) fn begin(&mut self, first: Time, last: Passed) {
        let [over, under_way] = self.transfers;
        self.before = over.last;
        self.transfers = [under_way, Transfer { first, last }];
    }

    /// What had passed last at `now`.
    pub(crate) fn by(&self, now: Time) -> Passed {
        let begun = self.transfers.iter().rev().find(|transfer| transfer.first < now);
        let last = begun.map_or(self.before, |transfer| transfer.last);
        Passed { at: last.at.min(now), ..last }
    }

    /// All times, each through `change`.
    pub(crate) fn each_time(&mut self, change: impl Fn(Time) -> Time) {
        self.before.at = change(self.before.at);
        for transfer in &mut self.transfers {
            transfer.first = change(transfer.first);
            transfer.last.at = change(transfer.last.at);
        }
    }
}
