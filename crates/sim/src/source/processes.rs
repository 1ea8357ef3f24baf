use super::{Completion, Request, Source};
use crate::engine::Calendar;
use platterlab_units::{Span, Time};
use platterlab_workload::Criticality;
use platterlab_workload::synthetic::{Generated, Generator};
use std::collections::VecDeque;
use std::marker::PhantomData;

/// Processes that think, ask, and wait as their requests' criticality has it (Ganger–Patt 1998, §3).
///
/// A process thinks before each request. It waits for a time-critical one at once; it goes on for a
/// while without a time-limited one and then waits for it; it never waits for a time-noncritical
/// one. Thinking takes a processor where their number is limited; whoever is ready first gets the
/// next one.
#[derive(Debug)]
pub struct Processes<E> {
    processes: Vec<Process>,
    thinking: Calendar<u32>,
    /// Ready to think, without a processor.
    ready: VecDeque<(u32, Span)>,
    /// Processors that are free.
    free: u32,
    errors: PhantomData<E>,
}

#[derive(Debug)]
struct Process {
    generator: Generator,
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
    pub fn new(generators: Vec<Generator>, processors: Option<u32>) -> Self {
        let process = |mut generator: Generator| {
            let current = generator.next_request();
            Process { generator, current, state: State::Before, done: false }
        };
        let processes: Vec<Process> = generators.into_iter().map(process).collect();
        let free = processors.unwrap_or(processes.len() as u32);
        let (thinking, ready) = (Calendar::new(), VecDeque::new());
        let mut all = Self { processes, thinking, ready, free, errors: PhantomData };
        for index in 0..all.processes.len() {
            all.think(Time::ZERO, index as u32, all.processes[index].current.interval);
        }
        all
    }

    fn think(&mut self, now: Time, process: u32, time: Span) {
        if self.free > 0 {
            self.free -= 1;
            self.thinking.enter(now + time, process);
        } else {
            self.ready.push_back((process, time));
        }
    }

    /// A processor becomes free.
    fn release(&mut self, now: Time) {
        self.free += 1;
        if let Some((process, time)) = self.ready.pop_front() {
            self.think(now, process, time);
        }
    }

    /// A process goes on to its next request.
    fn go_on(&mut self, now: Time, index: u32) {
        let process = &mut self.processes[index as usize];
        process.current = process.generator.next_request();
        process.state = State::Before;
        let time = process.current.interval;
        self.think(now, index, time);
    }

    /// A process has thought: it asks, or it comes to wait for what it asked before.
    fn thought(&mut self, now: Time, index: u32, out: &mut Vec<Request>) {
        let process = &mut self.processes[index as usize];
        if process.state == State::Without {
            if process.done {
                self.go_on(now, index);
            } else {
                process.state = State::Waiting;
            }
            return;
        }
        let Generated { volume, lba, sectors, operation, criticality, limit, .. } = process.current;
        let watched = criticality != Criticality::Noncritical;
        process.done = false;
        let tag = u64::from(index) | if watched { WATCHED } else { 0 };
        out.push(Request { volume, lba, sectors, operation, criticality, tag });
        match criticality {
            Criticality::Critical => process.state = State::Waiting,
            Criticality::Limited => {
                process.state = State::Without;
                self.think(now, index, limit);
            }
            _ => self.go_on(now, index),
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
            self.go_on(now, index);
        }
    }
}

impl<E> Source for Processes<E> {
    type Error = E;

    fn next(&mut self) -> Option<Time> {
        self.thinking.next_time()
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), E> {
        if let Some((_, process)) = self.thinking.take() {
            self.thought(now, process, out);
            self.release(now);
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
