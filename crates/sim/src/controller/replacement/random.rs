//! Random replacement.

use super::LatencyStream;

/// Any line.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    slots: u32,
    chance: LatencyStream,
}

impl Random {
    pub(super) fn new(slots: usize, chance: LatencyStream) -> Self {
        Self { slots: slots as u32, chance }
    }

    /// A slot is drawn; if it may not go, the next one that may.
    pub(super) fn victim(&mut self, may: impl Fn(u32) -> bool) -> Option<u32> {
        let start = self.chance.below(self.slots);
        (start..self.slots).chain(0..start).find(|&slot| may(slot))
    }
}
