//! Failures in mid-run: devices that fail, memories that are lost, rebuilds.

use super::Commands;
use crate::system::{Fault, FaultOptions};

impl Commands {
    /// Something goes wrong.
    pub(in crate::system) fn suffer(&mut self, fault: FaultOptions) {
        self.devices.now = self.devices.now.max(fault.at);
        match fault.fault {
            Fault::Device(device) => self.fail(device),
            Fault::CacheLoss(controller) => {
                if let Some(front) = &mut self.controllers[controller as usize].front {
                    front.cache.lose_power();
                }
            }
        }
    }

    /// A device does not answer any more. What waits for it is lost at once, what is under way in it
    /// when it would have been done.
    fn fail(&mut self, device: u32) {
        if !self.devices.fail(device) {
            return;
        }
        for volume in 0..self.requests.volumes().len() as u32 {
            let next = self.requests.fail(volume, device, self.devices.now);
            self.rebuild_next(volume, next);
        }
        for front in self.controllers.iter_mut().filter_map(|one| one.front.as_mut()) {
            front.cache.device_failed(device);
        }
        let mut lost = Vec::new();
        loop {
            if self.devices.lose_inside(device, &mut lost) {
                lost.drain(..).for_each(|id| self.lose_inside(id));
            } else if self.devices.lose_before(device, &mut lost) {
                lost.drain(..).for_each(|id| self.lose(id));
            } else {
                return;
            }
        }
    }

    /// A volume takes the next step of its rebuild.
    pub(super) fn rebuild(&mut self, volume: u32) {
        if let Some(active) = self.requests.rebuild(volume, self.devices.now) {
            self.begin_planned(active, false);
        }
    }
}
