//! One run of a probe: the device, the permission to write, and the samples so far.

use crate::{Access, End, Progress, Sample, Watch};
use platterlab_device::BlockDevice;
use platterlab_units::{Span, Time};
use std::ops::ControlFlow;

/// What a probe works at: the device, the permission, the samples so far.
pub(crate) struct Bench<'a, 'w, D: BlockDevice + ?Sized> {
    device: &'a mut D,
    access: Access<'a>,
    watch: &'a mut Watch<'w>,
    requests: u64,
    began: Time,
    previous_lba: Option<u64>,
    pub(crate) samples: Vec<Sample>,
}

impl<'a, 'w, D: BlockDevice + ?Sized> Bench<'a, 'w, D> {
    pub(crate) fn new(
        device: &'a mut D,
        access: Access<'a>,
        watch: &'a mut Watch<'w>,
        requests: u64,
    ) -> Self {
        let began = device.now();
        let room = usize::try_from(requests.min(1 << 20)).unwrap_or(0);
        let samples = Vec::with_capacity(room);
        Self { device, access, watch, requests, began, previous_lba: None, samples }
    }

    /// One request; `Err` ends the run.
    pub(crate) fn request(&mut self, lba: u64, sectors: u32) -> Result<Sample, End> {
        let done = self.samples.len() as u64;
        let drive_time = self.device.now().since(self.began);
        let progress = Progress { done, requests: self.requests.max(done), drive_time };
        if let ControlFlow::Break(()) = (self.watch)(progress) {
            return Err(End::Cancelled);
        }
        let answer = match self.access {
            Access::Read => self.device.read(lba, sectors),
            Access::Write(consent) => self.device.write(consent, lba, sectors),
        };
        let times = answer.map_err(End::Failed)?;
        let distance_sectors =
            self.previous_lba.map_or(0, |previous| lba.wrapping_sub(previous) as i64);
        self.previous_lba = Some(lba);
        let sample = Sample {
            lba,
            sectors,
            operation: self.access.operation(),
            distance_sectors,
            submitted: times.submitted,
            completed: times.completed,
        };
        self.samples.push(sample);
        Ok(sample)
    }

    /// Waits before the next request.
    pub(crate) fn idle(&mut self, time: Span) {
        if time > Span::ZERO {
            self.device.idle(time);
        }
    }
}
