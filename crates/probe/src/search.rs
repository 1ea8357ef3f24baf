//! The search of SEEKER for the longest wait after which a target is still reached in the same revolution.

/// One search, as far as it has come: the wait to try next, from what the movements before took.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    rotation_ps: u64,
    halvings: u32,
    /// What the first movements took, which are not waited for.
    unwaited: Vec<u64>,
    low: u64,
    high: u64,
    tries: u32,
    failures: u32,
}

/// Movements that are not waited for.
const UNWAITED: usize = 3;
/// Tries of one wait, and failures that are enough to give it up.
const TRIES: u32 = 4;
const FAILURES: u32 = 2;

impl Search {
    pub(crate) fn new(rotation_ps: u64, halvings: u32) -> Self {
        Self { rotation_ps, halvings, unwaited: vec![], low: 0, high: 0, tries: 0, failures: 0 }
    }

    /// What to wait before the next request, in picoseconds; `None` once the search is over.
    pub(crate) fn wait_ps(&self) -> Option<u64> {
        match self.unwaited.len() {
            UNWAITED => (self.halvings > 0).then(|| self.threshold_ps()),
            _ => Some(0),
        }
    }

    /// Between the longest wait that succeeded and the shortest that failed, in picoseconds.
    pub(crate) fn threshold_ps(&self) -> u64 {
        u64::midpoint(self.low, self.high)
    }

    /// Takes in how long a movement took.
    pub(crate) fn learn(&mut self, elapsed_ps: u64) {
        if self.unwaited.len() < UNWAITED {
            self.unwaited.push(elapsed_ps);
            self.unwaited.sort_unstable();
            self.high = self.rotation_ps.min(self.unwaited[self.unwaited.len() / 2]);
            return;
        }
        let wait = self.threshold_ps();
        let turns = self.turns(elapsed_ps, wait);
        self.tries += 1;
        self.failures += u32::from(turns.is_some_and(|turns| turns != 0));
        // No disturbance makes a drive faster, so a success counts at once and a failure when confirmed.
        if turns == Some(0) {
            self.halve(|search| search.low = wait);
        } else if self.failures == FAILURES || self.tries == TRIES {
            self.halve(|search| search.high = wait);
        }
    }

    fn halve(&mut self, narrow: impl FnOnce(&mut Self)) {
        narrow(self);
        (self.halvings, self.tries, self.failures) = (self.halvings.saturating_sub(1), 0, 0);
    }

    /// Revolutions by which the target was reached later than without a wait; `None` if it fits no revolution.
    fn turns(&self, elapsed_ps: u64, wait_ps: u64) -> Option<i64> {
        let expected_ps = self.unwaited[UNWAITED / 2].saturating_sub(wait_ps);
        let turns = (elapsed_ps as f64 - expected_ps as f64) / self.rotation_ps.max(1) as f64;
        let whole = turns.round();
        ((turns - whole).abs() < 0.25).then_some(whole as i64)
    }
}
