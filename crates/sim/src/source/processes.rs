use super::{Completion, Label, Request, Source};
use crate::engine::Calendar;
use platterlab_units::{Span, Time};
use platterlab_workload::Criticality;
use platterlab_workload::synthetic::{Generated, Generator};
use std::marker::PhantomData;

/// Processes that think, ask, and wait as their requests' criticality has it (Ganger–Patt 1998, §3).
///
/// A process thinks before each request. It waits for a time-critical one at once; it goes on for a
/// while without a time-limited one and then waits for it; it never waits for a time-noncritical
/// one. Thinking takes a processor where their number is limited. A process keeps its processor
/// until it waits; of those that are ready then, the one that came last goes on, as DiskSim's
/// answers for more processes than processors have it.
#[derive(Debug)]
pub struct Processes<E> {
    processes: Vec<Process>,
    groups: Vec<Ends>,
    /// Groups that have not come to their end.
    open: usize,
    thinking: Calendar<u32>,
    /// Ready to think, without a processor.
    ready: Vec<(u32, Span)>,
    /// Processors that are free.
    free: u32,
    errors: PhantomData<E>,
}

/// Processes alike.
#[derive(Debug)]
pub struct Group {
    /// What each of them asks for.
    pub generators: Vec<Generator>,
    /// What is said of all their requests.
    pub label: Label,
    /// Requests they make together; then they end.
    pub requests: u64,
}

/// What is left of a [`Group`].
#[derive(Debug)]
struct Ends {
    label: Label,
    left: u64,
}

#[derive(Debug)]
struct Process {
    generator: Generator,
    /// Its group.
    group: u32,
    /// The request that comes next, or that the process goes on without for now.
    current: Generated,
    state: State,
    /// The request that the process may wait for is done.
    done: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It thinks before its next request.
    Before,
    /// It goes on without a time-limited request.
    Without,
    /// It waits for a request.
    Waiting,
}

/// Marks the request that a process may wait for.
const WATCHED: u64 = 1 << 32;

impl<E> Processes<E> {
    /// One process for each generator, on so many processors, or one for each of them.
    pub fn new(groups: Vec<Group>, processors: Option<u32>) -> Self {
        let mut processes = Vec::new();
        let mut ends = Vec::new();
        for (group, Group { generators, label, requests }) in (0..).zip(groups) {
            processes.extend(generators.into_iter().map(|mut generator| {
                let current = generator.next_request();
                Process { generator, group, current, state: State::Before, done: false }
            }));
            ends.push(Ends { label, left: requests });
        }
        let free = processors.unwrap_or(processes.len() as u32);
        let open = ends.iter().filter(|group| group.left > 0).count();
        let (thinking, ready) = (Calendar::new(), Vec::new());
        let errors = PhantomData;
        let mut all = Self { processes, groups: ends, open, thinking, ready, free, errors };
        for index in (0..all.processes.len()).rev() {
            all.think(Time::ZERO, index as u32, all.processes[index].current.interval);
        }
        all
    }

    /// A process without a processor comes to think.
    fn think(&mut self, now: Time, process: u32, time: Span) {
        if self.free > 0 {
            self.free -= 1;
            self.thinking.enter(now + time, process);
        } else {
            self.ready.push((process, time));
        }
    }

    /// A processor becomes free.
    fn release(&mut self, now: Time) {
        self.free += 1;
        if let Some((process, time)) = self.ready.pop() {
            self.think(now, process, time);
        }
    }

    /// A process goes on to its next request; what it thinks before it.
    fn go_on(&mut self, index: u32) -> Span {
        let process = &mut self.processes[index as usize];
        process.current = process.generator.next_request();
        process.state = State::Before;
        process.current.interval
    }

    /// A process has thought: it asks, or it comes to wait for what it asked before. What it thinks
    /// next; `None` if it waits or is at its end.
    fn thought(&mut self, index: u32, out: &mut Vec<Request>) -> Option<Span> {
        let process = &mut self.processes[index as usize];
        if process.state == State::Without {
            if process.done {
                return Some(self.go_on(index));
            }
            process.state = State::Waiting;
            return None;
        }
        let group = &mut self.groups[process.group as usize];
        if group.left == 0 {
            return None;
        }
        group.left -= 1;
        self.open -= usize::from(group.left == 0);
        let Generated { volume, lba, sectors, operation, criticality, limit, .. } = process.current;
        let watched = criticality != Criticality::Noncritical;
        process.done = false;
        let tag = u64::from(index) | if watched { WATCHED } else { 0 };
        let (stream, order) = (0, None);
        let mut request =
            Request { volume, lba, sectors, operation, criticality, stream, order, tag };
        group.label.put(&mut request);
        out.push(request);
        match criticality {
            Criticality::Critical => {
                process.state = State::Waiting;
                None
            }
            Criticality::Limited => {
                process.state = State::Without;
                Some(limit)
            }
            _ => Some(self.go_on(index)),
        }
    }

    fn finished(&mut self, now: Time, tag: u64) {
        if tag & WATCHED == 0 {
            return;
        }
        let index = tag as u32;
        let process = &mut self.processes[index as usize];
        process.done = true;
        if process.state == State::Waiting {
            let time = self.go_on(index);
            self.think(now, index, time);
        }
    }
}

impl<E> Source for Processes<E> {
    type Error = E;

    fn next(&mut self) -> Option<Time> {
        // Once no more requests can come, nobody needs to know what processes think.
        if self.open > 0 { self.thinking.next_time() } else { None }
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), E> {
        if let Some((_, process)) = self.thinking.take() {
            match self.thought(process, out) {
                Some(time) => self.thinking.enter(now + time, process),
                None => self.release(now),
            }
        }
        Ok(())
    }

    fn completed(
        &mut self,
        now: Time,
        completion: &Completion,
        _: &mut Vec<Request>,
    ) -> Result<(), E> {
        self.finished(now, completion.request.tag);
        Ok(())
    }

    fn refused(&mut self, now: Time, request: &Request, _: &mut Vec<Request>) -> Result<(), E> {
        self.finished(now, request.tag);
        Ok(())
    }
}
