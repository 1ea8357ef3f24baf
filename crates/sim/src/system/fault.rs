//! Failures in mid-run: devices that fail, memories that are lost, rebuilds.

use super::io::{Active, Event, Owner, Phase};
use super::{Fault, System};
use crate::array::Next;
use crate::drive::OnClock;
use crate::source::Source;

impl<S: Source> System<S> {
    /// The next thing goes wrong.
    pub(super) fn fault(&mut self) {
        let Some(fault) = self.faults.pop() else { return };
        self.now = self.now.max(fault.at);
        match fault.fault {
            Fault::Device(device) => self.fail(device),
            Fault::CacheLoss(controller) => {
                if let Some(front) = &mut self.controllers[controller as usize].cache {
                    front.cache.lose_power();
                }
            }
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
        for controller in &mut self.controllers {
            if let Some(front) = &mut controller.cache {
                front.cache.device_failed(device);
            }
        }
        while self.lose_next(device) {}
    }

    /// Loses the next command that waits for a device, and those that would be served with it;
    /// whether there was one.
    fn lose_next(&mut self, device: u32) -> bool {
        let station = &mut self.stations[device as usize];
        let (now, clock) = (self.now, self.clock);
        let model = &OnClock { model: &station.model, clock, inside: true };
        if let Some(next) = station.taken.pop(now, model) {
            let riders = std::mem::take(station.taken.riders());
            for lost in riders.iter().chain([&next]) {
                let phase = &mut self.ios[lost.id].phase;
                if *phase == Phase::HandOver {
                    // The buses still know it: it is lost when they let go of it.
                    *phase = Phase::Turn;
                } else {
                    self.lose_inside(lost.id);
                }
            }
            return true;
        }
        let queues = [Some(&mut station.waiting), station.back.as_deref_mut()];
        let lost = queues.into_iter().flatten().find_map(|queue| {
            let next = queue.pop(now, model)?;
            Some((next, std::mem::take(queue.riders())))
        });
        let Some((next, riders)) = lost else { return false };
        riders.iter().chain([&next]).for_each(|lost| self.lose(lost.id));
        true
    }

    /// A volume takes the next step of its rebuild.
    pub(super) fn rebuild(&mut self, volume: u32) {
        let mut pieces = std::mem::take(&mut self.pieces);
        if self.volumes[volume as usize].rebuild(self.now, &mut pieces).is_some() {
            let active = Active::own(volume, Owner::Rebuild, self.now);
            let active = self.active.insert(active);
            self.launch(active, &pieces);
        }
        pieces.clear();
        self.pieces = pieces;
    }

    /// A step is over; `copied` unless something failed on the way.
    pub(super) fn rebuilt(&mut self, volume: u32, copied: bool) {
        let next = self.volumes[volume as usize].rebuilt(copied, self.now);
        self.rebuild_next(volume, next);
    }

    fn rebuild_next(&mut self, volume: u32, next: Next) {
        if let Next::At(at) = next {
            self.calendar.enter(at, Event::Rebuild(volume));
        }
    }
}
