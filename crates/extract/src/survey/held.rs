//! What a drive's cache may still hold, and the reads that make it forget.
//!
//! A cache keeps what was read last, and what was read ahead of it. A fast answer near a sector
//! that was read so many requests ago says that it keeps at least as many places; from then on that
//! many others are read before the drive is asked for anything near one of them.

use super::fast_answers::Seen;
use super::forgetting::Forgetting;
use platterlab_probe::{Sample, Samples};
use platterlab_units::Time;
use std::collections::VecDeque;

/// More places than any cache has.
pub(super) const MOST: usize = 80;
/// Sectors that are read ahead, at most.
pub(super) const AHEAD: u64 = 1 << 13;
/// Pairs of reads that tell whether whole tracks are held.
pub(super) const TRIALS: u64 = 8;
/// How long the second waits for the whole track, in turns.
const TRACK_TURNS: f64 = 1.25;
/// Parts of a track that it lies before the first, from one pair to the next: few of them on another track.
const PARTS: u64 = 64;
/// Of a fast answer, at least.
const LEAST_CHANCE: f64 = 0.01;

/// After which a whole track is held.
pub(super) fn track_ps(period: f64) -> u64 {
    (TRACK_TURNS * period * 1e9) as u64
}

/// A sector to read, after a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visited {
    pub(super) lba: u64,
    pub(super) wait_ps: u64,
}

impl Visited {
    pub(super) fn at_once(lba: u64) -> Self {
        Self { lba, wait_ps: 0 }
    }
}

/// What is known of the cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// Requests after which what was read is lost; 0 where nothing shows a cache.
    places: usize,
    /// Whether what lies before a sector is held with it, as where whole tracks are read.
    whole_tracks: WholeTracks,
    /// Whether places were counted by reads of their own.
    counted: bool,
    /// What was read last, the latest first.
    recent: VecDeque<Read>,
    /// Requests since a cache showed, elsewhere or not.
    asides: u64,
    /// Requests for what lies ahead of a sector read before, and for what lies before one.
    ahead: Seen,
    behind: Seen,
}

/// A sector that was read.
#[derive(Clone, Copy, Debug)]
struct Read {
    lba: u64,
    /// When it was complete; none of one that is only planned.
    completed: Option<Time>,
    /// Sectors from it on that may be held.
    reach: u64,
}

/// Whether whole tracks are held: fast answers before a sector let it be asked, as where the same sectors are
/// read on many tracks, one comes by at once on all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WholeTracks {
    #[default]
    Unasked,
    Suspected,
    No,
    Yes,
}

/// The platter as far as it is known: its turn in milliseconds, and the sectors of a track.
#[derive(Clone, Copy, Debug)]
pub(super) struct Platter {
    pub(super) period: f64,
    pub(super) track: Option<u64>,
}

impl Read {
    /// One that is only planned.
    fn planned(lba: u64) -> Self {
        Self { lba, completed: None, reach: AHEAD }
    }
}

impl Held {
    /// The sectors in groups of so many, with reads elsewhere before those that may be held. On a
    /// track are so many sectors, as far as is known.
    pub(super) fn apart(
        &self,
        visits: &[Visited],
        group: usize,
        track_sectors: Option<u64>,
        aside: impl Fn(u64) -> u64,
    ) -> Vec<Visited> {
        if self.places == 0 {
            return visits.to_vec();
        }
        let mut later = self.clone();
        later.recent.truncate(self.places);
        let mut apart = Vec::with_capacity(visits.len());
        for wanted in visits.chunks(group) {
            for _ in 0..later.missing(wanted, track_sectors) {
                let elsewhere = aside(later.asides);
                later.asides += 1;
                later.read(Read::planned(elsewhere), self.places);
                apart.push(Visited::at_once(elsewhere));
            }
            for visit in wanted {
                later.read(Read::planned(visit.lba), self.places);
                apart.push(*visit);
            }
        }
        apart
    }

