//! The plan: an experiment whose values are checked, ready to be built and run.

use crate::options::{Stop, TraceTiming};
use platterlab_sim::drive::Model;
use platterlab_sim::host::HostOptions;
use platterlab_sim::outside::Outside;
use platterlab_sim::source::{Label, Source, Woken};
use platterlab_sim::system::Stepper;
use platterlab_sim::{SystemError, SystemOptions};
use platterlab_units::{SectorSizes, Span};
use platterlab_workload::synthetic::GeneratorParams;
use platterlab_workload::trace::{self, Beyond, Format, TraceError};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An experiment whose every value has been checked: what to build and what to ask of it.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) system: SystemOptions,
    /// One for each workload, in order: each makes a stream.
    pub(crate) sources: Vec<SourcePlan>,
    /// How many, and which of them continue after they found nothing to do.
    pub(crate) processors: Option<(u32, Woken)>,
    pub(crate) stop: Stop,
    pub(crate) replications: u32,
    pub(crate) seed: u32,
    pub(crate) drives: Vec<String>,
    pub(crate) buses: Vec<String>,
    pub(crate) volumes: Vec<String>,
    pub(crate) streams: Vec<String>,
    pub(crate) volume_sectors: Vec<u64>,
    pub(crate) name: Option<String>,
    /// What the threads of a job work in, where that is anything.
    pub(crate) within: Option<Arc<dyn Within>>,
    /// Of the drives that are not drives of the library.
    pub(crate) profile_files: Vec<PathBuf>,
}

/// Where the devices of a trace go.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceMappings {
    pub(crate) by_number: BTreeMap<u32, Mapping>,
    pub(crate) by_name: BTreeMap<String, Mapping>,
}

impl DeviceMappings {
    /// Where a device goes; `names` are those that the trace has for the first numbers.
    pub(crate) fn get(&self, device: u32, names: &[String]) -> Option<Mapping> {
        let named = || self.by_name.get(names.get(device as usize)?);
        self.by_number.get(&device).or_else(named).copied()
    }

    /// All devices, for messages.
    pub(crate) fn known(&self) -> String {
        let numbers = self.by_number.keys().map(ToString::to_string);
        numbers.chain(self.by_name.keys().cloned()).collect::<Vec<_>>().join(", ")
    }
}

/// Where requests come from.
#[derive(Clone, Debug)]
pub(crate) enum SourcePlan {
    /// They are made up.
    Made(Box<Made>),
    /// They are recorded.
    Trace(TracePlan),
    /// Processes make them, or made them once.
    Flow(FlowPlan),
    /// Somebody else's source gives them.
    Outside(Arc<dyn Workloads>),
}

/// Makes sources of requests that are not the core's: one for each replication.
pub trait Workloads: Send + Sync + Debug {
    /// One for volumes of this many sectors, whose random choices come from `seed`. It keeps the
    /// contract of [`Source`]; once it has failed it gives nothing more.
    fn make(&self, volume_sectors: &[u64], seed: u64) -> OutsideSource;

    /// What one of those made did wrong, if any has.
    fn failure(&self) -> Option<String>;
}

/// What each thread of a job does its work in.
pub trait Within: Send + Sync + Debug {
    /// Calls `work` once.
    fn enter(&self, work: &mut (dyn FnMut() + Send));
}

/// A source that is not the core's.
pub type OutsideSource = Box<dyn Source<Error = TraceError> + Send>;

/// A process flow and what stands behind its requests.
#[derive(Clone, Debug)]
pub(crate) struct FlowPlan {
    pub(crate) path: PathBuf,
    pub(crate) volume: u32,
    /// From the flow's sectors to the volume's.
    pub(crate) sizes: SectorSizes,
    pub(crate) model: FlowSource,
    pub(crate) label: Label,
}

/// What makes requests of a flow.
#[derive(Clone, Debug)]
pub(crate) enum FlowSource {
    System(Box<HostOptions>),
    /// With the longest time from a request's arrival to its record.
    Open {
        time_scale: f64,
        delay: Span,
    },
    /// The same.
    Closed {
        population: u32,
        delay: Span,
    },
}

/// Processes alike.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) params: GeneratorParams,
    pub(crate) count: u32,
    /// Whether they think on the host's processors.
    pub(crate) shared: bool,
    pub(crate) requests: Option<u64>,
    pub(crate) label: Label,
}

/// A trace and where its requests go.
#[derive(Clone, Debug)]
pub(crate) struct TracePlan {
    pub(crate) path: PathBuf,
    pub(crate) format: Option<Format>,
    pub(crate) columns: Option<trace::Mapping>,
    pub(crate) timing: TraceTiming,
    /// By device of the trace; without it, device `n` is the `n`-th volume.
    pub(crate) map: Option<DeviceMappings>,
    /// Of every volume.
    pub(crate) volume_sectors: Vec<u64>,
    pub(crate) beyond: Beyond,
    /// From the sectors in which requests come out of the reader to the volumes'.
    pub(crate) sizes: SectorSizes,
    pub(crate) requests: Option<u64>,
    pub(crate) label: Label,
}

