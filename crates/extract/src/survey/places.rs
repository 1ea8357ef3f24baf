//! How many places a cache keeps, asked by reads of their own.
//!
//! Sectors far from each other are read, and then again, the last one first: a cache that gives up what was
//! used least of late has so many of the last ones as it has places. Each read that is spared where a cache
//! has to forget is one of nearly all that a survey behind it takes.

use super::held::{MOST, Visited};
use platterlab_probe::Samples;

/// In a row that were answered late, before the others count as lost: one may be late by chance.
const LOST: usize = 2;

/// The reads, of the sectors elsewhere from some number on.
pub(super) fn visits(first: u64, elsewhere: impl Fn(u64) -> u64) -> Vec<Visited> {
    let there = (first..first + MOST as u64).map(elsewhere);
    let there: Vec<Visited> = there.map(Visited::at_once).collect();
    there.iter().chain(there.iter().rev()).copied().collect()
}

/// How many places these show; none where all were kept, or not even the last ones.
pub(super) fn told(run: &Samples, hit_ms: f64) -> Option<usize> {
    let again = run.samples.get(MOST..2 * MOST)?;
    let late: Vec<bool> = again.iter().map(|sample| sample.elapsed().as_ms() > hit_ms).collect();
    let lost = late.windows(LOST).position(|pair| pair.iter().all(|it| *it))?;
    (lost > 0).then_some(lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_probe::{End, Plan, Sample, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    #[test]
    fn places_are_counted_by_what_is_still_held() {
        let all = visits(7, |number| 20_000 * number);
        assert_eq!((all.len(), all[0].lba, all[2 * MOST - 1].lba), (2 * MOST, 140_000, 140_000));
        // So many are held; one of them is late, and one that is not comes by at once.
        let run = |held: usize| {
            let took = |(index, visit): (usize, &Visited)| {
                let again = index.checked_sub(MOST);
                let fast = again.is_some_and(|it| (it < held && it != 3) || it == 70);
                let span = Span::from_ms(if fast { 0.3 } else { 5.0 }).expect("a time");
                Sample {
                    lba: visit.lba,
                    sectors: 1,
                    operation: Operation::Read,
                    distance_sectors: 0,
                    submitted: Time::ZERO,
                    completed: Time::ZERO + span,
                }
            };
            let samples = all.iter().enumerate().map(took).collect();
            let plan = Tracks::at_once(Visit::Survey, all.iter().map(|it| it.lba).collect(), 1);
            Samples { plan: Plan::Tracks(plan), samples, end: End::Complete }
        };
        assert_eq!(told(&run(16), 0.5), Some(16));
        assert_eq!(told(&run(64), 0.5), Some(64));
        assert_eq!(told(&run(MOST), 0.5), None, "all are held");
        assert_eq!(told(&run(0), 0.5), None, "none is held");
    }
}