    /// Whether whole tracks are held.
    pub(super) fn holds_tracks(&self) -> bool {
        self.whole_tracks == WholeTracks::Yes
    }

    /// How many reads elsewhere make everything forgotten that may be held of these.
    pub(super) fn missing(&self, visits: &[Visited], track_sectors: Option<u64>) -> usize {
        let ages = visits.iter().filter_map(|visit| self.age(visit.lba, track_sectors));
        ages.min().map_or(0, |age| self.places.saturating_sub(age))
    }

    /// Requests since a cache showed.
    pub(super) fn requests(&self) -> u64 {
        self.asides
    }

    /// The number of the next read elsewhere, behind so many of a plan.
    pub(super) fn number(&self, planned: usize) -> u64 {
        self.asides + planned as u64
    }

    /// What makes it forget.
    pub(super) fn forgetting(&self) -> Forgetting {
        Forgetting { reads: self.places, tracks: self.holds_tracks() }
    }

    /// Requests after which what was read is lost; 0 where nothing shows a cache.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// Whether a cache shows.
    pub(super) fn shows(&self) -> bool {
        self.places > 0
    }

    /// Takes in a run of which the sectors are met at any angle: what took no longer than `hit_ms`
    /// was held, or came by at once, as one in a turn does.
    pub(super) fn learn(&mut self, run: &Samples, hit_ms: f64, platter: Platter) {
        let chance = (hit_ms / platter.period).clamp(LEAST_CHANCE, 0.5);
        for sample in &run.samples {
            let hit = sample.elapsed().as_ms() <= hit_ms;
            if let Some(age) = self.age(sample.lba, platter.track) {
                self.ahead.add(age, hit);
            } else if let Some(age) = self.age_behind(sample.lba, platter.track.unwrap_or(AHEAD)) {
                self.behind.add(age, hit);
            }
            self.add_read(sample, hit, platter);
        }
        let (ahead, behind) = (self.ahead.age(chance), self.behind.age(chance));
        if behind.is_some() && self.whole_tracks == WholeTracks::Unasked {
            self.whole_tracks = WholeTracks::Suspected;
        }
        let behind = behind.filter(|_| self.whole_tracks == WholeTracks::Yes);
        for age in ahead.into_iter().chain(behind) {
            // Once they are counted, no more than that.
            let places = if self.counted { age + 2 } else { 2 * age + 2 };
            self.places = self.places.max(places.min(MOST));
        }
        self.count(run);
    }

    /// Whether it is to be asked if whole tracks are held.
    pub(super) fn suspects_whole_tracks(&self) -> bool {
        self.whole_tracks == WholeTracks::Suspected
    }

    /// Reads elsewhere, and after a turn and more each what lies a little before.
    pub(super) fn trials(
        &self,
        unit: u64,
        platter: Platter,
        elsewhere: impl Fn(u64) -> u64,
    ) -> Vec<Visited> {
        let wait_ps = track_ps(platter.period);
        let trial = |number: u64| {
            let lba = elsewhere(self.number(number as usize));
            let track = platter.track.unwrap_or(PARTS);
            let before = ((number + 1) * track / PARTS / unit).max(1) * unit;
            [Visited::at_once(lba), Visited { lba: lba.saturating_sub(before), wait_ps }]
        };
        (0..TRIALS).flat_map(trial).collect()
    }

    /// Takes in what these took: without a cache, such a sector takes nearly a turn.
    pub(super) fn tell_whole_tracks(&mut self, run: &Samples, hit_ms: f64, platter: Platter) {
        let second = run.samples.iter().skip(1).step_by(2).take(TRIALS as usize);
        let fast = second.filter(|sample| sample.elapsed().as_ms() <= hit_ms).count() as u64;
        let held = 2 * fast > TRIALS;
        self.whole_tracks = if held { WholeTracks::Yes } else { WholeTracks::No };
        if held {
            // The second of a pair shows that the first took a place.
            self.places = self.places.max(2);
        }
        self.add(run, hit_ms, platter);
    }

