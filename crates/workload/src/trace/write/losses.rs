//! Losses of a conversion, counted by kind.

/// Part of a record that a conversion did not carry over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// When the request came.
    Arrival,
    /// How long it waited in the driver.
    Queued,
    /// That nobody knows how long it waited: the new file says that it did not.
    QueuedUnknown,
    /// How long the drive took.
    Service,
    /// That its time is a response time, in which a wait may be: the new file takes it for a
    /// service time.
    Response,
    /// How long the device was idle before it.
    Think,
    /// Which device it was for: all now share one address space.
    Device,
    /// What the device is called: it has a number.
    DeviceName,
    /// Who waits for it, in whole or in part.
    Criticality,
    /// Parts of a microsecond.
    Precision,
}

impl Loss {
    /// All of them, in the order they are shown.
    pub const ALL: [Self; 10] = [
        Self::Arrival,
        Self::Queued,
        Self::QueuedUnknown,
        Self::Service,
        Self::Response,
        Self::Think,
        Self::Device,
        Self::DeviceName,
        Self::Criticality,
        Self::Precision,
    ];

    /// What to call it in a message or as a key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrival => "arrival_time",
            Self::Queued => "queued_time",
            Self::QueuedUnknown => "unknown_queued_time_now_0",
            Self::Service => "service_time",
            Self::Response => "response_time_now_service_time",
            Self::Think => "think_time",
            Self::Device => "device_number",
            Self::DeviceName => "device_name",
            Self::Criticality => "criticality",
            Self::Precision => "precision_below_1_us",
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_losses_is_in_the_order_of_the_counts() {
        for (place, loss) in Loss::ALL.into_iter().enumerate() {
            assert_eq!(loss as usize, place, "{}", loss.name());
        }
    }
}
