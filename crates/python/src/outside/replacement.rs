//! A replacement policy: which line of a cache makes room.

use super::class::{Class, Made, optional};
use super::shown::Shown;
use platterlab_sim::outside::{self, Evictor, Makes};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A line of a cache, as a replacement policy in Python sees it.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct CacheLine {
    slot: u32,
    line: outside::CacheLine,
    entered: u64,
    used: AtomicU64,
    uses: AtomicU64,
}

#[pymethods]
impl CacheLine {
    #[getter]
    fn device(&self) -> u32 {
        self.line.device
    }

    #[getter]
    fn lba(&self) -> u64 {
        self.line.lba
    }

    #[getter]
    fn entered(&self) -> u64 {
        self.entered
    }

    #[getter]
    fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    #[getter]
    fn uses(&self) -> u64 {
        self.uses.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        let outside::CacheLine { device, lba } = self.line;
        format!("<line of device {device} from {lba} on, used {} times>", self.uses())
    }
}

impl Makes<dyn Evictor> for Made {
    fn make(&self) -> Box<dyn Evictor> {
        let hands = self.0.object(|object| {
            Ok(Evicting {
                choose: object.getattr("choose")?.unbind(),
                entered: optional(object, "entered")?,
                used: optional(object, "used")?,
                left: optional(object, "left")?,
                lines: Shown::new(object.py()),
                slots: BTreeMap::new(),
                count: 0,
            })
        });
        Box::new(Replacement { hands, class: Arc::clone(&self.0) })
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }
}

/// One policy at work; without hands once it has failed.
struct Replacement {
    hands: Option<Evicting>,
    class: Arc<Class>,
}

/// Its methods, the lines, and the same by slot.
struct Evicting {
    choose: Py<PyAny>,
    entered: Option<Py<PyAny>>,
    used: Option<Py<PyAny>>,
    left: Option<Py<PyAny>>,
    lines: Shown,
    slots: BTreeMap<u32, Py<CacheLine>>,
    /// Entries and uses so far.
    count: u64,
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.class.fmt(f)
    }
}

fn tell(py: Python<'_>, method: Option<&Py<PyAny>>, line: &Py<CacheLine>) -> PyResult<()> {
    method.map_or(Ok(()), |method| method.call1(py, (line,)).map(|_| ()))
}

impl Evicting {
    fn entered(&mut self, py: Python<'_>, slot: u32, line: outside::CacheLine) -> PyResult<()> {
        self.count += 1;
        let (used, uses) = (AtomicU64::new(self.count), AtomicU64::new(0));
        let one = Bound::new(py, CacheLine { slot, line, entered: self.count, used, uses })?;
        self.lines.add(py, one.as_any())?;
        let one = one.unbind();
        tell(py, self.entered.as_ref(), &one)?;
        self.slots.insert(slot, one);
        Ok(())
    }

    fn used(&mut self, py: Python<'_>, slot: u32) -> PyResult<()> {
        self.count += 1;
        let Some(line) = self.slots.get(&slot) else { return Ok(()) };
        line.get().used.store(self.count, Ordering::Relaxed);
        line.get().uses.fetch_add(1, Ordering::Relaxed);
        tell(py, self.used.as_ref(), line)
    }

    fn left(&mut self, py: Python<'_>, slot: u32) -> PyResult<()> {
        let Some(line) = self.slots.remove(&slot) else { return Ok(()) };
        self.lines.take(py, line.bind(py).as_any());
        tell(py, self.left.as_ref(), &line)
    }

    /// The slot of the line it chooses among those that `may` go.
    fn choose(
        &self,
        py: Python<'_>,
        may: &dyn Fn(u32) -> bool,
        class: &Class,
    ) -> PyResult<Option<u32>> {
        let all = self.lines.list(py);
        let offered = if self.slots.keys().all(|&slot| may(slot)) {
            all.clone()
        } else {
            let some = PyList::empty(py);
            for line in all {
                if may(line.cast::<CacheLine>()?.get().slot) {
                    some.append(line)?;
                }
            }
            some
        };
        let asked = self.choose.bind(py).call1((&offered,));
        let Some(chosen) = class.passed(py, "choose", asked) else { return Ok(None) };
        if !self.lines.untouched(py, class, "lines") {
            return Ok(None);
        }
        let slot = chosen.cast::<CacheLine>().ok().map(|line| line.get().slot);
        let held = |slot: &u32| self.slots.get(slot).is_some_and(|one| one.is(&chosen));
        let slot = slot.filter(|slot| held(slot) && may(*slot));
        if slot.is_none() {
            self.lines.refuse(class, &chosen, "lines that may go");
        }
        Ok(slot)
    }
}

impl Replacement {
    fn tell(&mut self, of: impl FnOnce(&mut Evicting, Python<'_>) -> PyResult<()>, doing: &str) {
        let Some(hands) = &mut self.hands else { return };
        let told = Python::attach(|py| self.class.passed(py, doing, of(hands, py)));
        if told.is_none() {
            self.hands = None;
        }
    }
}

impl Evictor for Replacement {
    fn entered(&mut self, slot: u32, line: outside::CacheLine) {
        self.tell(|hands, py| hands.entered(py, slot, line), "entered");
    }

    fn used(&mut self, slot: u32) {
        self.tell(|hands, py| hands.used(py, slot), "used");
    }

    fn left(&mut self, slot: u32) {
        self.tell(|hands, py| hands.left(py, slot), "left");
    }

    fn choose(&mut self, may: &dyn Fn(u32) -> bool) -> Option<u32> {
        let hands = self.hands.as_ref()?;
        let chosen = Python::attach(|py| {
            self.class.passed(py, "choose", hands.choose(py, may, &self.class)).flatten()
        });
        if chosen.is_none() {
            self.hands = None;
        }
        chosen
    }

    fn twin(&self) -> Box<dyn Evictor> {
        // Only what steps on the caller's clock is copied, and that has deciders of the core alone.
        Box::new(Self { hands: None, class: Arc::clone(&self.class) })
    }
}