/// The target of the requests for one device of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub(crate) volume: u32,
    pub(crate) location_bytes: Option<u32>,
    pub(crate) size_scale: f64,
    pub(crate) offset_sectors: u64,
}

impl SourcePlan {
    /// Whether it comes to an end by itself.
    pub(crate) fn ends(&self) -> bool {
        match self {
            Self::Made(made) => made.requests.is_some(),
            Self::Trace(_) | Self::Flow(_) | Self::Outside(_) => true,
        }
    }
}

impl Plan {
    /// How many times it is to be run.
    #[must_use]
    pub fn replications(&self) -> u32 {
        self.replications
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The drives' names, by the number in which rows and reports have them.
    #[must_use]
    pub fn drives(&self) -> &[String] {
        &self.drives
    }

    /// The buses' names, in the order of reports.
    #[must_use]
    pub fn buses(&self) -> &[String] {
        &self.buses
    }

    /// The volumes' names.
    #[must_use]
    pub fn volumes(&self) -> &[String] {
        &self.volumes
    }

    /// The volumes' sizes, in their order.
    #[must_use]
    pub fn volume_sectors(&self) -> &[u64] {
        &self.volume_sectors
    }

    /// The streams' names, by the number in which rows and reports have them: one for each workload.
    #[must_use]
    pub fn streams(&self) -> &[String] {
        &self.streams
    }

    /// The profiles, traces and flows that it reads.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let recorded = self.sources.iter().filter_map(|source| match source {
            SourcePlan::Made(_) | SourcePlan::Outside(_) => None,
            SourcePlan::Trace(trace) => Some(trace.path.as_path()),
            SourcePlan::Flow(flow) => Some(flow.path.as_path()),
        });
        self.profile_files.iter().map(PathBuf::as_path).chain(recorded)
    }

    /// The same with another rule for the requests of its traces that do not lie on their volume.
    #[must_use]
    pub fn with_beyond(mut self, beyond: Beyond) -> Self {
        for source in &mut self.sources {
            if let SourcePlan::Trace(trace) = source {
                trace.beyond = beyond;
            }
        }
        self
    }

    /// The same with deciders that are not the system's own.
    #[must_use]
    pub fn with_outside(mut self, outside: Outside) -> Self {
        self.system.outside = outside;
        self
    }

    /// The same with the requests of somebody else's source in place of all workloads; its stream's
    /// `name` takes the place of theirs.
    #[must_use]
    pub fn with_workload(mut self, own: Arc<dyn Workloads>, name: String) -> Self {
        (self.sources, self.streams) = (vec![SourcePlan::Outside(own)], vec![name]);
        self.system.streams = 1;
        self
    }

    /// The same, whose jobs work within something.
    #[must_use]
    pub fn within(mut self, within: Arc<dyn Within>) -> Self {
        self.within = Some(within);
        self
    }

    /// Whether anything is decided from outside the core.
    pub(crate) fn asks_outside(&self) -> bool {
        !self.system.outside.is_empty() || self.workload().is_some()
    }

    /// What was done wrong from outside, if anything was.
    pub(crate) fn outside_failure(&self) -> Option<String> {
        let workload = self.workload().and_then(|own| own.failure());
        self.system.outside.failure().or(workload)
    }

    fn workload(&self) -> Option<&dyn Workloads> {
        self.sources.iter().find_map(|source| match source {
            SourcePlan::Outside(own) => Some(&**own),
            _ => None,
        })
    }

    /// The seed of a replication.
    #[must_use]
    pub fn seed_of(&self, replication: u32) -> u64 {
        u64::from(self.seed) + u64::from(replication)
    }

    /// The system of one replication at time zero, on the caller's clock: its requests are handed in,
    /// and the workloads are left out.
    ///
    /// # Errors
    /// None that a plan can have: what it holds can be built.
    pub fn stepper(&self, replication: u32) -> Result<Stepper, SystemError> {
        Stepper::new(self.system(self.seed_of(replication), false))
    }

    /// The system of one replication.
    #[must_use]
    pub fn system(&self, seed: u64, keep_rows: bool) -> SystemOptions {
        let mut system = self.system.clone();
        (system.seed, system.keep_rows) = (seed, keep_rows);
        for (index, device) in system.devices.iter_mut().enumerate() {
            if let Model::Simple(simple) = &mut device.model {
                simple.reseed(seed.wrapping_mul(1 << 20).wrapping_add(index as u64));
            }
        }
        system
    }
}
