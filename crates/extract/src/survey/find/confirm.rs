//! Whether a line ends where it seems to: by two places before the bound, and two from there on.

use super::{FEW_WITNESSED, Find, MOST_REJECTED, MOST_SLIPS, Outcome, PATIENCE};
use crate::stats::{fold, median};
use crate::survey::angles::Angles;

impl Find {
    /// Two sectors behind a supposed boundary and two before it, each time others, so that no
    /// cache has them.
    pub(super) fn witnesses(&self, tries: u32, edge: u64) -> Vec<u64> {
        let step = self.unit * u64::from(2 * tries + 1);
        let last = self.anchor + self.line.end;
        let behind = [edge + step, edge + step + self.unit].map(|lba| lba.min(last));
        let before = [edge.saturating_sub(step + self.unit), edge - self.unit]
            .map(|lba| lba.max(self.anchor));
        let bound = self.by_track.then_some(edge);
        let mut all: Vec<u64> = behind.into_iter().chain(before).chain(bound).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether the same look has what would confirm a bound: two places before it on the line, and two from it on that
    /// are off by as much.
    pub(super) fn is_witnessed(&self, bad: u64, seen: &[(u64, f64)], angles: &Angles) -> bool {
        const ENOUGH: usize = 2;
        let (period, tolerance) = (angles.period(), angles.tolerance());
        let near = seen.iter().filter(|(place, _)| place.abs_diff(bad) <= 3 * self.unit);
        let offs = near.map(|(place, angle)| (*place, self.line.off(*place, *angle, period)));
        let (before, behind): (Vec<_>, Vec<_>) = offs.partition(|(place, _)| *place < bad);
        let jump = behind.first().map_or(0.0, |(_, off)| *off);
        let near = |off: f64| fold(off, period).abs() <= tolerance;
        let enough = before.len().min(behind.len()) >= ENOUGH && !near(jump);
        self.about
            && enough
            && before.iter().all(|(_, off)| near(*off))
            && behind.iter().all(|(_, off)| near(off - jump))
    }

    pub(super) fn confirm(
        &mut self,
        angles: &Angles,
        lba: &dyn Fn(u64) -> u64,
        expected: Option<u64>,
    ) -> Outcome {
        let tries = self.confirming.unwrap_or(0);
        let Some(bad) = self.line.bad else { return Outcome::Failed };
        let edge = self.anchor + bad;
        let slope = self.line.slope;
        let off = |from: u64, to: u64| {
            let straight = (to - from) as f64 * slope;
            angles.between(lba(from), lba(to)).map(|angle| fold(angle - straight, angles.period()))
        };
        let (before, behind): (Vec<u64>, Vec<u64>) = self
            .witnesses(tries, edge)
            .into_iter()
            .filter(|place| *place != edge)
            .partition(|place| *place < edge);
        let offs: Vec<f64> = before
            .iter()
            .flat_map(|from| behind.iter().filter_map(|to| off(*from, *to)).collect::<Vec<_>>())
            .collect();
        let jumps = offs.iter().filter(|off| off.abs() > angles.tolerance()).count();
        self.failures += 1;
        // One that came by at once, as if a cache had it, leaves so few that a late one decides.
        let few = if self.forgetting.is_costly() { FEW_WITNESSED } else { 0 };
        if offs.len() <= few && self.line.end > bad && self.failures <= 2 * PATIENCE {
            self.confirming = Some(tries + 1);
            return Outcome::Searching;
        }
        let real = 2 * jumps > offs.len();
        let jump = median(&offs).unwrap_or(0.0);
        if real && self.is_slip(bad, jump, angles.tolerance(), expected) {
            self.line.slip(jump);
            self.confirming = None;
            return Outcome::Searching;
        }
        if real || behind.is_empty() {
            let next = self.end(edge, &behind, &off, (expected, angles.tolerance()));
            return Outcome::Boundary(next, self.line.slope);
        }
        self.confirming = None;
        self.line.reject();
        self.rejected += 1;
        if self.forgetting.is_costly() && self.rejected > MOST_REJECTED {
            // No single place was disturbed, but the first one: all others were against it, and the slope is none.
            self.line.begin_again(self.hint);
        }
        if self.failures > 2 * PATIENCE { self.elsewhere() } else { Outcome::Searching }
    }

    /// Where the next line begins. The first sector may itself be remapped: then the length of other tracks decides.
    pub(super) fn end(
        &self,
        edge: u64,
        behind: &[u64],
        off: &dyn Fn(u64, u64) -> Option<f64>,
        (expected, tolerance): (Option<u64>, f64),
    ) -> u64 {
        let mut offs = behind.iter().filter_map(|to| off(edge, *to));
        let belongs = offs.any(|off| off.abs() <= tolerance);
        let wanted = expected.map(|length| self.first + length);
        wanted.filter(|place| *place == edge + self.unit && !belongs).unwrap_or(edge)
    }

    /// Whether a jump is a sector or a few that were left out, where no track was to end.
    fn is_slip(&self, bad: u64, jump: f64, tolerance: f64, expected: Option<u64>) -> bool {
        let sectors = (jump / self.line.slope / self.unit as f64).round();
        let left = jump - sectors * self.unit as f64 * self.line.slope;
        let early = expected.is_some_and(|length| (bad + 4 * self.unit) < length);
        early && (1.0..=MOST_SLIPS).contains(&sectors) && left.abs() <= tolerance
    }
}
