//! Synthetic processes that think, ask, and wait by criticality.

use super::processors::{Processors, Woken};
use super::{Label, Over, Request, Source};
use crate::engine::Calendar;
use platterlab_units::{Lapse, Moment, Partial, Stamp};
use platterlab_workload::Criticality;
use platterlab_workload::synthetic::{Generated, Generator, Generators, Last};
use std::marker::PhantomData;

/// Processes that think, ask, and wait according to their requests' criticality (Ganger–Patt 1998,
/// §3).
///
/// A process thinks before each request. It waits for a time-critical one at once. After a
/// time-limited one it continues to its next requests, and waits for it if it has not come by the
/// time the process has thought for as long as the limit is. It never waits for a time-noncritical
/// one. Thinking takes a processor where their number is limited. A process keeps its processor
/// until it waits; of those that are ready then, the one that came first continues.
#[derive(Debug)]
pub struct Processes<E> {
    processes: Vec<SourceProcess>,
    groups: Vec<Ends>,
    /// Groups that have not come to their end.
    open: usize,
    thinking: Calendar<u32>,
    /// None where each process has one.
    processors: Option<Processors>,
    errors: PhantomData<E>,
}

/// Processes alike.
#[derive(Debug)]
pub struct Group {
    /// What each of them asks for.
    pub generators: Generators,
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

/// What is kept of each: there may be millions.
#[derive(Debug)]
struct SourceProcess {
    /// Its last request is the one that comes next.
    generator: Generator,
    /// How long it still thinks until then.
    interval: Moment,
    /// Its group.
    group: u32,
    /// Of those that have ever made a time-limited request.
    limits: Option<Box<ThinkLimits>>,
    /// The number of what it waits for, or 0.
    waits_for: u32,
    /// The last number of a request that it may wait for.
    watched: u32,
}

/// What limits have to do with how long a process thinks.
#[derive(Debug, Default)]
struct ThinkLimits {
    /// How long it thinks now.
    thinks: Lapse,
    /// The limit of the request that comes next, if it has one.
    next: Lapse,
    /// Time-limited requests that have not come, the earliest limit last.
    waiting: Vec<Limit>,
}

/// A time-limited request that has not come.
#[derive(Clone, Copy, Debug)]
struct Limit {
    /// How long the process still thinks without it.
    left: Lapse,
    number: u32,
}

/// A tag is a process and above it the number of a request that it may wait for, or 0. Numbers come
/// again after 2^24 of them: by then the process has waited for the first.
const BITS: u32 = 24;
const LOW: u32 = (1 << BITS) - 1;

impl<E> Processes<E> {
    /// One process for each of up to 2^24 generators, on this many processors, or one for each of
    /// them.
    pub fn new(groups: Vec<Group>, processors: Option<(u32, Woken)>) -> Self {
        let mut processes = Vec::new();
        let mut ends = Vec::new();
        for (group, Group { generators, label, requests }) in (0..).zip(groups) {
            processes.extend(generators.map(|generator| SourceProcess::new(generator, group)));
            ends.push(Ends { label, left: requests });
        }
        let all = processes.len();
        let mut this = Self {
            processes,
            open: ends.iter().filter(|group| group.left > 0).count(),
            groups: ends,
            thinking: Calendar::new(),
            processors: processors.map(|(count, woken)| Processors::new(count, all, woken)),
            errors: PhantomData,
        };
        for index in (0..all as u32).rev() {
            this.ready(Stamp::ZERO, index);
        }
        this
    }

    /// A process can continue: it does if there is a processor for it. Once no more requests can
    /// come, nobody needs to know.
    fn ready(&mut self, now: Stamp, index: u32) {
        if self.open == 0 {
            return;
        }
        if self.processors.as_mut().is_none_or(|processors| processors.take(index)) {
            self.think(now, index);
        }
    }

    /// A process with a processor thinks until its next request or its earliest limit.
    fn think(&mut self, now: Stamp, index: u32) {
        let thinks = self.processes[index as usize].think();
        self.thinking.enter(now + thinks, index);
    }

