//! A layout that remembers the run it found last, for one drive.

use super::{Layout, Run};
use std::ops::Deref;

/// What one drive found last in its layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    first: u64,
    /// From there to where it ends by itself.
    run: Run,
}

/// A layout that one drive asks: a command, what is read ahead of it and the command that continues
/// from there mostly lie in one run, which is then found once.
#[derive(Debug)]
pub struct Tracks<'a> {
    layout: &'a Layout,
    found: &'a mut Found,
}

impl<'a> Tracks<'a> {
    /// `layout`, asked by the drive that found `found`.
    #[must_use]
    #[inline]
    pub fn new(layout: &'a Layout, found: &'a mut Found) -> Self {
        Self { layout, found }
    }

    /// As [`Layout::run`].
    #[must_use]
    #[inline]
    pub fn run(&mut self, lba: u64, max: u32) -> Run {
        let Found { first, run } = *self.found;
        let passed = lba.wrapping_sub(first);
        if passed < u64::from(run.sectors) {
            let passed = passed as u32;
            let sectors = max.min(run.sectors - passed);
            return Run { sector: run.sector + passed, sectors, ..run };
        }
        let run = self.find(lba);
        Run { sectors: max.min(run.sectors), ..run }
    }

    #[inline(never)]
    fn find(&mut self, lba: u64) -> Run {
        let run = self.layout.run(lba, u32::MAX);
        *self.found = Found { first: lba, run };
        run
    }
}

impl Deref for Tracks<'_> {
    type Target = Layout;

    #[inline]
    fn deref(&self) -> &Layout {
        self.layout
    }
}
