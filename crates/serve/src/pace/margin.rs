//! A time to allow for, learnt from how long it took before.

/// The divisor of the difference by which it follows a time that is longer, and to
/// one that is shorter. So one in a hundred or fewer is longer.
const SLOWER: u64 = 4;
const QUICKER: u64 = 512;

/// A time that few of those it was learnt from exceed, between two bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin {
    least_ns: u64,
    most_ns: u64,
    ns: u64,
}

impl Margin {
    /// One that has learnt nothing.
    pub(crate) const fn new([least_ns, most_ns]: [u64; 2]) -> Self {
        Self { least_ns, most_ns, ns: least_ns }
    }

    /// What to allow for.
    pub(crate) fn ns(&self) -> u64 {
        self.ns
    }

    /// This time it took so long.
    pub(crate) fn learn(&mut self, ns: u64) {
        let ns = ns.clamp(self.least_ns, self.most_ns);
        if ns > self.ns {
            self.ns += (ns - self.ns) / SLOWER;
        } else {
            self.ns -= (self.ns - ns).div_ceil(QUICKER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_times_are_longer_and_none_is_remembered_for_ever() {
        let bounds = [1_000, 1_000_000];
        let mut margin = Margin::new(bounds);
        assert_eq!(margin.ns(), bounds[0]);
        let mut longer = 0;
        for sleep in 0..20_000_u64 {
            // Scattered evenly from 100 to 200 us.
            let ns = 100_000 + sleep * 7_919 % 10_007 * 10;
            longer += u32::from(ns > margin.ns() && sleep >= 1_000);
            margin.learn(ns);
        }
        assert!((100..2_000).contains(&longer), "{longer} of 19,000");
        margin.learn(50_000_000);
        assert!(margin.ns() <= bounds[1]);
        (0..10_000).for_each(|_| margin.learn(0));
        assert_eq!(margin.ns(), bounds[0]);
    }
}