    /// A process asks, unless its group is at its end.
    fn ask(&mut self, index: u32) -> Option<Request> {
        let process = &mut self.processes[index as usize];
        let group = &mut self.groups[process.group as usize];
        if group.left == 0 {
            return None;
        }
        group.left -= 1;
        self.open -= usize::from(group.left == 0);
        let mut request = process.ask(index);
        group.label.put(&mut request);
        Some(request)
    }

    fn finished(&mut self, now: Stamp, tag: u64) {
        let (index, number) = (tag as u32 & LOW, (tag >> BITS) as u32);
        if number == 0 {
            return;
        }
        let process = &mut self.processes[index as usize];
        if let Some(limits) = &mut process.limits {
            limits.waiting.retain(|limit| limit.number != number);
        }
        if process.waits_for == number {
            process.waits_for = 0;
            self.ready(now, index);
        }
    }
}

impl SourceProcess {
    fn new(generator: Generator, group: u32) -> Self {
        let (interval, limits) = (Moment::ZERO, None);
        let mut this = Self { generator, interval, group, limits, waits_for: 0, watched: 0 };
        this.prepare();
        this
    }

    /// Thinks up the next request.
    fn prepare(&mut self) {
        let Generated { interval, criticality, limit, .. } = self.generator.next_request();
        self.interval = interval.into();
        if criticality == Criticality::Limited {
            self.limits.get_or_insert_default().next = limit;
        }
    }

    /// Thinks until the next request or the earliest limit: for how long.
    fn think(&mut self) -> Lapse {
        let until_next = self.interval.lapse();
        let Some(limits) = &mut self.limits else { return until_next };
        limits.thinks = limits.waiting.last().map_or(until_next, |one| one.left.min(until_next));
        limits.thinks
    }

    /// It has thought: whether it has done so for long enough to ask.
    fn go_on(&mut self) -> bool {
        let Some(limits) = &mut self.limits else {
            self.interval = Moment::ZERO;
            return true;
        };
        let left = self.interval.lapse() - limits.thinks;
        self.interval = left.into();
        for limit in &mut limits.waiting {
            limit.left -= limits.thinks;
        }
        if let Some(limit) = limits.waiting.pop_if(|limit| limit.left == Lapse::ZERO) {
            self.waits_for = limit.number;
            return false;
        }
        left == Lapse::ZERO
    }

    fn ask(&mut self, index: u32) -> Request {
        let Last { volume, lba, sectors, operation, criticality } = self.generator.last();
        let number = match criticality {
            Criticality::Critical | Criticality::Limited => self.watched % LOW + 1,
            _ => 0,
        };
        match criticality {
            Criticality::Critical => self.waits_for = number,
            Criticality::Limited => {
                let ThinkLimits { next: left, waiting, .. } =
                    &mut **self.limits.get_or_insert_default();
                let at = waiting.partition_point(|later| later.left > *left);
                waiting.insert(at, Limit { left: *left, number });
            }
            _ => {}
        }
        if number > 0 {
            self.watched = number;
        }
        self.prepare();
        let tag = u64::from(index) | u64::from(number) << BITS;
        let (partial, stream, order) = (Partial::WHOLE, 0, None);
        Request { volume, lba, sectors, partial, operation, criticality, stream, order, tag }
    }
}

impl<E> Source for Processes<E> {
    type Error = E;

    fn next(&mut self) -> Option<Stamp> {
        if self.open > 0 { self.thinking.next_time() } else { None }
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        let Some(index) = self.thinking.take() else { return Ok(()) };
        self.thinking.trim();
        let asks = self.processes[index as usize].go_on();
        let request = if asks { self.ask(index) } else { None };
        let at_its_end = asks && request.is_none();
        out.extend(request);
        if !at_its_end && self.processes[index as usize].waits_for == 0 {
            self.think(now, index);
        } else if let Some(next) = self.processors.as_mut().and_then(|all| all.leave(index)) {
            self.think(now, next);
        }
        Ok(())
    }

