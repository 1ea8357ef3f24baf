//! The speed-matching buffer of a write whose data is all in memory already.

use super::SpeedMatching;
use platterlab_units::Time;

/// The buffer during a write of data that is all there, and stays until it is written.
#[derive(Clone, Debug)]
pub(crate) struct HeldBuffer {
    /// Whether the media takes sectors in the order in which the head meets them.
    pub(crate) zero_latency: bool,
}

impl SpeedMatching for HeldBuffer {
    fn ready(&self, _sector: u32) -> Time {
        Time::ZERO
    }

    fn stall(&self, _from: u32, to: u32, _begins: impl Fn(u32) -> Time) -> u32 {
        to
    }

    fn passed(&mut self, _from: u32, _to: u32, _start: Time, _end: Time) {}

    fn on_arrival(&self, _now: Time) -> bool {
        self.zero_latency
    }

    fn track_left(&mut self, _: u32, _: u32, _: Time) {}
}
