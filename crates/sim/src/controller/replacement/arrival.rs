//! First in, first out, and last in, first out.

use super::Chains;

/// By the order in which lines came: the first or the last makes room.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    last: bool,
    chain: Chains,
}

impl Arrival {
    pub(super) fn new(last: bool, slots: usize) -> Self {
        Self { last, chain: Chains::new(1, slots) }
    }

    pub(super) fn victim(&self, may: impl Fn(u32) -> bool) -> Option<u32> {
        if self.last {
            self.chain.iter_back(0).find(|&slot| may(slot))
        } else {
            self.chain.iter(0).find(|&slot| may(slot))
        }
    }

    pub(super) fn leave(&mut self, slot: u32) {
        self.chain.remove(slot);
    }

    pub(super) fn enter(&mut self, slot: u32) {
        self.chain.push(0, slot);
    }
}
