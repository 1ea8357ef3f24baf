//! A volume of a whole system that somebody asks step by step, as he would a device.

use super::{Ask, LiveDone, LiveRequest};
use crate::system::{Asked, StepError, Stepper};
use platterlab_units::{Operation, Stamp};
use std::collections::{BTreeMap, VecDeque};

/// A volume over the drives of a system.
///
/// A flush is done when all that was asked before it is; what the caches of drives and controllers
/// hold by then is theirs. What the system loses, for too many of its drives have failed, fails.
#[derive(Debug)]
pub struct LiveVolume {
    stepper: Stepper,
    volume: u32,
    /// What the system is at, by its own numbers.
    asked: BTreeMap<u64, LiveRequest>,
    /// Flushes: the tag of each, and the number of the last request before it.
    flushes: VecDeque<(u64, u64)>,
    /// Done without the system, at the instant that they came.
    at_once: Vec<LiveDone>,
}

impl LiveVolume {
    /// A volume of a system in which nothing is asked of any other.
    #[must_use]
    pub fn new(stepper: Stepper, volume: u32) -> Self {
        let (asked, flushes, at_once) = (BTreeMap::new(), VecDeque::new(), Vec::new());
        Self { stepper, volume, asked, flushes, at_once }
    }

    /// Bytes in its sectors.
    #[must_use]
    pub fn sector_bytes(&self) -> u32 {
        self.stepper.sector_bytes()
    }

    /// Sectors it holds.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        self.stepper.sectors(self.volume)
    }

    /// When something happens next that requests wait for.
    pub(super) fn next(&mut self) -> Option<Stamp> {
        if let Some(done) = self.at_once.first() {
            return Some(done.at);
        }
        // What the system does by itself is of no interest until somebody waits.
        if self.asked.is_empty() { None } else { self.stepper.next_event() }
    }

    pub(super) fn submit(&mut self, at: Stamp, request: LiveRequest) {
        let operation = match request.ask {
            Ask::Read => Operation::Read,
            Ask::Write { .. } => Operation::Write,
            Ask::Discard => return self.at_once.push(bare(request.tag, at)),
            Ask::Flush => match self.asked.last_key_value() {
                Some((&last, _)) => return self.flushes.push_back((request.tag, last)),
                None => return self.at_once.push(bare(request.tag, at)),
            },
        };
        let LiveRequest { lba, sectors, .. } = request;
        match self.stepper.submit(at, Asked { volume: self.volume, lba, sectors, operation }) {
            Ok(number) => {
                self.asked.insert(number, request);
            }
            Err(_) => self.at_once.push(LiveDone::nothing(request.tag, at)),
        }
    }

    pub(super) fn advance(&mut self, to: Stamp, out: &mut Vec<LiveDone>) {
        out.append(&mut self.at_once);
        let advanced = self.stepper.advance(to);
        let mut over = std::mem::take(self.stepper.completions());
        for ended in over.drain(..) {
            let Some(request) = self.asked.remove(&ended.request.tag) else { continue };
            out.push(LiveDone {
                failed: ended.lost,
                took: Some(ended.completion.since(ended.arrival)),
                ..bare(request.tag, ended.completion)
            });
            self.pass_flushes(ended.completion, out);
        }
        if let Err(StepError::Over(_)) = advanced {
            // Nothing more happens in there: all who wait are notified.
            let lost = std::mem::take(&mut self.asked).into_values().map(|request| request.tag);
            let flushes = self.flushes.drain(..).map(|(tag, _)| tag);
            out.extend(lost.chain(flushes).map(|tag| LiveDone::nothing(tag, to)));
        }
    }

    /// The flushes are done before which nothing is left.
    fn pass_flushes(&mut self, at: Stamp, out: &mut Vec<LiveDone>) {
        let first = self.asked.keys().next().copied();
        while let Some(&(tag, last)) = self.flushes.front()
            && first.is_none_or(|first| first > last)
        {
            self.flushes.pop_front();
            out.push(bare(tag, at));
        }
    }
}

fn bare(tag: u64, at: Stamp) -> LiveDone {
    LiveDone { tag, at, on_media: Some(at), row: None, took: None, failed: false }
}
