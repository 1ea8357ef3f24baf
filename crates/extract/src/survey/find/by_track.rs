//! The end of a track by a cache that has all of a track that was read: what comes at once after its first sector is
//! on it, the first that does not is not.
//!
//! A look at a line needs the cache to forget the look before; what it has tells the end by hardly any such reads. That
//! it is an end, and the slope of the line, is told by angles.

use super::{Find, MOST_REJECTED, Outcome, PATIENCE};
use crate::stats::fold;
use crate::survey::angles::Angles;

impl Find {
    /// Whether a cache tells which sectors are on the track.
    pub(in crate::survey) fn tells_tracks(&mut self, by_track: bool) {
        self.by_track = by_track;
        if by_track {
            self.line.look_at_many();
        }
    }

    /// Whether it does.
    pub(in crate::survey) fn is_by_track(&self) -> bool {
        self.by_track
    }

    /// Looks at lines: what a cache has tells no end that angles confirm.
    pub(super) fn by_lines(&mut self) {
        if self.by_track {
            self.by_track = false;
            self.line.halve();
            self.line.begin_again(self.hint);
        }
    }

    /// Places, and whether they are on the track of the first one.
    pub(super) fn on_track(&self, angles: &Angles, lba: &dyn Fn(u64) -> u64) -> Vec<(u64, bool)> {
        let first = lba(self.anchor);
        let places = self.line.places().into_iter();
        let told = places.filter_map(|place| {
            let to = lba(self.anchor + place);
            let seen = angles.seen_for(to);
            (seen != to || angles.knows(to)).then_some((place, seen == first))
        });
        told.collect()
    }

    /// Takes the track to have hardly anything but its sectors on it, until its slope is measured.
    pub(super) fn guess_slope(&mut self, period: f64) {
        if let Some(bad) = self.line.bad.filter(|_| self.by_track) {
            self.line.slope = period / bad as f64;
        }
    }

    /// Holds the end of the track against angles: those to either side of it jump, and so does it. Where none does, the
    /// cache had no more of the track, or no skew is seen.
    pub(super) fn confirm_track(
        &mut self,
        angles: &Angles,
        lba: &dyn Fn(u64) -> u64,
        expected: Option<u64>,
    ) -> Outcome {
        let (Some(tries), Some(bad)) = (self.confirming, self.line.bad) else {
            return Outcome::Failed;
        };
        self.failures += 1;
        let (edge, slope) = (self.anchor + bad, self.line.slope);
        let off = |from: u64, to: u64| angles.off_line(lba(from), lba(to), slope);
        let (before, behind): (Vec<u64>, Vec<u64>) =
            self.witnesses(tries, edge).into_iter().partition(|place| *place < edge);
        let jumps = |to: u64| {
            let offs: Vec<f64> = before.iter().filter_map(|from| off(*from, to)).collect();
            let jumps = offs.iter().filter(|off| off.abs() > angles.tolerance()).count();
            (!offs.is_empty()).then_some(2 * jumps > offs.len())
        };
        let beyond: Vec<bool> =
            behind.iter().filter(|to| **to != edge).filter_map(|to| jumps(*to)).collect();
        self.confirming = None;
        match jumps(edge) {
            _ if self.failures > 2 * PATIENCE => return self.elsewhere(),
            None => self.confirming = Some(tries + 1),
            Some(true) if beyond.iter().all(|jumps| *jumps) => {
                let next = self.end(edge, &behind, &off, (expected, angles.tolerance()));
                let told = (self.told, self.measured_slope(&before, angles, lba));
                self.told = told.1;
                match told {
                    // A single look may come late.
                    (Some(one), Some(other))
                        if (one - other).abs() * bad as f64 <= angles.line_tolerance() =>
                    {
                        return Outcome::Boundary(next, f64::midpoint(one, other));
                    }
                    // By the second, the first sector may have passed too long ago.
                    (Some(one), None) => return Outcome::Boundary(next, one),
                    (_, Some(_)) => self.confirming = Some(tries + 1),
                    (None, None) => self.line.begin_again(self.hint),
                }
            }
            Some(_) => {
                // It came late, if others do jump.
                self.rejected += 1;
                self.line.reject();
                if !beyond.contains(&true) && self.rejected > MOST_REJECTED {
                    self.by_lines();
                }
            }
        }
        Outcome::Searching
    }

