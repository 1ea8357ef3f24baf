//! A scheduler that is a class of Python: what it is told, and how its choices are checked.

use platterlab_sim::scheduler::{Chooser, Choosers, Waiting};
use platterlab_units::{Operation, Stamp};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A request that waits, as a scheduler in Python sees it.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct WaitingRequest {
    inner: Waiting,
}

#[pymethods]
impl WaitingRequest {
    /// First sector on the drive.
    #[getter]
    fn lba(&self) -> u64 {
        self.inner.lba
    }

    /// Length in sectors.
    #[getter]
    fn sectors(&self) -> u32 {
        self.inner.sectors
    }

    /// `read` or `write`.
    #[getter]
    fn operation(&self) -> &'static str {
        if self.inner.operation == Operation::Read { "read" } else { "write" }
    }

    /// When it came to this queue, in picoseconds.
    #[getter]
    fn arrival_ps(&self) -> u128 {
        self.inner.arrival.stamp().as_ps()
    }

    /// Its number in the order of arrival.
    #[getter]
    fn number(&self) -> u64 {
        self.inner.sequence
    }

    /// The cylinder of its first sector; 0 on a device without any.
    #[getter]
    fn cylinder(&self) -> u32 {
        self.inner.cylinder()
    }

    fn __repr__(&self) -> String {
        let Waiting { lba, sectors, .. } = self.inner;
        format!("<{} of {sectors} sectors from {lba} on>", self.operation())
    }
}

/// A class of Python that makes schedulers, and what one of them did wrong.
#[derive(Clone)]
pub(crate) struct Schedulers {
    shared: Arc<Shared>,
}

struct Shared {
    class: Py<PyAny>,
    name: String,
    /// What is told, and the exception that was the cause, if one was.
    failure: Mutex<Option<(String, Option<PyErr>)>>,
}

impl Schedulers {
    pub(crate) fn new(class: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = class.getattr("__name__").and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| class.to_string());
        let shared = Shared { class: class.clone().unbind(), name, failure: Mutex::default() };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The exception behind the failure, which is given away.
    pub(crate) fn cause(&self) -> Option<PyErr> {
        self.shared.kept().as_mut().and_then(|(_, cause)| cause.take())
    }

    fn made(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyList>)> {
        let made = self.shared.class.bind(py).call0()?;
        Ok((made.getattr("choose")?.unbind(), PyList::empty(py).unbind()))
    }
}

impl Shared {
    fn kept(&self) -> std::sync::MutexGuard<'_, Option<(String, Option<PyErr>)>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first failure counts.
    fn fail(&self, what: &str, cause: Option<PyErr>) {
        let text = format!("scheduler {}: {what}", self.name);
        self.kept().get_or_insert((text, cause));
    }

    fn raised(&self, py: Python<'_>, doing: &str, error: PyErr) {
        let name = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
        self.fail(&format!("{doing} raised {name}: {}", error.value(py)), Some(error));
    }
}

impl fmt::Debug for Schedulers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schedulers({})", self.shared.name)
    }
}

impl Choosers for Schedulers {
    fn chooser(&self) -> Box<dyn Chooser> {
        let hands = Python::attach(|py| match self.made(py) {
            Ok((choose, waiting)) => Some(Hands { choose, waiting, count: 0 }),
            Err(error) => {
                self.shared.raised(py, "making one", error);
                None
            }
        });
        Box::new(Scheduler { hands, shared: Arc::clone(&self.shared) })
    }

    fn failure(&self) -> Option<String> {
        self.shared.kept().as_ref().map(|(text, _)| text.clone())
    }
}

/// One scheduler at work; without hands once it has failed.
struct Scheduler {
    hands: Option<Hands>,
    shared: Arc<Shared>,
}

/// Its method, and the list that it chooses from, which is in the order of arrival.
struct Hands {
    choose: Py<PyAny>,
    waiting: Py<PyList>,
    count: usize,
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scheduler({})", self.shared.name)
    }
}

impl Hands {
    /// The number of the request it chooses, which leaves the list.
    fn choose(&mut self, py: Python<'_>, now: Stamp, shared: &Shared) -> Option<u64> {
        let waiting = self.waiting.bind(py);
        let chosen = match self.choose.bind(py).call1((waiting, now.as_ps())) {
            Ok(chosen) => chosen,
            Err(error) => {
                shared.raised(py, "choose", error);
                return None;
            }
        };
        let count = self.count;
        if waiting.len() != count {
            shared.fail("choose changed the list of what waits; it may only look at it", None);
            return None;
        }
        let at = (0..count).find(|&at| waiting.get_item(at).is_ok_and(|one| one.is(&chosen)));
        let request = chosen.cast::<WaitingRequest>().ok();
        let (Some(at), Some(request)) = (at, request) else {
            let what =
                chosen.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string());
            shared.fail(&format!("choose gave {what}, none of the {count} that wait"), None);
            return None;
        };
        let sequence = request.get().inner.sequence;
        self.drop_at(py, at).then_some(sequence)
    }

    fn drop_at(&mut self, py: Python<'_>, at: usize) -> bool {
        let dropped = self.waiting.bind(py).del_item(at).is_ok();
        self.count -= usize::from(dropped);
        dropped
    }
}

impl Chooser for Scheduler {
    fn came(&mut self, waiting: &Waiting) {
        let Some(hands) = &mut self.hands else { return };
        Python::attach(|py| {
            let entered = Py::new(py, WaitingRequest { inner: *waiting })
                .and_then(|one| hands.waiting.bind(py).append(one));
            match entered {
                Ok(()) => hands.count += 1,
                Err(error) => self.shared.raised(py, "a request", error),
            }
        });
    }

    fn choose(&mut self, now: Stamp) -> Option<u64> {
        let hands = self.hands.as_mut()?;
        let chosen = Python::attach(|py| hands.choose(py, now, &self.shared));
        if chosen.is_none() {
            self.hands = None;
        }
        chosen
    }

    fn gone(&mut self, sequence: u64) {
        let Some(hands) = &mut self.hands else { return };
        Python::attach(|py| {
            let waiting = hands.waiting.bind(py);
            let named = |at: &usize| {
                let one = waiting.get_item(*at).ok();
                one.and_then(|one| Some(one.cast::<WaitingRequest>().ok()?.get().inner.sequence))
            };
            let at = (0..hands.count).find(|at| named(at) == Some(sequence));
            if let Some(at) = at {
                hands.drop_at(py, at);
            }
        });
    }

    fn twin(&self) -> Box<dyn Chooser> {
        // Only what steps on the caller's clock is copied, and that has schedulers of the core alone.
        Box::new(Self { hands: None, shared: Arc::clone(&self.shared) })
    }
}
