//! A policy that somebody else decides by, held to the contract of all.

use crate::controller::table::LineKey;
use crate::outside::{CacheLine, Evictor};

/// Which slots hold a line, and who decides among them.
#[derive(Clone, Debug)]
pub(crate) struct Evicted {
    evictor: Box<dyn Evictor>,
    line_sectors: u64,
    held: Vec<bool>,
}

impl Evicted {
    pub(super) fn new(evictor: Box<dyn Evictor>, line_sectors: u64, slots: usize) -> Self {
        Self { evictor, line_sectors, held: vec![false; slots] }
    }

    pub(super) fn victim(&mut self, may: impl Fn(u32) -> bool) -> Option<u32> {
        let Self { evictor, held, .. } = self;
        let may = |slot: u32| held.get(slot as usize) == Some(&true) && may(slot);
        let first = (0..held.len() as u32).find(|&slot| may(slot))?;
        Some(evictor.choose(&may).filter(|&slot| may(slot)).unwrap_or(first))
    }

    pub(super) fn leave(&mut self, slot: u32) {
        self.held[slot as usize] = false;
        self.evictor.left(slot);
    }

    pub(super) fn enter(&mut self, slot: u32, (device, number): LineKey) {
        self.held[slot as usize] = true;
        self.evictor.entered(slot, CacheLine { device, lba: number * self.line_sectors });
    }

    pub(super) fn used(&mut self, slot: u32) {
        self.evictor.used(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says one slot for ever.
    #[derive(Clone, Debug)]
    struct Says(Option<u32>);

    impl Evictor for Says {
        fn entered(&mut self, _: u32, _: CacheLine) {}

        fn used(&mut self, _: u32) {}

        fn left(&mut self, _: u32) {}

        fn choose(&mut self, _: &dyn Fn(u32) -> bool) -> Option<u32> {
            self.0
        }

        fn twin(&self) -> Box<dyn Evictor> {
            Box::new(self.clone())
        }
    }

    #[test]
    fn only_a_line_that_is_there_and_may_go_makes_room() {
        for said in [None, Some(0), Some(2), Some(3), Some(99)] {
            let mut evicted = Evicted::new(Box::new(Says(said)), 8, 4);
            (0..3).for_each(|slot| evicted.enter(slot, (0, slot.into())));
            let chosen = if said == Some(2) { Some(2) } else { Some(1) };
            assert_eq!(evicted.victim(|slot| slot > 0), chosen, "{said:?}");
            evicted.leave(1);
            evicted.leave(2);
            assert_eq!(evicted.victim(|slot| slot > 0), None);
        }
    }
}
