//! The end of a line of angles, searched and confirmed: of a track, over its sectors, or of a pass
//! over a surface, over its tracks.

mod by_track;
mod confirm;

use super::angles::Angles;
use super::forgetting::Forgetting;
use super::line::BoundedLine;

/// No track holds more units.
const LONGEST: u64 = 1 << 17;
/// Runs that may bring nothing, and boundaries that may prove wrong, before it is given up.
const PATIENCE: u32 = 8;
/// Of the four angles between two sectors to either side of a bound, so many are too few.
const FEW_WITNESSED: usize = 2;
/// Bounds that are taken back before the line is begun again.
const MOST_REJECTED: u32 = 2;
/// A place behind the end may lie on the line by chance, but not so many of them.
const CHANCES: u64 = 3;
/// The part of a turn after which a slope is known well enough to say how many sectors a turn has.
const SLOPE_KNOWN: f64 = 0.1;
/// Neighbouring sectors that are left out for their defects.
pub(super) const MOST_SLIPS: f64 = 3.0;

/// A search from the first sector of a track on.
#[derive(Clone, Debug)]
pub(super) struct Find {
    unit: u64,
    first: u64,
    /// Where the line starts: the first place, or one after it if that is remapped.
    anchor: u64,
    line: BoundedLine,
    /// Turns that a line can go on for; the end is hidden if it does longer.
    most_turns: f64,
    /// The slope of the line before, or 0.
    hint: f64,
    failures: u32,
    /// The place to confirm, and how often it was tried.
    confirming: Option<u32>,
    /// What makes a cache forget is needed between any two of its visits, or of its looks.
    forgetting: Forgetting,
    /// Whether a cache has all of a track that was read, and so tells what is on it.
    by_track: bool,
    /// The slope by one look at the end that it told.
    told: Option<f64>,
    /// Bounds that were taken back.
    rejected: u32,
    /// How often a line that went on for a whole turn was taken for chance.
    chances: u64,
    /// Whether it is known to a few units where it ends.
    about: bool,
}

/// How a search goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Searching,
    /// The next line begins here; the slope of this one, in milliseconds a place.
    Boundary(u64, f64),
    /// The line goes on for longer than it can: what ends it does not show.
    Hidden {
        slope: f64,
    },
    /// The line goes on to the end of the region.
    End,
    Failed,
}

impl Find {
    /// From place `first` on, up to `end`.
    pub(super) fn new(unit: u64, first: u64, end: u64, most_turns: f64, hint: f64) -> Self {
        Self::from(unit, (first, first), end, most_turns, hint)
    }

    fn from(unit: u64, (first, anchor): (u64, u64), end: u64, most_turns: f64, hint: f64) -> Self {
        let room = end.saturating_sub(anchor + unit) / unit * unit;
        let line = BoundedLine::new(unit, room.min(LONGEST * unit), hint);
        Self {
            unit,
            first,
            anchor,
            line,
            most_turns,
            hint,
            failures: 0,
            confirming: None,
            forgetting: Forgetting::default(),
            by_track: false,
            told: None,
            rejected: 0,
            chances: 0,
            about: false,
        }
    }

    /// The first place of the line.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Others near it are so long.
    pub(super) fn ends_near(&mut self, length: u64) {
        self.line.ends_near(length);
    }

    /// It is about so long, to a few units.
    pub(super) fn ends_about(&mut self, length: u64) {
        self.about = true;
        self.line.ends_about(length);
    }

    /// Sectors to visit, in any order.
    pub(super) fn lbas(&self, angles: &Angles, lba: &dyn Fn(u64) -> u64) -> Vec<u64> {
        if let (Some(tries), Some(bad)) = (self.confirming, self.line.bad) {
            return self.witnesses(tries, self.anchor + bad).into_iter().map(lba).collect();
        }
        let places = self.line.places();
        let is_fresh = angles.has_fresh(lba(self.anchor), places.len()) && !self.by_track;
        let again = !is_fresh || self.failures > 0;
        let ahead = places.into_iter().map(|place| lba(self.anchor + place));
        ahead.chain(again.then(|| lba(self.anchor))).collect()
    }

