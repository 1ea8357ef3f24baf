//! Deciders and workloads that are classes of Python: what each is given, and how its answers are
//! checked. One file per kind.

mod class;
mod read_choice;
mod replacement;
mod scheduler;
mod shown;
mod workload;

pub(crate) use read_choice::MirrorCopy;
pub(crate) use replacement::CacheLine;
pub(crate) use scheduler::WaitingRequest;

use class::{Class, Made};
use platterlab_experiment::{Plan, Within};
use platterlab_sim::outside::{Maker, Makes, Outside};
use pyo3::prelude::*;
use std::sync::Arc;

/// The classes that take part in an experiment.
#[derive(Clone, Default)]
pub(crate) struct Classes {
    all: Vec<Arc<Class>>,
}

impl Classes {
    /// The exception behind what went wrong, which is given away.
    pub(crate) fn cause(&self) -> Option<PyErr> {
        self.all.iter().find_map(|class| class.cause())
    }

    /// A plan in which these classes take part.
    pub(crate) fn in_plan(
        plan: Plan,
        scheduler: Option<&Bound<'_, PyAny>>,
        replacement: Option<&Bound<'_, PyAny>>,
        workload: Option<&Bound<'_, PyAny>>,
        read_choice: Option<&Bound<'_, PyAny>>,
    ) -> (Plan, Self) {
        let mut all = Vec::new();
        let mut class = |kind, class: Option<&Bound<'_, PyAny>>| {
            let class = Arc::new(Class::new(kind, class?));
            all.push(Arc::clone(&class));
            Some(Made(class))
        };
        let outside = Outside {
            scheduler: class("scheduler", scheduler).map(maker),
            replacement: class("replacement", replacement).map(maker),
            read_choice: class("read choice", read_choice).map(maker),
        };
        let workload = class("workload", workload);
        let mut plan = plan.with_outside(outside).within(Arc::new(Attached));
        if let Some(made) = workload {
            let name = made.0.name().to_owned();
            plan = plan.with_workload(Arc::new(made), name);
        }
        (plan, Self { all })
    }
}

/// The interpreter knows a thread while it works: to be made known anew at each decision would take
/// longer than the decision.
#[derive(Debug)]
struct Attached;

impl Within for Attached {
    fn enter(&self, work: &mut (dyn FnMut() + Send)) {
        Python::attach(|py| py.detach(work));
    }
}

fn maker<D: ?Sized>(made: Made) -> Maker<D>
where
    Made: Makes<D>,
{
    Arc::new(made)
}
