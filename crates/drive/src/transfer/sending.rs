//! The data of a read on a bus that others use too: how far it can be sent before the next has come.

use platterlab_units::{Span, Time};

/// Sectors that came from the media one after the other, or were in the buffer.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u32,
    to: u32,
    /// The first of them begins to pass.
    start: Time,
    /// The last of them has passed.
    end: Time,
}

/// Where a read's data on the bus has to pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dry {
    /// All that had come is sent.
    pub at: Time,
    /// Sectors sent by then.
    pub sent: u32,
    /// There is more to send.
    pub again: Time,
}

/// When the sectors of the read in hand came into the buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sending {
    pieces: Vec<Piece>,
    sector: Span,
}

impl Sending {
    /// Begins with a read of which each sector takes `sector` on the bus.
    pub(crate) fn begin(&mut self, sector: Span) {
        self.pieces.clear();
        self.sector = sector;
    }

    /// Sectors `from..to` passed between `start` and `end`.
    pub(crate) fn passed(&mut self, from: u32, to: u32, start: Time, end: Time) {
        match self.pieces.last_mut() {
            // No pause lies between.
            Some(last) if last.to == from && last.end == start => {
                (last.to, last.end) = (to, end);
            }
            _ => self.pieces.push(Piece { from, to, start, end }),
        }
    }

    /// Where the bus, with `sent` sectors sent and granted at `now`, has to wait for the media to
    /// reach another track; `None` if it need not.
    pub(crate) fn runs_dry(&self, sent: u32, now: Time) -> Option<Dry> {
        let mut at = now;
        for piece in self.pieces.iter().filter(|piece| piece.to > sent) {
            let first = piece.from.max(sent);
            let pace = (piece.end - piece.start) / u64::from(piece.to - piece.from);
            let there = piece.start + pace * u64::from(first - piece.from + 1);
            if there > at && first == piece.from && first > sent {
                return Some(Dry { at, sent: first, again: there });
            }
            let all = at.max(there) + self.sector * u64::from(piece.to - first);
            at = all.max(piece.end + self.sector);
        }
        None
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        for piece in &mut self.pieces {
            (piece.start, piece.end) = (piece.start.rebased(by), piece.end.rebased(by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Time {
        Time::ZERO + Span::from_us(us)
    }

    /// Sectors of 2 us on the bus: four that pass from 10 us on at 1 us each, and four from 30 us on.
    fn two_tracks() -> Sending {
        let mut sending = Sending::default();
        sending.begin(Span::from_us(2));
        sending.passed(0, 2, at(10), at(12));
        sending.passed(2, 4, at(12), at(14));
        sending.passed(4, 8, at(30), at(34));
        sending
    }

    #[test]
    fn the_bus_is_let_go_of_where_the_next_track_has_not_come() {
        let sending = two_tracks();
        // From 11 us on, the first four take until 19 us; the fifth is there at 31 us.
        let dry = Dry { at: at(19), sent: 4, again: at(31) };
        assert_eq!(sending.runs_dry(0, at(11)), Some(dry));
        assert_eq!(sending.runs_dry(0, at(22)), Some(Dry { at: at(30), ..dry }));
        assert_eq!(sending.runs_dry(4, at(31)), None);
        assert_eq!(
            sending.runs_dry(4, at(20)),
            None,
            "it waits with the bus for what it asked for"
        );
    }

    #[test]
    fn a_bus_that_comes_late_finds_all_of_it() {
        assert_eq!(two_tracks().runs_dry(0, at(23)), None);
        assert_eq!(Sending::default().runs_dry(0, at(0)), None);
    }

    #[test]
    fn times_move_with_the_clock() {
        let mut sending = two_tracks();
        sending.rebase(Span::from_us(5));
        let dry = Dry { at: at(14), sent: 4, again: at(26) };
        assert_eq!(sending.runs_dry(0, at(6)), Some(dry));
    }
}
