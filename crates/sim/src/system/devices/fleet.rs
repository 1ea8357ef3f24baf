//! The devices, as volumes see them when they have a choice.

use super::Devices;
use crate::array::Fleet;
use crate::scheduler::DeviceView;
use platterlab_units::{Operation, Span, Stamp};

impl Fleet for Devices {
    fn now(&self) -> Stamp {
        self.now
    }

    fn outstanding(&self, device: u32) -> usize {
        let station = &self.stations[device as usize];
        station.waiting.len() + station.inside as usize
    }

    fn seek_distance(&self, device: u32, lba: u64) -> u32 {
        let view = self.stations[device as usize].view(self.clock);
        let arm = view.depart(self.now).cylinder();
        view.model.place(lba).map_or(0, |place| place.cylinder.abs_diff(arm))
    }

    fn positioning(&self, device: u32, lba: u64) -> Span {
        let view = self.stations[device as usize].view(self.clock);
        let departure = view.depart(self.now);
        let time = |place| view.positioning(&departure, &place, Operation::Read);
        view.model.place(lba).map_or(Span::ZERO, time)
    }
}
