//! A measured run played back.

use platterlab_device::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
use platterlab_units::{Operation, Span, Time};

/// One request of a measured run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    /// Read or write.
    pub operation: Operation,
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// When it was submitted, on the clock of the device it was measured on.
    pub submitted: Time,
    /// When it was complete, on the same clock.
    pub completed: Time,
}

/// A device that answers the requests of a recording, in their order, as they were answered.
#[derive(Clone, Debug)]
pub struct Recorded {
    info: DeviceInfo,
    overhead: Span,
    requests: Vec<RecordedRequest>,
    next: usize,
    now: Time,
}

impl Recorded {
    /// Plays `requests` back as measured on the device that `info` and `overhead` describe.
    ///
    /// # Errors
    /// A request that does not fit the device, or times that run backwards.
    pub fn new(
        info: DeviceInfo,
        overhead: Span,
        requests: Vec<RecordedRequest>,
    ) -> Result<Self, DeviceError> {
        let mut earliest = Time::ZERO;
        for (index, request) in requests.iter().enumerate() {
            info.check(request.lba, request.sectors)?;
            if request.submitted < earliest || request.completed < request.submitted {
                let what = format!("the recording's times run backwards at request {index}");
                return Err(DeviceError::Other { name: info.name, what });
            }
            earliest = request.completed;
        }
        let now = requests.first().map_or(Time::ZERO, |request| request.submitted);
        Ok(Self { info, overhead, requests, next: 0, now })
    }

    /// Requests not played back yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.requests.len() - self.next
    }

    fn play(&mut self, operation: Operation, lba: u64, sectors: u32) -> Answer {
        self.info.check(lba, sectors)?;
        let index = self.next;
        let refuse = |what| Err(DeviceError::Other { name: self.info.name.clone(), what });
        let Some(recorded) = self.requests.get(index) else {
            return refuse(format!(
                "the recording ends after {index} requests; a {operation} of sector {lba} \
                 (+{sectors}) is not in it"
            ));
        };
        if (recorded.operation, recorded.lba, recorded.sectors) != (operation, lba, sectors) {
            return refuse(format!(
                "request {index} is a {operation} of sector {lba} (+{sectors}), the recording has \
                 a {} of sector {} (+{}); play it back to the same probe with the same options",
                recorded.operation, recorded.lba, recorded.sectors
            ));
        }
        self.next += 1;
        self.now = recorded.completed;
        Ok(Completion { submitted: recorded.submitted, completed: recorded.completed })
    }
}

impl BlockDevice for Recorded {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        self.now
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.play(Operation::Read, lba, sectors)
    }

    fn write(&mut self, _consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.play(Operation::Write, lba, sectors)
    }

    /// The pauses of the recording are in its times, so an idle moves the clock at most up to the
    /// next request.
    fn idle(&mut self, time: Span) {
        if let Some(next) = self.requests.get(self.next) {
            let until = Time::from_ps(self.now.as_ps().saturating_add(time.as_ps()));
            self.now = until.min(next.submitted);
        }
    }

    fn overhead(&self) -> Span {
        self.overhead
    }
}
