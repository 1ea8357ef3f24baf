//! The closed source: a fixed number of requests outstanding.

use super::open::request;
use super::{Over, Request, Source};
use platterlab_units::Stamp;
use platterlab_workload::Record;

/// A closed source: a fixed number of requests is always outstanding, and each completion brings
/// the next, arrival times disregarded (Ganger–Patt 1998, §6.1).
#[derive(Debug)]
pub struct Closed<I> {
    records: I,
    /// Outstanding from the start.
    population: u32,
    started: bool,
}

impl<I: Iterator<Item = Result<Record, E>>, E> Closed<I> {
    /// `population` of the records outstanding at any time.
    pub fn new(records: I, population: u32) -> Self {
        Self { records, population, started: false }
    }

    fn one(&mut self, out: &mut Vec<Request>) -> Result<(), E> {
        if let Some(record) = self.records.next() {
            out.push(request(&record?));
        }
        Ok(())
    }
}

impl<I: Iterator<Item = Result<Record, E>>, E> Source for Closed<I> {
    type Error = E;

    fn next(&mut self) -> Option<Stamp> {
        (!self.started).then_some(Stamp::ZERO)
    }

    fn act(&mut self, _: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        self.started = true;
        (0..self.population).try_for_each(|_| self.one(out))
    }

    fn over(&mut self, _: Stamp, _: &Over, out: &mut Vec<Request>) -> Result<(), E> {
        self.one(out)
    }
}
