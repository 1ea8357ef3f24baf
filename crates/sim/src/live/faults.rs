//! Faults on purpose: what a device does wrong and from when on, and what that does to a request.

use super::{Ask, LiveRequest};
use crate::chance::LatencyStream;
use crate::drive::Model;
use platterlab_units::{Lapse, Operation, Span, Stamp};

/// What is wrong with a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// These sectors cannot be read, until they are written.
    Unreadable {
        /// The first.
        lba: u64,
        /// How many.
        sectors: u64,
    },
    /// These sectors are read only after more revolutions.
    SlowSectors {
        /// The first.
        lba: u64,
        /// How many.
        sectors: u64,
        /// More revolutions.
        turns: u32,
    },
    /// A head that reads and writes nothing.
    DeadHead {
        /// Its surface.
        surface: u32,
    },
    /// Some requests take longer.
    FailSlow {
        /// Those that do this; `None` for all.
        operation: Option<Operation>,
        /// How many times as long, in thousandths.
        thousandths: u64,
        /// How many of a million requests.
        of_million: u32,
    },
    /// Nothing is answered.
    Hang,
    /// It is not there: whatever is asked fails at once.
    Gone,
    /// The battery behind its written data is empty.
    DeadBattery,
}

/// A fault and its time, by the device's own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// From then on.
    pub from: Stamp,
    /// Until then.
    pub until: Stamp,
}

impl DeviceFault {
    fn holds(&self, now: Stamp) -> bool {
        (self.from..self.until).contains(&now)
    }
}

/// All that is wrong with a device.
#[derive(Clone, Debug)]
pub struct Faults {
    faults: Vec<DeviceFault>,
    /// A sector that cannot be read is tried for so long.
    recovery: Span,
    chance: LatencyStream,
}

/// What faults do to a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate {
    /// It takes so much longer, turning.
    pub(super) rotation: Span,
    /// And so much, waiting.
    pub(super) wait: Lapse,
    /// It ends with an error.
    pub(super) failed: bool,
}

impl Faults {
    /// Faults whose chances follow from `seed`. What cannot be read or written is tried for
    /// `recovery`, in whole revolutions and at least once more.
    #[must_use]
    pub fn new(faults: Vec<DeviceFault>, recovery: Span, seed: u64) -> Self {
        let chance = LatencyStream::named(seed, u64::from_le_bytes(*b"faults  "));
        Self { faults, recovery, chance }
    }

    /// When the device vanishes, if it does before `by`.
    pub(super) fn gone_by(&self, by: Stamp) -> Option<Stamp> {
        let gone = self.faults.iter().filter(|fault| fault.kind == FaultKind::Gone);
        gone.filter(|fault| fault.from <= by && by < fault.until).map(|fault| fault.from).min()
    }

    /// Whether the battery is empty.
    pub(super) fn battery_is_dead(&self, now: Stamp) -> bool {
        self.faults.iter().any(|fault| fault.kind == FaultKind::DeadBattery && fault.holds(now))
    }

    /// What becomes of a request that is served from `now` on and would take `took`.
    pub(super) fn fate(
        &mut self,
        now: Stamp,
        request: &LiveRequest,
        took: Span,
        model: &Model,
    ) -> Fate {
        let mut fate = Fate::default();
        let turn = model.revolution().max(Span::from_ps(1));
        let mut given_up = false;
        for fault in self.faults.iter().filter(|fault| fault.holds(now)) {
            match fault.kind {
                FaultKind::Unreadable { lba, sectors } => {
                    given_up |= request.ask == Ask::Read && touches(request, lba, sectors);
                }
                FaultKind::SlowSectors { lba, sectors, turns } => {
                    if request.ask == Ask::Read && touches(request, lba, sectors) {
                        fate.rotation += turn * u64::from(turns);
                    }
                }
                FaultKind::DeadHead { surface } => given_up |= is_on(request, surface, model),
                FaultKind::FailSlow { operation, thousandths, of_million } => {
                    let hit = moves_data(request)
                        && operation.is_none_or(|it| it == super::operation_of(request.ask))
                        && self.chance.below(1_000_000) < of_million;
                    if hit {
                        fate.wait += more(took, thousandths);
                    }
                }
                FaultKind::Hang | FaultKind::Gone | FaultKind::DeadBattery => {}
            }
        }
        if given_up {
            fate.failed = true;
            fate.rotation += turn * (self.recovery.as_ps() / turn.as_ps()).max(1);
        }
        let end = now + took + fate.rotation + fate.wait;
        fate.wait += self.hanging(now, end);
        fate
    }

    /// How much longer it takes what would go from `now` to `end`, for the device does nothing in
    /// between.
    fn hanging(&self, now: Stamp, end: Stamp) -> Lapse {
        let mut more = Lapse::ZERO;
        for fault in self.faults.iter().filter(|fault| fault.kind == FaultKind::Hang) {
            if fault.from < end + more && fault.until > now {
                more += fault.until.since(fault.from.max(now));
            }
        }
        more
    }

    /// Sectors that were written can be read again.
    pub(super) fn written(&mut self, now: Stamp, lba: u64, end: u64) {
        let mut rests = Vec::new();
        self.faults.retain(|fault| {
            let FaultKind::Unreadable { lba: first, sectors } = fault.kind else { return true };
            let last = first + sectors;
            if !fault.holds(now) || last <= lba || end <= first {
                return true;
            }
            let rest = |lba, end| DeviceFault {
                kind: FaultKind::Unreadable { lba, sectors: end - lba },
                ..*fault
            };
            rests.extend((first < lba).then(|| rest(first, lba)));
            rests.extend((end < last).then(|| rest(end, last)));
            false
        });
        self.faults.append(&mut rests);
    }
}

fn moves_data(request: &LiveRequest) -> bool {
    matches!(request.ask, Ask::Read | Ask::Write { .. })
}

fn touches(request: &LiveRequest, lba: u64, sectors: u64) -> bool {
    request.lba < lba + sectors && lba < request.lba + u64::from(request.sectors)
}

/// Whether a request moves data under the head of a surface.
fn is_on(request: &LiveRequest, surface: u32, model: &Model) -> bool {
    let Model::Drive(drive) = model else { return false };
    let (mut at, end) = (request.lba, request.lba + u64::from(request.sectors));
    while moves_data(request) && at < end {
        // No longer than the request, whose length fits.
        let run = drive.layout().run(at, (end - at) as u32);
        if run.surface == surface {
            return true;
        }
        at += u64::from(run.sectors);
    }
    false
}

/// What is added to a time that becomes this many thousandths of itself, and no shorter.
fn more(took: Span, thousandths: u64) -> Lapse {
    Lapse::from_ps(u128::from(took.as_ps()) * u128::from(thousandths.max(1000) - 1000) / 1000)
}