    /// So much makes a cache forget; `tracks` also where each look at a track costs as much for another reason.
    pub(super) fn costs(&mut self, forgetting: Forgetting) {
        self.forgetting = forgetting;
        if forgetting.tracks {
            self.line.halve();
        }
    }

    /// Visits that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        self.failures.min(PATIENCE)
    }

    /// Takes in what was visited; `expected` is the length that earlier tracks suggest.
    pub(super) fn add(
        &mut self,
        angles: &Angles,
        lba: &dyn Fn(u64) -> u64,
        expected: Option<u64>,
    ) -> Outcome {
        if self.confirming.is_some() {
            return if self.by_track {
                self.confirm_track(angles, lba, expected)
            } else {
                self.confirm(angles, lba, expected)
            };
        }
        let angle = |place| {
            let (from, to) = (lba(self.anchor), lba(self.anchor + place));
            angles.between(from, to).map(|angle| (place, angle))
        };
        let seen: Vec<(u64, f64)> = self.line.places().into_iter().filter_map(angle).collect();
        let learnt = if self.by_track {
            self.line.told(&self.on_track(angles, lba))
        } else {
            self.line.add(&seen, angles.line_tolerance(), angles.period())
        };
        if !learnt {
            self.failures += 1;
            if self.failures > PATIENCE {
                return self.elsewhere();
            }
        }
        if let Some(hidden) = self.hidden(angles.period()) {
            return hidden;
        }
        if !self.line.is_found() {
            return Outcome::Searching;
        }
        if self.line.bad.is_none() {
            return Outcome::End;
        }
        if self.line.good < 3 * self.unit {
            // No track is that short: it is the first one that lies elsewhere.
            return self.elsewhere();
        }
        let witnessed = |bad: &u64| !self.by_track && self.is_witnessed(*bad, &seen, angles);
        if let Some(bad) = self.line.bad.filter(witnessed) {
            return Outcome::Boundary(self.anchor + bad, self.line.slope);
        }
        self.confirming = Some(0);
        self.guess_slope(angles.period());
        Outcome::Searching
    }

    /// Where the line goes on for longer than it can, looks at it anew, or takes its end for hidden.
    fn hidden(&mut self, period: f64) -> Option<Outcome> {
        if self.by_track {
            return None;
        }
        let turned = self.line.good as f64 * self.line.slope / period;
        if self.line.bad.is_none() && turned > self.most_turns {
            if self.chances == CHANCES {
                return Some(Outcome::Hidden { slope: self.line.slope });
            }
            self.chances += 1;
            self.line.step_back();
        }
        if self.most_turns.is_finite() && turned > SLOPE_KNOWN {
            let turns = self.most_turns * (1.02 + 0.01 * self.chances as f64);
            let places = (turns * period / self.line.slope) as u64;
            self.line.look_no_further(places + self.chances * self.unit);
        }
        None
    }

    /// Starts over from the next sector: the first may be remapped.
    fn elsewhere(&mut self) -> Outcome {
        let anchor = self.anchor + self.unit;
        let end = self.anchor + self.line.end + self.unit;
        if anchor > self.first + 3 * self.unit || anchor >= end {
            return Outcome::Failed;
        }
        let (forgetting, by_track) = (self.forgetting, self.by_track);
        *self = Self::from(self.unit, (self.first, anchor), end, self.most_turns, self.hint);
        self.costs(forgetting);
        self.tells_tracks(by_track);
        Outcome::Searching
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Turn;
    use platterlab_probe::{End, Plan, Sample, Samples, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    const TURN: Turn = Turn { period: 8.0, error: 1e-6, jitter: 0.005 };
    const COSTLY: Forgetting = Forgetting { reads: 1, tracks: false };

    /// Visits after which the end of a track of 444 sectors is found that begins with sector 1000, where the
    /// completion of its first sector is late in the second of them, or in none.
    fn visits(late: bool) -> Option<usize> {
        let (first, length) = (1_000, 444);
        let mut angles = Angles::new(TURN, 0.0);
        let mut find = Find::new(1, first, 5_000, 1.0, 0.0);
        find.costs(COSTLY);
        let mut turns = 0.0;
        for visit in 1..40 {
            let mut lbas = find.lbas(&angles, &|lba| lba);
            lbas.sort_unstable_by(|a, b| b.cmp(a));
            let sample = |lba: &u64| {
                turns += 2.0;
                let along =
                    (lba - first) as f64 / length as f64 + 0.2 * ((lba - first) / length) as f64;
                let disturbed = if late && visit == 2 && *lba == first { 0.5 } else { 0.0 };
                let completed = Span::from_ms(8.0 * (turns + along) + disturbed);
                Sample {
                    lba: *lba,
                    sectors: 1,
                    operation: Operation::Read,
                    distance_sectors: 0,
                    submitted: Time::ZERO,
                    completed: Time::ZERO + completed.expect("a time"),
                }
            };
            let samples: Vec<Sample> = lbas.iter().map(sample).collect();
            let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, lbas, 1));
            angles.add(&Samples { plan, samples, end: End::Complete });
            if visit == 1 && late {
                // It is read once more.
                angles.forget();
            }
            match find.add(&angles, &|lba| lba, None) {
                Outcome::Searching => {}
                Outcome::Boundary(next, _) => return (next == first + length).then_some(visit),
                _ => return None,
            }
        }
        None
    }

    #[test]
    fn a_late_completion_of_the_first_sector_is_made_good() {
        let (usual, late) = (visits(false).expect("an end"), visits(true).expect("an end"));
        assert!(late <= usual + 12, "{late} visits, {usual} without");
    }

    #[test]
    fn one_late_completion_makes_no_end_where_another_one_is_missing() {
        let (pace, edge) = (8.0 / 444.0, 1_300);
        // Of the sectors to either side of a bound that is none, one was answered at once, and one late.
        for is_costly in [true, false] {
            let mut find = Find::new(1, 1_000, 5_000, 1.0, pace);
            find.costs(if is_costly { COSTLY } else { Forgetting::default() });
            (find.line.good, find.line.bad, find.confirming) = (299, Some(300), Some(0));
            let sample = |lba: u64| {
                let late = if lba > edge { 0.5 } else { 0.0 };
                let completed = Span::from_ms((lba - 1_000) as f64 * pace + 8.0 + late);
                Sample {
                    lba,
                    sectors: 1,
                    operation: Operation::Read,
                    distance_sectors: 0,
                    submitted: Time::ZERO,
                    completed: Time::ZERO + completed.expect("a time"),
                }
            };
            let samples = [edge - 2, edge - 1, edge + 2].map(sample).to_vec();
            let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, Vec::new(), 1));
            let mut angles = Angles::new(TURN, 0.0);
            angles.add(&Samples { plan, samples, end: End::Complete });
            let found = find.add(&angles, &|lba| lba, None);
            assert_eq!(found == Outcome::Searching, is_costly, "{found:?}");
        }
    }

    #[test]
    fn no_sector_behind_the_region_is_read() {
        let (last, end) = (4_999, 5_000);
        let angles = Angles::new(TURN, 0.0);
        let mut find = Find::new(1, last, end, 1.0, 0.0);
        for _ in 0..4 * PATIENCE {
            let lbas = find.lbas(&angles, &|lba| lba);
            assert!(lbas.iter().all(|lba| *lba < end), "{lbas:?}");
            if find.add(&angles, &|lba| lba, None) != Outcome::Searching {
                return;
            }
        }
        panic!("it is never over");
    }
}