    fn over(&mut self, now: Stamp, over: &Over, _: &mut Vec<Request>) -> Result<(), E> {
        self.finished(now, over.request.tag);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Span;
    use platterlab_workload::synthetic::{GeneratorParams, Law, Spread};
    use std::convert::Infallible;

    /// Requests every 10 ms of thought; `shares` are those of time-critical and time-limited ones.
    fn processes(
        count: u32,
        critical_share: f64,
        limited_share: f64,
        limit_ms: f64,
        processors: Option<(u32, Woken)>,
    ) -> Processes<Infallible> {
        let params = GeneratorParams {
            volumes: vec![0],
            capacity_sectors: 10_000,
            block_sectors: 8,
            max_sectors: 8,
            sequential_share: 0.0,
            local_share: 0.0,
            spread: Spread::Uniform,
            read_share: 1.0,
            critical_share,
            limited_share,
            local_distance_sectors: Law::Constant { value: 0.0 },
            size_sectors: Law::Constant { value: 8.0 },
            interval_ms: [Law::Constant { value: 10.0 }; 3],
            limit_ms: Law::Constant { value: limit_ms },
        };
        let generators = Generator::all(params, 1, 0..count);
        let group = Group { generators, label: Label::default(), requests: u64::MAX };
        Processes::new(vec![group], processors)
    }

    /// Plays until `end_ms`, each request taking `response_ms`: when which process asked.
    fn asked(mut source: Processes<Infallible>, response_ms: u64, end_ms: u64) -> Vec<(u64, u32)> {
        let (mut times, mut under_way, mut out) = (Vec::new(), Calendar::new(), Vec::new());
        let at_ms = |time: Stamp| (time.as_ps() / 1_000_000_000) as u64;
        loop {
            let (act, done) = (source.next(), under_way.next_time());
            let Some(now) = act.into_iter().chain(done).min().filter(|now| at_ms(*now) <= end_ms)
            else {
                return times;
            };
            if done == Some(now) {
                let request: Request = under_way.take().expect("one is done");
                let Ok(()) = source.over(now, &Over { request, served: true }, &mut out);
            } else {
                let Ok(()) = source.act(now, &mut out);
            }
            for request in out.drain(..) {
                times.push((at_ms(now), request.tag as u32 & LOW));
                under_way.enter(now + Span::from_us(response_ms * 1_000), request);
            }
        }
    }

    #[test]
    fn a_process_is_small() {
        assert!(size_of::<SourceProcess>() <= 96, "{}", size_of::<SourceProcess>());
    }

    #[test]
    fn a_process_waits_for_what_is_critical_and_for_what_is_late() {
        let times = |critical, limited, limit_ms, response_ms| -> Vec<u64> {
            let all = asked(processes(1, critical, limited, limit_ms, None), response_ms, 60);
            all.into_iter().map(|(time, _)| time).collect()
        };
        assert_eq!(times(0.0, 0.0, 0.0, 15), [10, 20, 30, 40, 50, 60]);
        assert_eq!(times(1.0, 0.0, 0.0, 15), [10, 35, 60]);
        // Within its limit it holds up nothing.
        assert_eq!(times(0.0, 1.0, 16.0, 15), [10, 20, 30, 40, 50, 60]);
        // The first, asked at 10, is late at 16 and comes at 25; 4 of 10 ms of thought are left.
        assert_eq!(times(0.0, 1.0, 6.0, 15), [10, 29, 48]);
    }

    #[test]
    fn the_process_that_came_first_gets_the_processor() {
        let all = asked(processes(3, 1.0, 0.0, 0.0, Some((1, Woken::All))), 1, 65);
        assert_eq!(all, [(10, 2), (20, 1), (30, 0), (40, 2), (50, 1), (60, 0)]);
    }

    #[test]
    fn a_processor_that_nobody_calls_is_lost() {
        let rate = |woken| asked(processes(2, 1.0, 0.0, 0.0, Some((2, woken))), 1, 1_000).len();
        // Each takes 11 ms for itself; on one processor there is always one that thinks.
        assert_eq!((rate(Woken::All), rate(Woken::First)), (182, 100));
    }
}
