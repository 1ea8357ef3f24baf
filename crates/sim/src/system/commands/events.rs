//! Inputs to the commands of a system: requests, events, questions.

use super::Commands;
use crate::observe::Report;
use crate::source::Request;
use crate::system::controller::Controller;
use crate::system::devices::{Devices, Released};
use crate::system::io::{Event, Io};
use platterlab_units::{Lapse, Operation, Stamp};

impl Commands {
    /// Begins a request that fits its volume.
    pub(in crate::system) fn admit(&mut self, request: Request, number: u64) {
        let Self { requests, devices, observer, .. } = self;
        if let Some(active) = requests.admit(request, number, devices, observer) {
            self.begin_planned(active, false);
        }
    }

    /// Somebody has come to wait for the source's request of this tag.
    pub(in crate::system) fn promote(&mut self, tag: u64) {
        for device in 0..self.devices.stations.len() as u32 {
            let Self { requests, devices, .. } = self;
            if devices.promote(device, |active| requests.is_tagged(active, tag)) {
                self.dispatch(device);
            }
        }
    }

    /// The event that is due next, at `at`, happens.
    pub(in crate::system) fn happen(&mut self, at: Stamp) {
        let Some(event) = self.devices.calendar.take() else { return };
        self.devices.now = at;
        match event {
            Event::Started(io) => self.started(io),
            Event::BusWanted(io) => self.devices.ask_for_buses(io),
            Event::DataDone(io) => match self.devices.data_done(io) {
                Released::Front => self.front_transferred(io),
                Released::TakenIn => {
                    if self.devices.handed_over(io) {
                        self.lose_inside(io);
                    }
                }
                Released::Done => self.done(io),
                Released::Later => {}
            },
            Event::HitTakenIn(io) => self.devices.hit_taken_in(io),
            Event::Done(io) => self.done(io),
            Event::Rebuild(volume) => self.rebuild(volume),
            Event::Flush(controller) => self.flush(controller),
            Event::Idle(controller) => self.idle(controller),
            Event::Anticipated(device) => self.dispatch(device),
            Event::AtRest(device) => {
                let riding = self.devices.at_rest(device);
                self.leave_device(device, riding);
            }
        }
    }

    /// A command comes to its device, or to a caching controller, after the driver's time for it.
    fn started(&mut self, id: u32) {
        let Io { front, piece, active, .. } = self.devices.ios[id];
        let station = &self.devices.stations[piece.device as usize];
        if front || station.failed || !self.devices.begins_at_once(piece.device) {
            let marks = self.requests.marks(active);
            let sequence = self.take_number();
            let waiting = self.devices.waiting(id, sequence, marks);
            self.accept(waiting);
        } else {
            self.devices.begin(id, Lapse::ZERO);
        }
    }

    /// A device is done with a command: it continues, and so does the request.
    fn done(&mut self, id: u32) {
        if !self.devices.done(id) {
            return self.lose_inside(id);
        }
        let io = &self.devices.ios[id];
        let (device, active) = (io.piece.device, io.active);
        let marks = self.requests.marks(active);
        let (row, own_wait) = self.devices.row(id, marks);
        self.observer.command(&row, marks.criticality, own_wait);
        if io.is_partial_write() {
            self.observer.partial_write();
        }
        self.devices.served(device, marks.criticality);
        let riding = self.devices.choose_inside(device);
        self.leave_device(device, 1 + riding);
        self.over(id);
    }

    /// The data of a command is over the front buses.
    fn front_transferred(&mut self, id: u32) {
        match self.devices.ios[id].piece.operation {
            Operation::Read => self.front_over(id, true),
            Operation::Write => self.begin_job(id),
        }
    }

    /// Everything dirty is written that may be.
    fn flush(&mut self, controller: u32) {
        self.front(controller).flush_awaited = false;
        while self.flush_one(controller) {}
        self.await_flush(controller);
    }

    /// The time has come at which the host may have been quiet for long enough.
    fn idle(&mut self, controller: u32) {
        self.front(controller).idle_awaited = false;
        self.await_flush(controller);
        self.flush_while_idle(controller);
    }

    /// Nothing is to come any more: forgetful controllers think of what still waits. Whether anything
    /// comes of it.
    pub(in crate::system) fn remind(&mut self) -> bool {
        for controller in 0..self.controllers.len() {
            let count = self.controllers[controller].devices.len();
            for index in 0..if self.controllers[controller].forgetful { count } else { 0 } {
                self.go_on_with(self.controllers[controller].devices[index]);
            }
        }
        self.devices.calendar.next_time().is_some()
    }

    /// The figures so far, after this many `events`.
    pub(in crate::system) fn report(&self, events: u64) -> Report {
        let caches = self.controllers.iter().map(Controller::report).collect();
        let Devices { now, buses, .. } = &self.devices;
        self.observer.report(*now, events, buses, self.requests.volumes(), caches)
    }
}
