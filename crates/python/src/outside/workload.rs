//! A workload: what is asked for, at the start and after each request.

use super::class::{Class, Made, optional, shown};
use platterlab_experiment::{OutsideSource, Workloads};
use platterlab_sim::source::{Over, Request, Source};
use platterlab_units::{Operation, Partial, Stamp};
use platterlab_workload::Criticality;
use platterlab_workload::trace::TraceError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Workloads for Made {
    fn make(&self, volume_sectors: &[u64], seed: u64) -> OutsideSource {
        let mut workload = Workload {
            class: Arc::clone(&self.0),
            done: None,
            volume_sectors: volume_sectors.to_vec(),
            coming: BTreeMap::new(),
            under_way: BTreeMap::new(),
            tags: 0,
        };
        let begun = self.0.object(|object| {
            let first = object.call_method1("start", (volume_sectors, seed))?;
            Ok((optional(object, "done")?, first.unbind()))
        });
        if let Some((done, first)) = begun {
            workload.done = done;
            Python::attach(|py| workload.take(py, "start", first.bind(py), Stamp::ZERO));
        }
        Box::new(workload)
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }
}

/// No request arrives later.
const END_PS: u128 = 1 << 90;

/// One workload at work; nothing more comes of it once it has failed.
struct Workload {
    class: Arc<Class>,
    /// What hears of requests that are over.
    done: Option<Py<PyAny>>,
    volume_sectors: Vec<u64>,
    /// By arrival, and in the order in which they were given.
    coming: BTreeMap<(Stamp, u64), Coming>,
    /// What `done` is given of each request under way, by its tag.
    under_way: BTreeMap<u64, Py<PyAny>>,
    tags: u64,
}

/// A request to come: as it was given, and where the next after it is found.
struct Coming {
    request: Request,
    given: Py<PyAny>,
    rest: Py<PyIterator>,
}

impl Workload {
    /// Takes the first of the requests that a method gave; None is none.
    fn take(&mut self, py: Python<'_>, method: &str, given: &Bound<'_, PyAny>, now: Stamp) {
        if given.is_none() {
            return;
        }
        if let Some(rest) = self.class.clone().passed(py, method, given.try_iter()) {
            self.pull(&rest, now);
        }
    }

    /// Takes the next request, which may not arrive before `now`.
    fn pull(&mut self, rest: &Bound<'_, PyIterator>, now: Stamp) {
        let Some(given) = rest.clone().next() else { return };
        let class = Arc::clone(&self.class);
        let Some(given) = class.passed(rest.py(), "its next request", given) else { return };
        match self.request(&given, now) {
            Err(what) => class.fail(&format!("asked for {}: {what}", shown(&given))),
            Ok((at, request)) => {
                let (given, rest) = (given.unbind(), rest.clone().unbind());
                self.coming.insert((at, request.tag), Coming { request, given, rest });
                self.tags += 1;
            }
        }
    }

    /// A request as it was given, checked.
    fn request(&self, given: &Bound<'_, PyAny>, now: Stamp) -> Result<(Stamp, Request), String> {
        let (at_ps, lba, sectors, operation, volume) = fields(given)
            .map_err(|_| "a request is (at_ps, lba, sectors, \"read\" or \"write\"[, volume])")?;
        if at_ps >= END_PS {
            return Err(format!("the clock ends at {END_PS} ps"));
        }
        let at = Stamp::from_ps(at_ps);
        if at < now {
            return Err(format!("that is past, it is {} ps", now.as_ps()));
        }
        let operation = match operation.as_str() {
            "read" => Operation::Read,
            "write" => Operation::Write,
            other => return Err(format!("operation {other:?} is none of read, write")),
        };
        let Some(&end) = self.volume_sectors.get(volume as usize) else {
            return Err(format!("there is no volume {volume}, but {}", self.volume_sectors.len()));
        };
        if sectors == 0 || lba.checked_add(sectors.into()).is_none_or(|behind| behind > end) {
            return Err(format!("volume {volume} has {end} sectors, and a request at least one"));
        }
        let request = Request {
            volume,
            lba,
            sectors,
            partial: Partial::WHOLE,
            operation,
            criticality: Criticality::default(),
            stream: 0,
            order: None,
            tag: self.tags,
        };
        Ok((at, request))
    }
}

type Fields = (u128, u64, u32, String, u32);

fn fields(given: &Bound<'_, PyAny>) -> PyResult<Fields> {
    match given.len()? {
        4 => {
            let (at_ps, lba, sectors, operation) = given.extract()?;
            Ok((at_ps, lba, sectors, operation, 0))
        }
        5 => given.extract(),
        _ => Err(PyTypeError::new_err("it has another length")),
    }
}

impl Source for Workload {
    type Error = TraceError;

    fn next(&mut self) -> Option<Stamp> {
        self.coming.first_key_value().map(|(&(at, _), _)| at)
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), TraceError> {
        let Some((_, Coming { request, given, rest })) = self.coming.pop_first() else {
            return Ok(());
        };
        out.push(request);
        if self.done.is_some() {
            self.under_way.insert(request.tag, given);
        }
        Python::attach(|py| self.pull(rest.bind(py), now));
        Ok(())
    }

    fn over(&mut self, now: Stamp, over: &Over, _: &mut Vec<Request>) -> Result<(), TraceError> {
        let Some(given) = self.under_way.remove(&over.request.tag) else { return Ok(()) };
        Python::attach(|py| {
            let Some(done) = &self.done else { return };
            let told = done.bind(py).call1((given, now.as_ps()));
            if let Some(next) = self.class.passed(py, "done", told) {
                self.take(py, "done", &next, now);
            }
        });
        Ok(())
    }
}
