//! A set of sectors, as runs of neighbours.

use super::region::Region;
use std::fmt;

/// Runs that are named before the rest is counted.
const NAMED: usize = 4;

/// Some sectors of a device, as runs of neighbours in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sectors(Vec<Region>);

impl Sectors {
    /// Adds a run that begins where the last one ended, or behind it.
    pub(super) fn push(&mut self, first: u64, sectors: u64) {
        match self.0.last_mut() {
            Some(last) if last.end() == first => last.sectors += sectors,
            _ => self.0.push(Region { first, sectors }),
        }
    }

    /// The runs, in ascending order.
    #[must_use]
    pub fn runs(&self) -> &[Region] {
        &self.0
    }

    /// How many sectors.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|run| run.sectors).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These and others, of which none is the same.
    pub(super) fn and(&self, others: &Self) -> Self {
        let mut runs = [&self.0[..], &others.0].concat();
        runs.sort_by_key(|run| run.first);
        let mut all = Self::default();
        runs.iter().for_each(|run| all.push(run.first, run.sectors));
        all
    }
}

impl fmt::Display for Sectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.0.iter().take(NAMED).map(Region::to_string).collect();
        write!(f, "{}", named.join(", "))?;
        let rest: u64 = self.0.iter().skip(NAMED).map(|run| run.sectors).sum();
        if rest > 0 { write!(f, " and {rest} others") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_one_run() {
        let mut some = Sectors::default();
        assert!(some.is_empty());
        for lba in [3, 4, 5, 9, 20, 30, 40, 41] {
            some.push(lba, 1);
        }
        assert_eq!(some.count(), 8);
        assert_eq!(some.runs()[0], Region { first: 3, sectors: 3 });
        assert_eq!(some.to_string(), "sectors 3 to 5, sector 9, sector 20, sector 30 and 2 others");
        let mut others = Sectors::default();
        others.push(6, 3);
        assert_eq!(some.and(&others).runs()[0], Region { first: 3, sectors: 7 });
    }
}
