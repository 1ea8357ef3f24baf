//! A mirror's read choice: which copy is read.

use super::class::{Class, Made};
use super::shown::Shown;
use platterlab_sim::outside::{self, Makes, ReadChooser};
use platterlab_units::Stamp;
use pyo3::prelude::*;
use std::fmt;
use std::sync::Arc;

/// A copy that could be read, as a read choice in Python sees it.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct MirrorCopy {
    inner: outside::MirrorCopy,
}

#[pymethods]
impl MirrorCopy {
    #[getter]
    fn device(&self) -> u32 {
        self.inner.device
    }

    #[getter]
    fn lba(&self) -> u64 {
        self.inner.lba
    }

    #[getter]
    fn sectors(&self) -> u64 {
        self.inner.sectors
    }

    #[getter]
    fn outstanding(&self) -> usize {
        self.inner.outstanding
    }

    #[getter]
    fn seek_cylinders(&self) -> u32 {
        self.inner.seek_cylinders
    }

    #[getter]
    fn positioning_ms(&self) -> f64 {
        self.inner.positioning.as_ms()
    }

    fn __repr__(&self) -> String {
        format!("<copy on device {}, {} before it>", self.inner.device, self.inner.outstanding)
    }
}

impl Makes<dyn ReadChooser> for Made {
    fn make(&self) -> Box<dyn ReadChooser> {
        let choose = self.0.object(|object| Ok(object.getattr("choose")?.unbind()));
        Box::new(ReadChoice { choose, class: Arc::clone(&self.0) })
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }
}

/// One choice at work: its method, none once it has failed.
struct ReadChoice {
    choose: Option<Py<PyAny>>,
    class: Arc<Class>,
}

impl fmt::Debug for ReadChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.class.fmt(f)
    }
}

/// The place of the copy that `choose` gives.
fn ask(
    py: Python<'_>,
    choose: &Py<PyAny>,
    copies: &[outside::MirrorCopy],
    now: Stamp,
    class: &Class,
) -> PyResult<Option<usize>> {
    let mut offered = Shown::new(py);
    let mut all = Vec::with_capacity(copies.len());
    for &inner in copies {
        let copy = Bound::new(py, MirrorCopy { inner })?;
        offered.add(py, copy.as_any())?;
        all.push(copy);
    }
    let chosen = choose.bind(py).call1((offered.list(py), now.as_ps()))?;
    let at = all.iter().position(|copy| copy.is(&chosen));
    if at.is_none() {
        offered.refuse(class, &chosen, "copies");
    }
    Ok(at)
}

impl ReadChooser for ReadChoice {
    fn choose(&mut self, copies: &[outside::MirrorCopy], now: Stamp) -> Option<usize> {
        let choose = self.choose.as_ref()?;
        let chosen = Python::attach(|py| {
            let asked = ask(py, choose, copies, now, &self.class);
            self.class.passed(py, "choose", asked).flatten()
        });
        if chosen.is_none() {
            self.choose = None;
        }
        chosen
    }

    fn twin(&self) -> Box<dyn ReadChooser> {
        // Only what steps on the caller's clock is copied, and that has deciders of the core alone.
        Box::new(Self { choose: None, class: Arc::clone(&self.class) })
    }
}
