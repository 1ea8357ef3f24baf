//! Deadlocks: which processes wait for what will never come.

use super::Host;
use super::process::Doing;
use platterlab_workload::flow::{Event, FlowRecord, ProcessId};
use std::collections::{BTreeMap, BTreeSet};

/// Links of a chain that are named; of a longer one, the rest are counted.
const TOLD: usize = 6;

/// Who would end waits, by what is waited for.
#[derive(Default)]
struct Givers {
    /// By event.
    wake: BTreeMap<u32, ProcessId>,
    /// By child.
    fork: BTreeMap<ProcessId, ProcessId>,
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// Once nothing more happens: what processes wait for that will never come, as a sentence;
    /// `None` if all have ended.
    ///
    /// # Errors
    /// What is wrong with the rest of the flow, which is read for it.
    pub fn deadlock(&mut self) -> Result<Option<String>, E> {
        let is_stuck = |(id, doing): (ProcessId, Doing)| {
            (!matches!(doing, Doing::Gone | Doing::Unborn)).then_some(id)
        };
        let stuck: Vec<ProcessId> = self.processes.all().filter_map(is_stuck).collect();
        let Some(&first) = stuck.first() else { return Ok(None) };
        self.script.read_all()?;
        let mut givers = Givers::default();
        for (process, step) in self.script.all_ahead() {
            match step.event {
                Event::WakeUp { event } => drop(givers.wake.entry(event).or_insert(process)),
                Event::Fork { child } => drop(givers.fork.entry(child).or_insert(process)),
                _ => {}
            }
        }
        let (chain, is_cycle) = self.chain(first, &givers);
        let mut told: Vec<&str> = chain.iter().map(|(_, text)| text.as_str()).collect();
        let between = format!("{} more", chain.len().saturating_sub(TOLD));
        if chain.len() > TOLD {
            told.splice(TOLD - 1..chain.len() - 1, [between.as_str()]);
        }
        let mut text = told.join("; ");
        if is_cycle && chain.len() > 1 {
            text = format!("{} processes wait for each other: {text}", chain.len());
        }
        let members: BTreeSet<ProcessId> = chain.iter().map(|(process, _)| *process).collect();
        match stuck.iter().filter(|process| !members.contains(process)).count() {
            0 => {}
            1 => text += "; one more process waits",
            more => text += &format!("; {more} more processes wait"),
        }
        Ok(Some(text))
    }

    /// From one process that waits to the one it waits for, and on: each with a sentence. If it comes
    /// back to one of them, the cycle alone, and `true`.
    fn chain(&self, first: ProcessId, givers: &Givers) -> (Vec<(ProcessId, String)>, bool) {
        let mut chain: Vec<(ProcessId, String)> = Vec::new();
        let mut places = BTreeMap::new();
        let mut next = Some(first);
        while let Some(process) = next {
            if let Some(&begin) = places.get(&process) {
                return (chain.split_off(begin), true);
            }
            places.insert(process, chain.len());
            let text;
            (text, next) = match self.processes.doing(process) {
                Doing::Event(event) => match givers.wake.get(&event) {
                    Some(&giver) => (
                        format!("waits for event {event}, which process {giver} would give"),
                        Some(giver),
                    ),
                    None => (format!("waits for event {event}, which nothing gives"), None),
                },
                Doing::Unborn => match givers.fork.get(&process) {
                    Some(&parent) => {
                        (format!("waits for process {parent} to fork it"), Some(parent))
                    }
                    None => ("is never forked".to_owned(), None),
                },
                Doing::Memory => ("waits for memory, and nothing gives any".to_owned(), None),
                _ => ("does not continue".to_owned(), None),
            };
            chain.push((process, format!("process {process} {text}")));
        }
        (chain, false)
    }
}