    /// Whether places are to be counted: it is known that there are some.
    pub(super) fn wants_count(&self) -> bool {
        self.shows() && !self.counted
    }

    /// Takes in the reads that count them, and how many these told of.
    pub(super) fn tell_places(
        &mut self,
        told: Option<usize>,
        run: &Samples,
        hit_ms: f64,
        platter: Platter,
    ) {
        self.counted = true;
        if let Some(count) = told {
            // One more that was asked for, and one that a late answer hid.
            self.places = (count + 2).min(MOST);
        }
        self.add(run, hit_ms, platter);
    }

    /// Takes in a run of sectors that are met as they come by.
    pub(super) fn add(&mut self, run: &Samples, hit_ms: f64, platter: Platter) {
        for sample in &run.samples {
            self.add_read(sample, sample.elapsed().as_ms() <= hit_ms, platter);
        }
        self.count(run);
    }

    fn count(&mut self, run: &Samples) {
        if self.places > 0 {
            self.asides += run.samples.len() as u64;
        }
    }

    fn add_read(&mut self, sample: &Sample, hit: bool, platter: Platter) {
        if hit {
            // What is held takes no other place.
            return;
        }
        if let (Some(last), Some(track)) = (self.recent.front_mut(), platter.track)
            && let Some(completed) = last.completed.filter(|it| *it <= sample.submitted)
        {
            // No more was read ahead than passed the head until the drive had this sector.
            let turns = sample.completed.since(completed).as_ms() / platter.period;
            last.reach = last.reach.min((turns * track as f64).ceil() as u64 + 1);
        }
        let completed = Some(sample.completed);
        self.read(Read { lba: sample.lba, completed, reach: AHEAD }, MOST);
    }

    /// Takes a sector in that is read; what was read before so many others is over.
    fn read(&mut self, read: Read, most: usize) {
        self.recent.push_front(read);
        self.recent.truncate(most);
    }

    /// How many requests ago something was read with which a sector may be held.
    fn age(&self, lba: u64, track_sectors: Option<u64>) -> Option<usize> {
        let whole = self.whole_tracks == WholeTracks::Yes;
        let track = track_sectors.unwrap_or(AHEAD);
        // Where another read follows at once, hardly more than a turn passes the head; where it takes many reads to be
        // forgotten, that what has all of a track has more is not waited for.
        let most = if self.forgetting().tells_tracks() { track } else { 2 * track };
        let reach = |read: &Read| if whole { read.reach.min(most) } else { read.reach };
        let held = |read: &Read| (read.lba..read.lba + reach(read)).contains(&lba);
        let ahead = self.recent.iter().position(held);
        let behind = whole.then(|| self.age_behind(lba, track)).flatten();
        ahead.into_iter().chain(behind).min()
    }

