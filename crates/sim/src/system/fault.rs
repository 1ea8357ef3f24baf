use super::io::{Active, Event, NONE, Owner};
use super::{Fault, System};
use crate::array::{Next, Step};
use crate::source::{Request, Source};
use platterlab_units::Operation;
use platterlab_workload::Criticality;

impl<S: Source> System<S> {
    /// The next thing goes wrong.
    pub(super) fn fault(&mut self) {
        let Some(fault) = self.faults.pop() else { return };
        self.now = self.now.max(fault.at);
        match fault.fault {
            Fault::Device(device) => self.fail(device),
            Fault::CacheLoss(_) => {}
        }
    }

    /// A device does not answer any more. What waits for it is lost at once, what is under way in it
    /// when it would have been done.
    fn fail(&mut self, device: u32) {
        let station = &mut self.stations[device as usize];
        if std::mem::replace(&mut station.failed, true) {
            return;
        }
        for index in 0..self.volumes.len() {
            let next = self.volumes[index].fail(device, self.now);
            self.rebuild_next(index as u32, next);
        }
        loop {
            let station = &mut self.stations[device as usize];
            let waiting = station.waiting.pop(self.now, &station.model);
            let taken = match waiting {
                Some(_) => None,
                None => station.taken.pop(self.now, &station.model),
            };
            let Some(next) = waiting.or(taken) else { return };
            let queue = if taken.is_some() { &mut station.taken } else { &mut station.waiting };
            let riders = std::mem::take(queue.riders());
            station.inside -= taken.map_or(0, |_| 1 + riders.len() as u32);
            riders.iter().chain([&next]).for_each(|lost| self.lose(lost.id));
        }
    }

    /// A volume takes the next step of its rebuild.
    pub(super) fn rebuild(&mut self, volume: u32) {
        let mut pieces = std::mem::take(&mut self.pieces);
        if let Some(step) = self.volumes[volume as usize].rebuild(self.now, &mut pieces) {
            let request = Request {
                volume,
                lba: 0,
                sectors: 0,
                operation: Operation::Read,
                criticality: Criticality::Noncritical,
                tag: 0,
            };
            let (owner, arrival) = (Owner::Rebuild(step), self.now);
            let active = Active { request, owner, arrival, left: 0, later: NONE, flawed: false };
            let active = self.active.insert(active);
            self.launch(active, &pieces);
        }
        pieces.clear();
        self.pieces = pieces;
    }

    /// A step is over; `copied` unless something failed on the way.
    pub(super) fn rebuilt(&mut self, volume: u32, step: Step, copied: bool) {
        let next = self.volumes[volume as usize].rebuilt(step, copied, self.now);
        self.rebuild_next(volume, next);
    }

    fn rebuild_next(&mut self, volume: u32, next: Next) {
        if let Next::At(at) = next {
            self.calendar.enter(at, Event::Rebuild(volume));
        }
    }
}
