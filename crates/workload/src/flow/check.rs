//! Conditions among the records of a flow, whoever wrote them.

use std::collections::BTreeMap;

use platterlab_units::MAX_LBA;

use super::header::FlowHeader;
use super::record::{Extent, Item, Process, Step};
use super::{Event, ProcessId};

/// Processes a flow may have; each costs a few bytes of a reader's memory.
const MAX_PROCESSES: usize = 1 << 22;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Unborn,
    Running,
    Ended,
}

/// The state that decides whether the next record can be true. Grows with the number of processes,
/// not with the number of records.
#[derive(Debug)]
pub(super) struct Checks {
    lives: Vec<Life>,
    /// Wake-ups less waits of every event where the two differ.
    balance: BTreeMap<u32, i64>,
    /// Who waits for an event that nothing has woken yet.
    waiting: BTreeMap<u32, ProcessId>,
    device_sectors: u64,
    page_sectors: u64,
}

impl Checks {
    pub(super) fn new(header: &FlowHeader) -> Result<Self, String> {
        let (page, sector) = (header.machine.page_bytes, header.device.sector_bytes);
        if sector == 0 || page == 0 || page % sector != 0 {
            return Err(format!("pages of {page} bytes on sectors of {sector} bytes"));
        }
        if header.machine.cpus == 0 {
            return Err("a machine without a CPU".into());
        }
        if header.machine.memory_pages == 0 {
            return Err("a machine without memory".into());
        }
        let sectors = header.device.sectors;
        if sectors == 0 || sectors > MAX_LBA {
            return Err(format!("a device of {sectors} sectors"));
        }
        let settings = [
            ("dirty_percent", header.cache.dirty_percent, 100.0),
            ("dirty_background_percent", header.cache.dirty_background_percent, 100.0),
            ("interval_ms", header.syncer.interval_ms, 1e10),
            ("expire_ms", header.syncer.expire_ms, 1e10),
        ];
        for (name, value, most) in settings {
            if !(0.0..=most).contains(&value) {
                return Err(format!("{name} = {value}; it lies between 0 and {most}"));
            }
        }
        Ok(Self {
            lives: Vec::new(),
            balance: BTreeMap::new(),
            waiting: BTreeMap::new(),
            device_sectors: sectors,
            page_sectors: u64::from(page / sector),
        })
    }

    pub(super) fn take(&mut self, item: &Item) -> Result<(), String> {
        match item {
            Item::Process(process) => self.process(process),
            Item::Extent(Extent { file, page, pages, lba }) => {
                let sectors = u64::from(*pages) * self.page_sectors;
                if page.checked_add(u64::from(*pages)).is_none() {
                    return Err(format!("page {page} of file {file} is too large"));
                }
                self.on_device(*lba, sectors)
            }
            Item::Resident { file, page, pages } => page
                .checked_add(u64::from(*pages))
                .map(drop)
                .ok_or_else(|| format!("page {page} of file {file} is too large")),
            Item::Step(step) => self.step(step),
            Item::Observed(request) => {
                self.on_device(request.lba, u64::from(request.sectors))?;
                request.process.map_or(Ok(()), |process| self.known(process))
            }
            Item::Pause(pause) => self.known(pause.process),
        }
    }

    /// Nothing may be left open at the end.
    pub(super) fn end(&self) -> Result<(), String> {
        for (id, life) in self.lives.iter().enumerate() {
            match life {
                Life::Running => return Err(format!("process {id} never ends")),
                Life::Unborn => return Err(format!("process {id} is never forked")),
                Life::Ended => {}
            }
        }
        if let Some((event, _)) = self.balance.iter().find(|(_, balance)| **balance < 0) {
            let process = self.waiting.get(event).copied().unwrap_or_default();
            return Err(format!("process {process} waits for event {event}, which nothing wakes"));
        }
        Ok(())
    }

    fn process(&mut self, process: &Process) -> Result<(), String> {
        let next = self.lives.len();
        if process.id as usize != next {
            return Err(format!("process {} where process {next} is next", process.id));
        }
        if next >= MAX_PROCESSES {
            return Err(format!("more than {MAX_PROCESSES} processes"));
        }
        if let Some(parent) = process.parent {
            self.known(parent)?;
        }
        self.lives.push(if process.parent.is_some() { Life::Unborn } else { Life::Running });
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let process = step.process;
        self.known(process)?;
        match self.lives[process as usize] {
            Life::Unborn => return Err(format!("process {process} runs before it is forked")),
            Life::Ended => return Err(format!("process {process} runs after its end")),
            Life::Running => {}
        }
        match step.event {
            Event::Fork { child } => {
                self.known(child)?;
                let life = &mut self.lives[child as usize];
                if *life != Life::Unborn {
                    return Err(format!("process {child} is forked twice"));
                }
                *life = Life::Running;
            }
            Event::Exit => self.lives[process as usize] = Life::Ended,
            Event::Wait { event } => {
                self.waiting.insert(event, process);
                self.weigh(event, -1);
            }
            Event::WakeUp { event } => self.weigh(event, 1),
            Event::ReadBlock { lba, sectors } | Event::WriteBlock { lba, sectors, .. } => {
                self.on_device(lba, u64::from(sectors))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn weigh(&mut self, event: u32, by: i64) {
        let balance = self.balance.entry(event).or_default();
        *balance += by;
        if *balance == 0 {
            self.balance.remove(&event);
        }
        if self.balance.get(&event).is_none_or(|balance| *balance >= 0) {
            self.waiting.remove(&event);
        }
    }

    fn known(&self, process: ProcessId) -> Result<(), String> {
        if (process as usize) < self.lives.len() {
            return Ok(());
        }
        Err(format!("process {process} is not known here; there are {}", self.lives.len()))
    }

    fn on_device(&self, lba: u64, sectors: u64) -> Result<(), String> {
        if lba.checked_add(sectors).is_some_and(|end| end <= self.device_sectors) {
            return Ok(());
        }
        let device = self.device_sectors;
        Err(format!("{sectors} sectors from {lba} reach beyond the device's {device} sectors"))
    }
}
