//! The subject of a server: a drive by itself, or a volume of an experiment's system.

use crate::error::input;
use crate::experiment::Experiment;
use crate::profile::Profile;
use platterlab_serve::FaultPlan;
use platterlab_sim::drive::Model;
use platterlab_sim::live::{Faults, Live, LiveDevice, LiveVolume};
use pyo3::prelude::*;

/// A drive by itself, or a volume of an experiment's system.
#[derive(FromPyObject)]
pub(crate) enum Subject<'py> {
    /// A drive.
    Profile(PyRef<'py, Profile>),
    /// A system.
    Experiment(PyRef<'py, Experiment>),
}

/// The queue of a drive by itself.
pub(crate) struct OwnQueue<'a> {
    pub(crate) scheduler: &'a str,
    pub(crate) depth: u32,
    pub(crate) seed: u64,
}

/// What can be asked step by step, and what clients learn of it.
pub(crate) struct BuiltSubject {
    pub(crate) live: Live,
    pub(crate) name: String,
    pub(crate) description: String,
    /// What its quickest request takes, or nearly; of a system that is not known.
    pub(crate) quickest_us: Option<f64>,
    /// A drive by itself as it is at first: what faults are checked against.
    pub(crate) model: Option<Model>,
}

impl Subject<'_> {
    /// Puts it together; a system's queues are its file's.
    pub(crate) fn build(
        &self,
        queue: &OwnQueue<'_>,
        volume: Option<&str>,
        faults: Option<&(String, String)>,
    ) -> PyResult<BuiltSubject> {
        match self {
            Self::Profile(_) if volume.is_some() => {
                Err(input("--volume: a drive by itself has none; leave it out"))
            }
            Self::Profile(profile) => drive(profile, queue, faults),
            Self::Experiment(_) if faults.is_some() => Err(input(NO_FAULTS)),
            Self::Experiment(experiment) => volume_of(experiment, volume),
        }
    }
}

/// What is said of faults for a system.
pub(crate) const NO_FAULTS: &str =
    "faults on purpose are a drive's by itself; those of a system are the `fault` of its file";

fn drive(
    profile: &Profile,
    queue: &OwnQueue<'_>,
    faults: Option<&(String, String)>,
) -> PyResult<BuiltSubject> {
    let policy = platterlab_experiment::scheduler_named(queue.scheduler).map_err(input)?;
    let model = Model::Drive(Box::new(profile.drive.clone()));
    let mut device = LiveDevice::new(model.clone(), policy, queue.depth, queue.seed);
    device.set_faults(faults.map(|(file, text)| faults_of(&model, file, text)).transpose()?);
    let quickest_us = Some(device.quickest().as_ms() * 1e3);
    let options = profile.inner.options();
    let (name, description) = (options.id.clone(), options.name.clone());
    let live = Live::Device(Box::new(device));
    Ok(BuiltSubject { live, name, description, quickest_us, model: Some(model) })
}

fn volume_of(experiment: &Experiment, volume: Option<&str>) -> PyResult<BuiltSubject> {
    let names = experiment.plan.volumes();
    let number = match volume {
        Some(wanted) => names.iter().position(|name| name == wanted),
        None if names.len() == 1 => Some(0),
        None => None,
    };
    let Some(number) = number else {
        let has = names.join(", ");
        return Err(input(format!("--volume: name one of the experiment's: {has}")));
    };
    let stepper = experiment.plan.stepper(0).map_err(input)?;
    let live = Live::Volume(Box::new(LiveVolume::new(stepper, number as u32)));
    let name = names[number].clone();
    let description = format!("A volume of {} drives", experiment.plan.drives().len());
    Ok(BuiltSubject { live, name, description, quickest_us: None, model: None })
}

/// The faults of a drive, as a file of this name has them in its text.
pub(crate) fn faults_of(model: &Model, file: &str, text: &str) -> PyResult<Faults> {
    FaultPlan::parse(text)
        .and_then(|plan| plan.faults(model))
        .map_err(|error| input(format!("{file}: {error}")))
}
