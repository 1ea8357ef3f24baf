//! The processors on which synthetic processes think.

use std::collections::VecDeque;

/// Where processes are that could continue: on processors, or in line for one.
#[derive(Debug)]
pub(super) struct Processors {
    idle: Vec<u32>,
    /// The one that came first continues first.
    ready: VecDeque<u32>,
    /// The processor by process, while it has one.
    of: Vec<u32>,
    woken: Woken,
}

/// Which processors continue after they found no process to continue with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Woken {
    /// All of them.
    #[default]
    All,
    /// The first alone, as if it took all interrupts and did not call the others: any other that
    /// found nothing to do is lost for the rest of the run.
    First,
}

impl Processors {
    /// A number of processors, none of them with a process, for a number of processes.
    pub(super) fn new(processors: u32, processes: usize, woken: Woken) -> Self {
        let idle = (0..processors).rev().collect();
        Self { idle, ready: VecDeque::with_capacity(processes), of: vec![0; processes], woken }
    }

    /// A process could continue: whether it does so now.
    pub(super) fn take(&mut self, process: u32) -> bool {
        let processor = self.idle.pop();
        match processor {
            Some(processor) => self.of[process as usize] = processor,
            None => self.ready.push_back(process),
        }
        processor.is_some()
    }

    /// A process comes to wait: the one that continues in its place.
    pub(super) fn leave(&mut self, process: u32) -> Option<u32> {
        let processor = self.of[process as usize];
        let next = self.ready.pop_front();
        match next {
            Some(next) => self.of[next as usize] = processor,
            None if self.woken == Woken::All || processor == 0 => self.idle.push(processor),
            None => {}
        }
        next
    }
}
