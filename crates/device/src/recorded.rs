//! A measured run played back.

use crate::{BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
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

    fn play(
        &mut self,
        operation: Operation,
        lba: u64,
        sectors: u32,
    ) -> Result<Completion, DeviceError> {
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

    fn read(&mut self, lba: u64, sectors: u32) -> Result<Completion, DeviceError> {
        self.play(Operation::Read, lba, sectors)
    }

    fn write(
        &mut self,
        _consent: &WriteConsent,
        lba: u64,
        sectors: u32,
    ) -> Result<Completion, DeviceError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> DeviceInfo {
        DeviceInfo {
            name: "tape".to_owned(),
            capacity_sectors: 100,
            logical_sector_bytes: 512,
            physical_sector_bytes: 512,
            facts: Vec::new(),
        }
    }

    fn read(lba: u64, submitted_us: u64, completed_us: u64) -> RecordedRequest {
        RecordedRequest {
            operation: Operation::Read,
            lba,
            sectors: 1,
            submitted: Time::ZERO + Span::from_us(submitted_us),
            completed: Time::ZERO + Span::from_us(completed_us),
        }
    }

    #[test]
    fn a_recording_answers_as_it_was_answered() {
        let requests = vec![read(5, 10, 20), read(7, 25, 40)];
        let mut tape = Recorded::new(info(), Span::from_us(2), requests).unwrap();
        assert_eq!(tape.read(5, 1).unwrap().elapsed(), Span::from_us(10));
        tape.idle(Span::MAX);
        assert_eq!(tape.now(), Time::ZERO + Span::from_us(25));
        assert_eq!(tape.read(7, 1).unwrap().elapsed(), Span::from_us(15));
        let error = tape.read(7, 1).unwrap_err().to_string();
        assert!(error.contains("ends after 2 requests"), "{error}");
    }

    #[test]
    fn another_request_is_told_from_the_recorded_one() {
        let mut tape = Recorded::new(info(), Span::ZERO, vec![read(5, 0, 1)]).unwrap();
        let consent = WriteConsent::for_simulation();
        let error = tape.write(&consent, 5, 1).unwrap_err().to_string();
        assert!(error.contains("request 0 is a write of sector 5 (+1)"), "{error}");
        assert!(error.contains("the recording has a read of sector 5 (+1)"), "{error}");
        assert_eq!(tape.remaining(), 1, "it can still be asked rightly");
    }

    #[test]
    fn a_recording_that_cannot_be_is_refused() {
        for bad in [vec![read(100, 0, 1)], vec![read(1, 2, 1)], vec![read(1, 0, 5), read(2, 4, 6)]]
        {
            assert!(Recorded::new(info(), Span::ZERO, bad.clone()).is_err(), "{bad:?}");
        }
    }
}
