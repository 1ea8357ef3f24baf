//! Commands on their way to devices whose controller has the buses while it looks after them.

use super::System;
use super::io::{Event, Phase};
use crate::source::Source;
use platterlab_units::{Operation, Span, Stamp};

impl<S: Source> System<S> {
    /// Such a device starts on a command: one that waited in it has been looked after by then, if its
    /// hand-over is over; else that goes on first.
    pub(super) fn begin_on_bus(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        if io.phase == Phase::HandOver {
            io.phase = Phase::Turn;
        } else if station.waited == Span::ZERO {
            io.phase = Phase::Command;
            self.ask_for_buses(id);
        } else if io.piece.operation == Operation::Write {
            io.phase = Phase::Command;
            // After what came to the device as the last command was done.
            self.calendar.enter(self.now, Event::BusWanted(id));
        } else {
            io.phase = Phase::Data;
            station.serve(self.now, self.clock, io);
            self.calendar.enter(station.bus_from, Event::BusWanted(id));
        }
    }

    /// Such a device, at work on another command, has the buses from `start` on and takes in this one.
    pub(super) fn hand_over(&mut self, id: u32, start: Stamp) {
        let io = &self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        let (now, command) = (self.clock.time(start), io.command());
        let (overhead, hit) = station.model.hand_over(now, &command, station.after);
        if hit && command.operation == Operation::Read {
            // The device may be done with the other one just now, and its turn come.
            self.calendar.enter(self.now, Event::HitTakenIn(id));
        } else {
            self.calendar.enter(start + overhead, Event::DataDone(id));
        }
    }

    /// A read that the buffer answers is taken in: it keeps nobody else from moving data, unless its turn
    /// has come. Then it is answered as one that had not waited.
    pub(super) fn hit_taken_in(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        if io.phase == Phase::Turn {
            io.phase = Phase::Command;
            station.waited = Span::ZERO;
            return self.transfer(id);
        }
        let start = self.now + station.arbitration;
        let (now, command) = (self.clock.time(start), io.command());
        let (overhead, _) = station.model.hand_over(now, &command, station.after);
        self.release_buses(id);
        self.calendar.enter(start + overhead, Event::DataDone(id));
    }

    /// A command has been taken in, and waits in its device.
    pub(super) fn handed_over(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        let turn = std::mem::replace(&mut io.phase, Phase::Data) == Phase::Turn;
        if turn && station.failed {
            self.lose_inside(id);
        } else if turn {
            // All that the controller has to do has been done.
            station.waited = Span::MAX;
            self.begin_on_bus(id);
        }
    }
}
