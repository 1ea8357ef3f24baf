//! The records of a flow.

use platterlab_units::{Span, Time};

use super::{Event, FileId, Observed, Pause, ProcessId};

/// One record of a flow with the instant it was observed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowRecord {
    /// When it was observed, from the start of the flow; a generated flow has zeros here.
    pub at: Time,
    /// What it says.
    pub item: Item,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// There is a process; comes before its steps.
    Process(Process),
    /// Pages of a file lie in one run on the device; comes before they are needed there.
    Extent(Extent),
    /// Pages were in memory when the flow began.
    Resident {
        /// The file.
        file: FileId,
        /// The first page.
        page: u64,
        /// How many, at least 1.
        pages: u32,
    },
    /// The next step of a process.
    Step(Step),
    /// A request the real system made.
    Observed(Observed),
    /// A wait of a process on the real system.
    Pause(Pause),
}

/// A process of the flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number; processes are numbered from 0 in the order of the file.
    pub id: ProcessId,
    /// Who forks it; `None` for one that runs from the start.
    pub parent: Option<ProcessId>,
    /// Its name, where the capture was asked to keep names.
    pub name: Option<String>,
}

/// A run of a file's pages on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The file.
    pub file: FileId,
    /// The first page.
    pub page: u64,
    /// How many, at least 1.
    pub pages: u32,
    /// The first sector.
    pub lba: u64,
}

/// A computation time and the event that ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whose it is.
    pub process: ProcessId,
    /// How long a CPU works on the process before the event, at host speed 1.
    pub compute: Span,
    /// What happens then.
    pub event: Event,
}
