//! Least recently used (LRU) and segmented LRU (SLRU).

use super::Chains;

/// Segmented LRU; with one segment, LRU. The least recently used of the lowest segment goes first.
#[derive(Clone, Debug)]
pub(crate) struct Segmented {
    chains: Chains,
    /// The most lines in each segment.
    most: Vec<usize>,
}

impl Segmented {
    pub(super) fn new(shares: &[f64], slots: usize) -> Self {
        let most = shares.iter().map(|share| (share * slots as f64) as usize).collect();
        Self { chains: Chains::new(shares.len(), slots), most }
    }

    pub(super) fn victim(&self, may: impl Fn(u32) -> bool) -> Option<u32> {
        (0..self.most.len()).flat_map(|list| self.chains.iter(list)).find(|&slot| may(slot))
    }

    pub(super) fn leave(&mut self, slot: u32) {
        self.chains.remove(slot);
    }

    pub(super) fn enter(&mut self, slot: u32) {
        self.chains.push(0, slot);
    }

    pub(super) fn used(&mut self, slot: u32) {
        let Some(list) = self.chains.of(slot) else { return };
        let upper = (list + 1).min(self.most.len() - 1);
        self.chains.remove(slot);
        self.chains.push(upper, slot);
        if upper > 0
            && self.chains.len(upper) > self.most[upper]
            && let Some(oldest) = self.chains.first(upper)
        {
            self.chains.remove(oldest);
            self.chains.push(upper - 1, oldest);
        }
    }
}
