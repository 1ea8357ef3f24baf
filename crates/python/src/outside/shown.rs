//! The list that a class of Python chooses from, and may only look at.

use super::class::{Class, shown};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// What may be chosen, in the order in which it came.
pub(super) struct Shown {
    list: Py<PyList>,
    count: usize,
}

impl Shown {
    pub(super) fn new(py: Python<'_>) -> Self {
        Self { list: PyList::empty(py).unbind(), count: 0 }
    }

    pub(super) fn list<'py>(&self, py: Python<'py>) -> &Bound<'py, PyList> {
        self.list.bind(py)
    }

    pub(super) fn add(&mut self, py: Python<'_>, one: &Bound<'_, PyAny>) -> PyResult<()> {
        self.list.bind(py).append(one)?;
        self.count += 1;
        Ok(())
    }

    /// Whether it is as it was; a class that changed it has failed.
    pub(super) fn untouched(&self, py: Python<'_>, class: &Class, of: &str) -> bool {
        let untouched = self.list.bind(py).len() == self.count;
        if !untouched {
            class.fail(&format!("choose changed the list of {of}; it may only look at it"));
        }
        untouched
    }

    /// Takes the object `is` out; whether it was there.
    pub(super) fn take(&mut self, py: Python<'_>, is: &Bound<'_, PyAny>) -> bool {
        let list = self.list.bind(py);
        let at = (0..self.count).find(|&at| list.get_item(at).is_ok_and(|one| one.is(is)));
        let taken = at.is_some_and(|at| list.del_item(at).is_ok());
        self.count -= usize::from(taken);
        taken
    }

    /// Says that what was chosen is none of these.
    pub(super) fn refuse(&self, class: &Class, chosen: &Bound<'_, PyAny>, of: &str) {
        class.fail(&format!("choose gave {}, none of the {} {of}", shown(chosen), self.count));
    }
}
