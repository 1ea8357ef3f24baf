//! The places of sectors on the platter, kept from one run to the next.

use super::looks::{Looks, middle};
use crate::clock::Turn;
use crate::grain::Ticks;
use crate::stats::fold;
use platterlab_probe::{Sample, Samples};
use platterlab_units::Time;
use std::collections::BTreeMap;

/// When sectors passed the head, on the device's clock.
#[derive(Clone, Debug)]
pub(super) struct Angles {
    turn: Turn,
    /// The host's, if it has some.
    ticks: Ticks,
    epoch: Option<Time>,
    /// What is answered faster may come from a cache and says nothing.
    hit_ms: f64,
    passed: BTreeMap<u64, f64>,
    /// Sectors that a cache had as it read all of another one's track, and that other one.
    on_track: BTreeMap<u64, u64>,
    looks: Looks,
    /// When the last request was complete.
    now: f64,
}

/// Most skews are longer than this part of a turn.
const HIDING: f64 = 20.0;
/// A drive does not keep its speed well enough to compare what lies further apart.
const LONGEST_MS: f64 = 2_000.0;

impl Angles {
    pub(super) fn new(turn: Turn, hit_ms: f64) -> Self {
        let (ticks, passed) = (Ticks::default(), BTreeMap::new());
        Self {
            turn,
            ticks,
            epoch: None,
            hit_ms,
            passed,
            on_track: BTreeMap::new(),
            looks: Looks::single(turn.period),
            now: 0.0,
        }
    }

    /// The same, empty, of sectors that are looked at so.
    pub(super) fn looked_at(&self, looks: Looks) -> Self {
        Self { passed: BTreeMap::new(), on_track: BTreeMap::new(), looks, ..self.clone() }
    }

    /// How each sector is looked at.
    pub(super) fn looks(&self) -> Looks {
        self.looks
    }

    /// The same by a host that gathers completions.
    pub(super) fn seen_at(self, ticks: Ticks) -> Self {
        Self { ticks, ..self }
    }

    /// Takes a run in. A sector that was seen before is seen anew; one that was read several times passed in the
    /// middle of these.
    pub(super) fn add(&mut self, run: &Samples) {
        let mut seen: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for sample in &run.samples {
            let epoch = *self.epoch.get_or_insert(sample.submitted);
            let completed = sample.completed.since(epoch).as_ms();
            self.now = completed;
            if sample.elapsed().as_ms() > self.hit_ms {
                seen.entry(sample.lba).or_default().push(completed);
            } else {
                self.passed.remove(&sample.lba);
            }
        }
        let period = self.turn.period;
        self.passed.extend(seen.into_iter().filter_map(|(lba, times)| {
            let last = *times.last()?;
            let mut offs: Vec<f64> = times.iter().map(|time| fold(time - last, period)).collect();
            Some((lba, last + middle(&mut offs)?))
        }));
    }

    /// The same of reads in rising order, each after the track of the one before was read, of less than `reach`
    /// sectors: what comes at once is on that track.
    pub(super) fn add_tracks(&mut self, run: &Samples, reach: u64) {
        self.add(run);
        let mut read: Option<&Sample> = None;
        let mut before: Option<&Sample> = None;
        for sample in &run.samples {
            let near = |it: &&Sample| (it.lba + 1..it.lba + reach).contains(&sample.lba);
            if sample.elapsed().as_ms() > self.hit_ms {
                (before, read) = (read.filter(near).or(before), Some(sample));
            } else if let Some(last) = read.filter(near) {
                let first = before.filter(near).filter(|_| self.was_late(last, sample, reach));
                if let Some(first) = first {
                    self.passed.remove(&last.lba);
                    self.on_track.insert(last.lba, first.lba);
                    read = Some(first);
                }
                self.on_track.insert(sample.lba, first.unwrap_or(last).lba);
            }
        }
    }

    /// Whether a read was no slower than one that a cache has, but completed late: the next one came before its sector
    /// can have passed.
    fn was_late(&self, read: &Sample, next: &Sample, reach: u64) -> bool {
        let pace = self.turn.period / reach as f64;
        let passes = (next.lba - read.lba) as f64 * pace > self.hit_ms;
        passes && next.submitted.since(read.completed).as_ms() < pace
    }

    /// The sector that was seen on the same track, where it was not seen itself.
    pub(super) fn seen_for(&self, lba: u64) -> u64 {
        let other = self.on_track.get(&lba).filter(|_| !self.knows(lba));
        other.copied().unwrap_or(lba)
    }

    /// How far the angle from one sector to another is off a line, where those that were not seen lie on it with others
    /// of their track.
    pub(super) fn off_line(&self, from: u64, to: u64, slope: f64) -> Option<f64> {
        let (from, to) = (self.seen_for(from), self.seen_for(to));
        let straight = (to as f64 - from as f64) * slope;
        self.between(from, to).map(|angle| fold(angle - straight, self.period()))
    }

    /// The platter, with what the middle of as many reads scatters by.
    pub(super) fn turn(&self) -> Turn {
        Turn { jitter: self.looks.jitter_ms(self.turn), ..self.turn }
    }

    /// Forgets what lies below an address.
    pub(super) fn forget_below(&mut self, lba: u64) {
        self.passed = self.passed.split_off(&lba);
        self.on_track = self.on_track.split_off(&lba);
    }

    /// Forgets everything but the clock.
    pub(super) fn forget(&mut self) {
        self.passed.clear();
        self.on_track.clear();
    }

    pub(super) fn hit_ms(&self) -> f64 {
        self.hit_ms
    }

    pub(super) fn knows(&self, lba: u64) -> bool {
        self.passed.contains_key(&lba)
    }

    /// Whether a look at so many sectors that comes next can be compared with another one.
    pub(super) fn has_fresh(&self, lba: u64, sectors: usize) -> bool {
        let until = self.now + sectors as f64 * self.looks.longer_ms(self.turn.period);
        self.passed.get(&lba).is_some_and(|passed| until - passed < LONGEST_MS / 2.0)
    }

    /// From one sector to another, less whole turns: from minus to plus half a turn, in
    /// milliseconds.
    pub(super) fn between(&self, from: u64, to: u64) -> Option<f64> {
        let (from, to) = (self.passed.get(&from)?, self.passed.get(&to)?);
        ((to - from).abs() < LONGEST_MS).then(|| fold(to - from, self.turn.period))
    }

    /// Two angles that differ by more are different. What is gathered is never late by more than a tick: as
    /// many standard deviations of that are several ticks.
    pub(super) fn tolerance(&self) -> f64 {
        self.apart(1.0)
    }

    /// An angle that is off by more is on no line that was drawn through one at half of its distance, where
    /// what that one was late by counts twice.
    pub(super) fn line_tolerance(&self) -> f64 {
        self.apart(2.0)
    }

    /// Less lets more late completions count: it is asked for only where skews hide in the scatter.
    fn apart(&self, ticks: f64) -> f64 {
        let scattered = self.looks.different_ms(self.turn);
        let hides = scattered > self.turn.period / HIDING;
        let apart = self.ticks.apart_ms(ticks, self.looks.deviations()).filter(|_| hides);
        let apart = apart.map_or(scattered, |apart| scattered.min(apart));
        apart.max(self.looks.least_ms)
    }

    pub(super) fn period(&self) -> f64 {
        self.turn.period
    }
}
