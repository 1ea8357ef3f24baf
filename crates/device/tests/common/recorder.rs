//! A device that notes the requests it passes on.

use super::recorded::RecordedRequest;
use platterlab_device::{Answer, BlockDevice, Completion, DeviceInfo, WriteConsent};
use platterlab_units::{Operation, Span, Time};

/// Notes every request that its device serves.
pub struct Recorder<D> {
    pub device: D,
    pub requests: Vec<RecordedRequest>,
}

impl<D> Recorder<D> {
    fn note(
        &mut self,
        operation: Operation,
        lba: u64,
        sectors: u32,
        answer: Completion,
    ) -> Completion {
        let Completion { submitted, completed } = answer;
        self.requests.push(RecordedRequest { operation, lba, sectors, submitted, completed });
        answer
    }
}

impl<D: BlockDevice> BlockDevice for Recorder<D> {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn now(&mut self) -> Time {
        self.device.now()
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        let answer = self.device.read(lba, sectors)?;
        Ok(self.note(Operation::Read, lba, sectors, answer))
    }

    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        let answer = self.device.write(consent, lba, sectors)?;
        Ok(self.note(Operation::Write, lba, sectors, answer))
    }

    fn idle(&mut self, time: Span) {
        self.device.idle(time);
    }
}