    /// The slope from the first place to one near the end that passed the head as well; none where that was too long ago.
    fn measured_slope(
        &self,
        before: &[u64],
        angles: &Angles,
        lba: &dyn Fn(u64) -> u64,
    ) -> Option<f64> {
        let seen = before.iter().rev().find(|place| angles.knows(lba(**place)))?;
        let places = (seen - self.anchor) as f64;
        let angle = angles.between(lba(self.anchor), lba(*seen))?;
        let off = fold(angle - places * self.line.slope, angles.period());
        Some(self.line.slope + off / places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Turn;
    use crate::survey::forgetting::Forgetting;
    use platterlab_probe::{End, Plan, Sample, Samples, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    const TURN: Turn = Turn { period: 8.0, error: 1e-6, jitter: 0.005 };
    const HIT_MS: f64 = 0.15;
    const FIRST: u64 = 1_000;
    const LENGTH: u64 = 444;

    /// A cache that has so much of a track that was read, of tracks a fifth of a turn after another; each so many-th
    /// answer comes late.
    struct Made {
        held: u64,
        late: usize,
        now: f64,
        answers: usize,
    }

    impl Made {
        /// Reads these sectors in rising order, of which nothing is held to begin with.
        fn run(&mut self, lbas: &[u64]) -> Samples {
            let mut read = 0;
            let sample = |lba: &u64| {
                let submitted = self.now;
                let (track, on) = ((lba - FIRST) / LENGTH, (lba - FIRST) % LENGTH);
                let is_held = (read..read + self.held).contains(lba)
                    && read >= FIRST
                    && (read - FIRST) / LENGTH == track;
                self.answers += 1;
                let late = if self.answers.is_multiple_of(self.late) { 0.9 } else { 0.0 };
                let angle = 8.0 * (on as f64 / LENGTH as f64 + 0.2 * track as f64);
                let passed = submitted + 1.0 + (angle - submitted - 1.0).rem_euclid(8.0);
                if !is_held {
                    read = *lba;
                }
                self.now = if is_held { submitted + 0.1 } else { passed } + late;
                let at = |ms: f64| Time::ZERO + Span::from_ms(ms).expect("a time");
                Sample {
                    lba: *lba,
                    sectors: 1,
                    operation: Operation::Read,
                    distance_sectors: 0,
                    submitted: at(submitted),
                    completed: at(self.now),
                }
            };
            let samples = lbas.iter().map(sample).collect();
            let plan = Tracks::at_once(Visit::Survey, lbas.to_vec(), 1);
            Samples { plan: Plan::Tracks(plan), samples, end: End::Complete }
        }

        /// Visits after which the end of the first track is found.
        fn visits(mut self) -> Option<usize> {
            let mut angles = Angles::new(TURN, HIT_MS);
            let mut find = Find::new(1, FIRST, 5_000, 1.0, 0.0);
            find.costs(Forgetting { reads: 66, tracks: true });
            find.tells_tracks(true);
            for visit in 1..60 {
                let mut lbas = find.lbas(&angles, &|lba| lba);
                lbas.sort_unstable();
                if find.is_by_track() {
                    angles.add_tracks(&self.run(&lbas), 2 * LENGTH);
                } else {
                    let runs: Vec<Samples> = lbas.iter().map(|lba| self.run(&[*lba])).collect();
                    runs.iter().for_each(|run| angles.add(run));
                }
                match find.add(&angles, &|lba| lba, None) {
                    Outcome::Searching => {}
                    Outcome::Boundary(next, slope) => {
                        let off = slope * LENGTH as f64 - 8.0;
                        assert!(next == FIRST + LENGTH && off.abs() < 0.1, "{next} {off}");
                        return Some(visit);
                    }
                    other => panic!("{other:?}"),
                }
            }
            None
        }
    }

    #[test]
    fn the_end_is_told_by_what_a_cache_has_and_confirmed_by_angles() {
        let made = |held, late| Made { held, late, now: 0.0, answers: 0 };
        let whole = made(LENGTH, usize::MAX).visits().expect("an end");
        assert!(whole <= 6, "{whole} visits");
        for late in [23, 37] {
            let some_late = made(LENGTH, late).visits().expect("an end");
            assert!(some_late <= 24, "{some_late} visits with one late in {late}");
        }
        // It has less than a track: lines tell it.
        let part = made(LENGTH / 3, usize::MAX).visits().expect("an end");
        assert!(part > whole, "{part} visits");
    }
}
