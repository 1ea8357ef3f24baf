//! A drive model in virtual time behind a host that costs time and disturbs.

mod host;

pub use host::{HostModel, PrefetchHit, Recalibration, Tail};

use crate::chance::{Stream, scaled};
use crate::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
use platterlab_drive::{Command, Drive};
use platterlab_units::{Operation, Partial, Span, Time};

/// No request is submitted later than this on the virtual clock: 53 days.
const LATEST: Time = Time::from_ps(1 << 62);

/// A simulated drive. Nothing it does takes real time or depends on anything but its arguments.
#[derive(Clone, Debug)]
pub struct Simulated {
    info: DeviceInfo,
    drive: Drive,
    host: HostModel,
    noise: Noise,
    now: Time,
}

/// One stream for each kind of disturbance.
#[derive(Clone, Debug)]
struct Noise {
    rotation: Stream,
    jitter: Stream,
    tail: Stream,
    extra_revolution: Stream,
    recalibration: Stream,
    prefetch: Stream,
}

impl Noise {
    fn new(seed: u64) -> Self {
        Self {
            rotation: Stream::new(seed, *b"rotation"),
            jitter: Stream::new(seed, *b"jitter__"),
            tail: Stream::new(seed, *b"tail____"),
            extra_revolution: Stream::new(seed, *b"extrarev"),
            recalibration: Stream::new(seed, *b"recalibr"),
            prefetch: Stream::new(seed, *b"prefetch"),
        }
    }
}

impl Simulated {
    /// `drive` at rest at virtual time zero; `name` is what messages call it.
    ///
    /// # Errors
    /// A host model with a part that is out of range.
    pub fn new(
        drive: Drive,
        name: impl Into<String>,
        host: HostModel,
        seed: u64,
    ) -> Result<Self, DeviceError> {
        let name = name.into();
        if let Err(what) = host.check() {
            return Err(DeviceError::Other { name, what });
        }
        let sector_bytes = drive.layout().sector_bytes();
        let info = DeviceInfo {
            name,
            capacity_sectors: drive.layout().capacity(),
            logical_sector_bytes: sector_bytes,
            physical_sector_bytes: sector_bytes,
            facts: vec![("kind".to_owned(), "simulated".to_owned())],
        };
        Ok(Self { info, drive, host, noise: Noise::new(seed), now: Time::ZERO })
    }

    fn serve(&mut self, operation: Operation, lba: u64, sectors: u32) -> Answer {
        self.info.check(lba, sectors)?;
        if self.now > LATEST {
            let what = "the virtual clock has run out; a run may last 53 days".to_owned();
            return Err(DeviceError::Other { name: self.info.name.clone(), what });
        }
        let submitted = self.now;
        let command =
            Command { lba, sectors, operation, may_report_early: true, partial: Partial::WHOLE };
        let done = self.at_drive(submitted + self.host.submit, command);
        let completed = rounded_up(done, self.host.interrupt_grain) + self.way_back();
        self.now = completed + self.host.think;
        let grain = self.host.clock_grain;
        Ok(Completion { submitted: read(submitted, grain), completed: read(completed, grain) })
    }

    /// When the drive is done with a command that reached it at `issue`.
    fn at_drive(&mut self, issue: Time, command: Command) -> Time {
        let Noise { rotation, extra_revolution, recalibration, prefetch, .. } = &mut self.noise;
        let hit = prefetch.happens(self.host.prefetch_hit.probability);
        if hit && command.operation.is_read() {
            return issue + self.host.prefetch_hit.time;
        }
        let busy = &self.host.recalibration;
        let issue = if recalibration.happens(busy.probability) {
            issue + recalibration.between(busy.shortest, busy.longest)
        } else {
            issue
        };
        let done = self.drive.serve(issue, command, rotation).completion;
        if extra_revolution.happens(self.host.extra_revolution) {
            done + self.drive.mechanism().rotation().period()
        } else {
            done
        }
    }

    /// From the drive's completion until the probe sees it.
    fn way_back(&mut self) -> Span {
        let HostModel { complete, jitter, ref tail, .. } = self.host;
        let noise = self.noise.jitter.gaussian();
        let width = scaled(jitter, noise.abs());
        let way = if noise < 0.0 { complete.less(width) } else { complete + width };
        if self.noise.tail.happens(tail.probability) {
            way + self.noise.tail.exponential(tail.mean)
        } else {
            way
        }
    }
}

/// A time as a clock of this grain shows it.
fn read(time: Time, grain: Span) -> Time {
    Time::from_ps(time.as_ps() - time.as_ps() % grain.as_ps().max(1))
}

/// The next multiple of a grain.
fn rounded_up(time: Time, grain: Span) -> Time {
    Time::from_ps(time.as_ps().next_multiple_of(grain.as_ps().max(1)))
}

impl BlockDevice for Simulated {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        read(self.now, self.host.clock_grain)
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.serve(Operation::Read, lba, sectors)
    }

    fn write(&mut self, _consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.serve(Operation::Write, lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        self.now = Time::from_ps(self.now.as_ps().saturating_add(time.as_ps()));
    }

    fn overhead(&self) -> Span {
        self.host.submit + self.host.complete
    }
}

#[cfg(test)]
mod tests;