    fn age_behind(&self, lba: u64, sectors: u64) -> Option<usize> {
        self.recent.iter().position(|read| (lba + 1..lba + sectors).contains(&read.lba))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_probe::{End, Plan, Sample, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    /// Reads of these sectors, each answered after so many milliseconds.
    fn run(reads: &[(u64, f64)]) -> Samples {
        let mut now = Time::ZERO;
        let sample = |(lba, took): &(u64, f64)| {
            let submitted = now;
            now += Span::from_ms(*took).expect("a short time");
            Sample {
                lba: *lba,
                sectors: 1,
                operation: Operation::Read,
                distance_sectors: 0,
                submitted,
                completed: now,
            }
        };
        let samples = reads.iter().map(sample).collect();
        let lbas = reads.iter().map(|(lba, _)| *lba).collect();
        let plan = Tracks::at_once(Visit::Survey, lbas, 1);
        Samples { plan: Plan::Tracks(plan), samples, end: End::Complete }
    }

    fn wanted(held: &Held, lbas: &[u64]) -> Vec<u64> {
        let visits: Vec<Visited> = lbas.iter().map(|lba| Visited::at_once(*lba)).collect();
        let apart = held.apart(&visits, 1, Some(100), |number| 1_000_000 + 20_000 * number);
        apart.iter().map(|visit| visit.lba).collect()
    }

    const PLATTER: Platter = Platter { period: 10.0, track: Some(100) };
    /// A read, and others at once that a cache may have: ahead of it, and before it.
    const AHEAD_OF_IT: [(u64, f64); 6] =
        [(500, 9.0), (520, 0.3), (540, 0.3), (560, 0.3), (570, 0.3), (580, 0.3)];
    const BEFORE_IT: [(u64, f64); 6] =
        [(590, 9.0), (560, 0.3), (530, 0.3), (520, 0.3), (515, 0.3), (510, 0.3)];

    #[test]
    fn what_was_read_ahead_is_forgotten_before_it_is_asked_for() {
        let mut held = Held::default();
        held.learn(&run(&AHEAD_OF_IT), 0.5, PLATTER);
        let apart = wanted(&held, &[530]);
        assert!(apart.len() > 2 && apart.last() == Some(&530), "{apart:?}");
        assert_eq!(wanted(&held, &[400, 380]), [400, 380], "nothing lies behind a read");
    }

    #[test]
    fn what_was_read_before_many_is_forgotten_by_as_many_reads_as_are_missing() {
        let mut held = Held::default();
        held.learn(&run(&AHEAD_OF_IT), 0.5, PLATTER);
        let missing = |held: &Held, lba| held.missing(&[Visited::at_once(lba)], Some(100));
        assert_eq!(missing(&held, 530), held.places());
        held.add(&run(&[(90_000, 9.0)]), 0.5, PLATTER);
        assert_eq!(missing(&held, 530), held.places() - 1);
        assert_eq!(missing(&held, 400), 0, "nothing lies behind a read");
    }

    #[test]
    fn no_more_is_read_ahead_than_passed_the_head() {
        let mut held = Held::default();
        held.learn(&run(&AHEAD_OF_IT), 0.5, PLATTER);
        assert!(wanted(&held, &[900]).len() > 1, "nothing else was read since");
        // Two turns and a half, with the fast answers.
        let mut held = Held::default();
        let elsewhere = [(90_000, 23.5)];
        held.learn(&run(&[AHEAD_OF_IT.as_slice(), &elsewhere].concat()), 0.5, PLATTER);
        assert!(wanted(&held, &[740]).len() > 1, "it may have passed");
        assert_eq!(wanted(&held, &[760]), [760]);
    }

    #[test]
    fn whole_tracks_are_forgotten_between_their_sectors_where_they_are_held() {
        for (took, are_held) in [(0.3, true), (9.0, false)] {
            let mut held = Held::default();
            held.learn(&run(&BEFORE_IT), 0.5, PLATTER);
            assert!(held.suspects_whole_tracks());
            let trials = held.trials(1, PLATTER, |number| 1_000_000 + 20_000 * number);
            let reads: Vec<(u64, f64)> = trials
                .iter()
                .map(|visit| (visit.lba, if visit.wait_ps > 0 { took } else { 9.0 }))
                .collect();
            held.tell_whole_tracks(&run(&reads), 0.5, PLATTER);
            held.learn(&run(&BEFORE_IT), 0.5, PLATTER);
            let apart = wanted(&held, &[350, 340]);
            assert_eq!(apart.len() > 2, are_held, "{apart:?}");
        }
    }

    #[test]
    fn a_fast_answer_by_chance_is_no_cache() {
        let mut held = Held::default();
        let mut reads: Vec<(u64, f64)> = (0..40).map(|it| (500 + 10 * it, 9.0)).collect();
        (reads[10].1, reads[20].1) = (0.3, 0.3);
        held.learn(&run(&reads), 0.5, PLATTER);
        assert_eq!(wanted(&held, &[530, 531]), [530, 531]);
    }
}
