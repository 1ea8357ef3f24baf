//! A scheduler: which of the waiting requests comes next.

use super::class::{Class, Made};
use super::shown::Shown;
use platterlab_sim::outside::{self, Chooser, Makes};
use platterlab_units::{Operation, Stamp};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A request that waits, as a scheduler in Python sees it.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct WaitingRequest {
    inner: outside::WaitingRequest,
}

#[pymethods]
impl WaitingRequest {
    #[getter]
    fn lba(&self) -> u64 {
        self.inner.lba
    }

    #[getter]
    fn sectors(&self) -> u32 {
        self.inner.sectors
    }

    #[getter]
    fn operation(&self) -> &'static str {
        word(self.inner.operation)
    }

    #[getter]
    fn arrival_ps(&self) -> u128 {
        self.inner.arrival.as_ps()
    }

    #[getter]
    fn number(&self) -> u64 {
        self.inner.number
    }

    #[getter]
    fn cylinder(&self) -> u32 {
        self.inner.cylinder
    }

    fn __repr__(&self) -> String {
        let outside::WaitingRequest { lba, sectors, .. } = self.inner;
        format!("<{} of {sectors} sectors from {lba} on>", self.operation())
    }
}

fn word(operation: Operation) -> &'static str {
    if operation == Operation::Read { "read" } else { "write" }
}

impl Makes<dyn Chooser> for Made {
    fn make(&self) -> Box<dyn Chooser> {
        let hands = self.0.object(|object| {
            let (choose, py) = (object.getattr("choose")?.unbind(), object.py());
            Ok(Choosing { choose, waiting: Shown::new(py), all: BTreeMap::new() })
        });
        Box::new(Scheduler { hands, class: Arc::clone(&self.0) })
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }
}

/// One scheduler at work; without hands once it has failed.
struct Scheduler {
    hands: Option<Choosing>,
    class: Arc<Class>,
}

/// Its method, what it chooses from, and the same by number.
struct Choosing {
    choose: Py<PyAny>,
    waiting: Shown,
    all: BTreeMap<u64, Py<WaitingRequest>>,
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.class.fmt(f)
    }
}

impl Choosing {
    fn came(&mut self, py: Python<'_>, inner: outside::WaitingRequest) -> PyResult<()> {
        let one = Bound::new(py, WaitingRequest { inner })?;
        self.waiting.add(py, one.as_any())?;
        self.all.insert(inner.number, one.unbind());
        Ok(())
    }

    /// The number of the request it chooses, which leaves the list.
    fn choose(&mut self, py: Python<'_>, now: Stamp, class: &Class) -> Option<u64> {
        let asked = self.choose.bind(py).call1((self.waiting.list(py), now.as_ps()));
        let chosen = class.passed(py, "choose", asked)?;
        if !self.waiting.untouched(py, class, "what waits") {
            return None;
        }
        if !self.waiting.take(py, &chosen) {
            self.waiting.refuse(class, &chosen, "that wait");
            return None;
        }
        let number = chosen.cast::<WaitingRequest>().ok()?.get().inner.number;
        self.all.remove(&number);
        Some(number)
    }
}

impl Chooser for Scheduler {
    fn came(&mut self, waiting: outside::WaitingRequest) {
        let Some(hands) = &mut self.hands else { return };
        Python::attach(|py| self.class.passed(py, "a request", hands.came(py, waiting)));
    }

    fn choose(&mut self, now: Stamp) -> Option<u64> {
        let hands = self.hands.as_mut()?;
        let chosen = Python::attach(|py| hands.choose(py, now, &self.class));
        if chosen.is_none() {
            self.hands = None;
        }
        chosen
    }

    fn gone(&mut self, number: u64) {
        let Some(hands) = &mut self.hands else { return };
        let Some(one) = hands.all.remove(&number) else { return };
        Python::attach(|py| hands.waiting.take(py, one.bind(py).as_any()));
    }

    fn twin(&self) -> Box<dyn Chooser> {
        // Only what steps on the caller's clock is copied, and that has deciders of the core alone.
        Box::new(Self { hands: None, class: Arc::clone(&self.class) })
    }
}
