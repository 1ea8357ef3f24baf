use super::{Completion, Request, Source};
use platterlab_units::{Stamp, Time};
use platterlab_workload::Record;

/// A source whose requests are kept as a trace of them would have it.
#[derive(Debug)]
pub struct Recorded<S> {
    source: S,
    records: Vec<Record>,
}

impl<S> Recorded<S> {
    /// Keeps what `source` asks for.
    pub fn new(source: S) -> Self {
        Self { source, records: Vec::new() }
    }

    /// The source.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source, to be asked for what it only finds out at the end.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// The requests so far, in the order of their arrivals, which are given away.
    pub fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    fn keep(&mut self, now: Time, requests: &[Request]) {
        let arrival = Stamp::from_ps(u128::from(now.as_ps()));
        self.records.extend(requests.iter().map(|request| Record {
            arrival,
            queued: None,
            service: None,
            think: None,
            lba: request.lba,
            sectors: request.sectors,
            device: request.volume,
            operation: request.operation,
            criticality: request.criticality,
        }));
    }
}

impl<S: Source> Source for Recorded<S> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Time> {
        self.source.next()
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let before = out.len();
        self.source.act(now, out)?;
        self.keep(now, &out[before..]);
        Ok(())
    }

    fn completed(
        &mut self,
        now: Time,
        completion: &Completion,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let before = out.len();
        self.source.completed(now, completion, out)?;
        self.keep(now, &out[before..]);
        Ok(())
    }

    fn refused(
        &mut self,
        now: Time,
        request: &Request,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let before = out.len();
        self.source.refused(now, request, out)?;
        self.keep(now, &out[before..]);
        Ok(())
    }
}
