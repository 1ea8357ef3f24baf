//! Losses of a conversion, counted by kind.

use platterlab_units::words;

words! {
    /// Part of a record that a conversion did not carry over.
    pub enum Loss {
        /// When the request came.
        Arrival = "arrival_time",
        /// How long it waited in the driver.
        Queued = "queued_time",
        /// That nobody knows how long it waited: the new file says that it did not.
        QueuedUnknown = "unknown_queued_time_now_0",
        /// How long the drive took.
        Service = "service_time",
        /// That its time is a response time, in which a wait may be: the new file takes it for a
        /// service time.
        Response = "response_time_now_service_time",
        /// How long the device was idle before it.
        Think = "think_time",
        /// Which device it was for: all now share one address space.
        Device = "device_number",
        /// What the device is called: it has a number.
        DeviceName = "device_name",
        /// Who waits for it, in whole or in part.
        Criticality = "criticality",
        /// Parts of a microsecond.
        Precision = "precision_below_1_us",
    }
}

/// How many requests lost what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses([u64; Loss::ALL.len()]);

impl Losses {
    /// Counts one more request that lost `loss`, if `lost`.
    pub(super) fn note(&mut self, loss: Loss, lost: bool) {
        self.0[loss as usize] += u64::from(lost);
    }

    /// How many requests lost `loss`.
    #[must_use]
    pub fn count(&self, loss: Loss) -> u64 {
        self.0[loss as usize]
    }

    /// The losses that happened, with the number of requests.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u64)> {
        Loss::ALL.into_iter().map(|loss| (loss, self.count(loss))).filter(|(_, count)| *count > 0)
    }
}
