//! The state of a trace while its events go by, in the order of time.

use std::collections::HashMap;

use platterlab_workload::Criticality;
use platterlab_workload::flow::{Cause, Event as FlowEvent, PauseKind};

use crate::block::{Block, RequestId};
use crate::cache::Cache;
use crate::calls::{Call, meaning};
use crate::cpus::Cpus;
use crate::event::{Event, Flags, Kind};
use crate::snapshot::Snapshot;
use crate::tasks::{ReadAhead, Role, Tasks, Wait};
use crate::waits;

/// Everything that is known while the events of a trace go by.
pub(crate) struct Conversion<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) tasks: Tasks,
    pub(crate) cpus: Cpus,
    pub(crate) block: Block,
    pub(crate) cache: Cache,
    /// Work that follows from the end of a request, until somebody does it.
    work: HashMap<u64, RequestId>,
    pub(crate) names: HashMap<i32, String>,
    pub(crate) end: u64,
    pub(crate) events: u64,
}

impl<'a> Conversion<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        let header = &snapshot.header;
        let mut tasks = Tasks::new(header.machine.cpus);
        for (pid, name) in &snapshot.kernel_threads {
            let journal = name.starts_with("jbd2/") || name.starts_with("xfs-log");
            tasks.get(*pid).role = if journal { Role::Journal } else { Role::Daemon };
        }
        tasks.trace(snapshot.root_pid, None);
        Self {
            snapshot,
            tasks,
            cpus: Cpus::default(),
            block: Block::default(),
            cache: Cache::new(header.machine.page_bytes / header.device.sector_bytes.max(1)),
            work: HashMap::new(),
            names: HashMap::new(),
            end: 0,
            events: 0,
        }
    }

    pub(crate) fn take(&mut self, event: &Event) {
        self.end = event.ns;
        self.events += 1;
        self.notice(event);
        match event.kind {
            Kind::Switch { .. }
            | Kind::Waking { .. }
            | Kind::Runtime { .. }
            | Kind::Fork { .. }
            | Kind::InterruptEnter
            | Kind::SoftEnter
            | Kind::InterruptExit
            | Kind::SoftExit => self.scheduling(event),
            Kind::BioQueue { .. }
            | Kind::Issue { .. }
            | Kind::Complete { .. }
            | Kind::Requeue { .. } => self.device(event),
            Kind::QueueWork { work } => {
                let follows = self.cpus.get(event.cpu).completion;
                let follows = follows.or_else(|| self.tasks.get(event.pid).work);
                if let Some(request) = follows {
                    self.work.insert(work, request);
                }
            }
            Kind::WorkStart { work } => {
                self.tasks.get(event.pid).work = self.work.remove(&work);
            }
            Kind::WorkEnd => {
                self.tasks.get(event.pid).work = None;
                self.cpus.get(event.cpu).completion = None;
            }
            Kind::CallEnter { number } => self.call(event, number),
            Kind::CallExit => {
                self.tasks.step(event.pid, event.ns, FlowEvent::SystemReturn);
                let task = self.tasks.get(event.pid);
                task.call = None;
                task.syncing = false;
                task.read_ahead = ReadAhead::None;
            }
            Kind::Throttle { pause } => self.tasks.get(event.pid).throttled = pause > 0,
            _ => self.file(event),
        }
    }

    /// Whoever an event happened to has the CPU, even if no switch to it was seen. It got it after
    /// the last that happened on that CPU, and not before somebody woke it.
    fn notice(&mut self, event: &Event) {
        let cpu = self.cpus.get(event.cpu);
        let last = std::mem::replace(&mut cpu.last, event.ns);
        let current = cpu.current;
        if current == Some(event.pid) {
            return;
        }
        let woken = self.tasks.get(event.pid).ready.unwrap_or(0);
        let start = last.max(woken).min(event.ns);
        if let Some(pid) = current {
            self.tasks.end(pid, start);
        }
        let traced = current.is_some_and(|pid| self.tasks.process(pid).is_some());
        self.cpus.switch(event.cpu, start, event.pid, traced);
        if event.pid != 0 {
            self.arrive(event.pid, start, false);
        }
    }

    fn scheduling(&mut self, event: &Event) {
        let (ns, cpu, pid) = (event.ns, event.cpu, event.pid);
        match event.kind {
            Kind::Switch { prev, prev_state, next, name } => {
                let traced = self.tasks.process(prev).is_some();
                self.cpus.switch(cpu, ns, next, traced);
                self.tasks.end(prev, ns);
                if next != 0 {
                    self.arrive(next, ns, true);
                }
                self.leave(prev, ns, prev_state & 0xff, &name);
            }
            Kind::Waking { pid: woken } => {
                waits::waking(event, woken, &mut self.tasks, &mut self.cpus, &mut self.block);
            }
            Kind::Runtime { pid, ns } => self.tasks.ran(pid, ns),
            Kind::Fork { parent, child } => {
                if let Some(process) = self.tasks.process(parent) {
                    let number = self.tasks.trace(child, Some(process));
                    self.tasks.step(parent, ns, FlowEvent::Fork { child: number });
                    self.tasks.ready(child, ns);
                }
            }
            Kind::InterruptEnter | Kind::SoftEnter => {
                if self.cpus.enter(cpu, ns) {
                    self.tasks.stop(pid, ns);
                }
            }
            _ => {
                let traced = self.tasks.process(pid).is_some();
                if let Some(span) = self.cpus.leave(cpu, ns, traced)
                    && pid != 0
                {
                    self.tasks.resume(pid, ns, span);
                }
            }
        }
    }

    /// A task lost its CPU in a state: 0 it can run, 1 and 2 it waits, 16 and 32 it is dead.
    fn leave(&mut self, pid: i32, ns: u64, state: u64, name: &[u8]) {
        if pid == 0 {
            return;
        }
        match state {
            0 => self.tasks.ready(pid, ns),
            state if state & 0x30 != 0 => {
                if self.snapshot.names && self.tasks.process(pid).is_some() {
                    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                    self.names.insert(pid, String::from_utf8_lossy(&name[..end]).into_owned());
                    self.name(pid);
                }
                self.tasks.step_at(pid, ns, FlowEvent::Exit);
            }
            state => {
                self.tasks.get(pid).wait = Some(Wait { start: ns, deep: state & 2 != 0 });
            }
        }
    }

    fn name(&mut self, pid: i32) {
        if let Some(process) = self.tasks.process(pid) {
            let name = self.names.remove(&pid);
            self.tasks.processes[process as usize].name = name;
        }
    }

    /// A task gets a CPU. One that nobody was seen to wake waited for something else.
    fn arrive(&mut self, pid: i32, ns: u64, seen: bool) {
        if let Some(wait) = self.tasks.get(pid).wait.take()
            && let Some(process) = self.tasks.process(pid)
        {
            self.tasks.pause(process, wait.start, ns, PauseKind::Other);
        }
        self.tasks.begin(pid, ns, seen);
    }

    fn call(&mut self, event: &Event, number: u16) {
        self.tasks.step(event.pid, event.ns, FlowEvent::SystemCall { number });
        let task = self.tasks.get(event.pid);
        task.call = Some(number);
        if meaning(&self.snapshot.architecture, number) == Call::SyncAll {
            task.syncing = true;
            self.tasks.step(event.pid, event.ns, FlowEvent::SyncAll);
        }
    }

    fn device(&mut self, event: &Event) {
        let mine = |device: u32| self.snapshot.devices.contains(&device);
        match event.kind {
            Kind::BioQueue { device, sector, sectors, flags } if mine(device) => {
                self.queue(event, sector, sectors, flags);
            }
            Kind::Issue { device, sector, sectors, flags } if mine(device) => {
                self.block.issue(event.ns, sector, sectors, flags);
            }
            Kind::Complete { device, sector, sectors, flags } if mine(device) => {
                let ended = self.block.complete(event.ns, sector, sectors, flags);
                self.cpus.get(event.cpu).completion = ended;
            }
            Kind::Requeue { device, sector, sectors, flags } if mine(device) => {
                self.block.requeue(sector, sectors, flags);
            }
            _ => {}
        }
    }

    fn queue(&mut self, event: &Event, sector: u64, sectors: u32, flags: Flags) {
        let (pid, role) = (event.pid, self.tasks.role(event.pid));
        let cause = self.cause(pid, sectors, flags);
        // What a daemon begins is urgent only once somebody waits for it.
        let begun_by_daemon = matches!(role, Role::Journal | Role::Daemon);
        let class = match cause.criticality() {
            Criticality::Critical if begun_by_daemon && flags.write => Criticality::Limited,
            class => class,
        };
        let process = self.tasks.process(pid);
        let piece = Block::piece(event.ns, cause, class, pid, process);
        let id = self.block.queue(piece, sector, sectors, flags);
        let step = match cause {
            Cause::MetadataRead | Cause::DirectRead => {
                Some(FlowEvent::ReadBlock { lba: sector, sectors })
            }
            Cause::Flush => Some(FlowEvent::Flush),
            Cause::DirectWrite => Some(FlowEvent::WriteBlock {
                lba: sector,
                sectors,
                mode: platterlab_workload::flow::WriteMode::Synchronous,
            }),
            _ => None,
        };
        if let Some(step) = step {
            self.tasks.step(pid, event.ns, step);
        }
        if !flags.write && !flags.meta {
            let header = &self.snapshot.header;
            let page_sectors = header.machine.page_bytes / header.device.sector_bytes;
            let pages = (sectors / page_sectors) as usize;
            let task = self.tasks.get(pid);
            if task.read_ahead == ReadAhead::Window {
                task.read_ahead = ReadAhead::Tail;
            }
            let pages: Vec<_> = task.coming.drain(..pages.min(task.coming.len())).collect();
            self.cache.reads(id, sector, &pages);
        }
    }

    fn cause(&mut self, pid: i32, sectors: u32, flags: Flags) -> Cause {
        let task = self.tasks.get(pid);
        if flags.discard {
            return Cause::Discard;
        }
        if sectors == 0 {
            return Cause::Flush;
        }
        if !flags.write {
            return match (flags.meta, flags.ahead, task.read_ahead) {
                (true, true, _) => Cause::MetadataReadAhead,
                (true, false, _) => Cause::MetadataRead,
                (_, _, ReadAhead::Window) => Cause::DemandRead,
                (_, _, ReadAhead::Tail) => Cause::ReadAheadTail,
                (_, _, ReadAhead::Ahead) | (_, true, ReadAhead::None) => Cause::ReadAhead,
                _ if task.coming.is_empty() => Cause::DirectRead,
                _ => Cause::DemandRead,
            };
        }
        let log = flags.flush || flags.through || (flags.meta && flags.sync);
        let call = task.call.map(|number| meaning(&self.snapshot.architecture, number));
        match task.role {
            Role::Journal => Cause::Journal,
            Role::Daemon if log => Cause::Journal,
            Role::Daemon => Cause::WriteBack,
            _ if task.syncing && log => Cause::Journal,
            _ if !flags.sync => Cause::WriteBack,
            _ if call == Some(Call::Write) && !task.syncing => Cause::DirectWrite,
            _ => Cause::SyncWrite,
        }
    }
}
