//! The places of sectors on the platter, kept from one run to the next.

use crate::clock::Turn;
use crate::grain::Ticks;
use crate::stats::{MEDIAN_ERROR, fold, median};
use platterlab_probe::Samples;
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
    /// How often each sector is read in a look.
    reads: usize,
    /// When the last request was complete.
    now: f64,
}

/// Jitters that make two angles different ones.
const DIFFERENT: f64 = 12.0;
/// Most skews are longer than this part of a turn.
const HIDING: f64 = 20.0;
/// A drive does not keep its speed well enough to compare what lies further apart.
const LONGEST_MS: f64 = 2_000.0;

impl Angles {
    pub(super) fn new(turn: Turn, hit_ms: f64) -> Self {
        let (ticks, passed) = (Ticks::default(), BTreeMap::new());
        Self { turn, ticks, epoch: None, hit_ms, passed, reads: 1, now: 0.0 }
    }

    /// The same, empty, of sectors that are read so often in a look.
    pub(super) fn read_again(&self, reads: usize) -> Self {
        Self { passed: BTreeMap::new(), reads, ..self.clone() }
    }

    /// How often each sector is read in a look.
    pub(super) fn reads(&self) -> usize {
        self.reads
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
            let offs: Vec<f64> = times.iter().map(|time| fold(time - last, period)).collect();
            Some((lba, last + median(&offs)?))
        }));
    }

    /// The platter, with what the middle of as many reads scatters by.
    pub(super) fn turn(&self) -> Turn {
        let part = if self.reads > 1 { MEDIAN_ERROR / (self.reads as f64).sqrt() } else { 1.0 };
        Turn { jitter: part * self.turn.jitter, ..self.turn }
    }

    /// Forgets what lies below an address.
    pub(super) fn forget_below(&mut self, lba: u64) {
        self.passed = self.passed.split_off(&lba);
    }

    /// Forgets everything but the clock.
    pub(super) fn forget(&mut self) {
        self.passed.clear();
    }

    pub(super) fn hit_ms(&self) -> f64 {
        self.hit_ms
    }

    pub(super) fn knows(&self, lba: u64) -> bool {
        self.passed.contains_key(&lba)
    }

    /// Whether what comes next can be compared with a sector.
    pub(super) fn has_fresh(&self, lba: u64) -> bool {
        self.passed.get(&lba).is_some_and(|passed| self.now - passed < LONGEST_MS / 2.0)
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
        let scattered = DIFFERENT * self.turn().jitter;
        let hides = scattered > self.turn.period / HIDING;
        let apart = self.ticks.apart_ms(ticks, DIFFERENT).filter(|_| hides);
        let apart = apart.map_or(scattered, |apart| scattered.min(apart));
        apart.max(self.turn.period / 500.0)
    }

    pub(super) fn period(&self) -> f64 {
        self.turn.period
    }
}
