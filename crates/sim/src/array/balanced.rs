//! The balanced volume: each request goes whole to one member, as if all held the data.

use super::Balance;
use crate::chance::LatencyStream;

/// Every member stands for all the data.
#[derive(Clone, Debug)]
pub(super) struct Balanced {
    balance: Balance,
    members: u32,
    next: u32,
    chance: LatencyStream,
}

impl Balanced {
    pub(super) fn new(balance: Balance, members: u32, chance: LatencyStream) -> Self {
        Self { balance, members, next: 0, chance }
    }

    /// The member that gets the next request.
    pub(super) fn choose(&mut self) -> usize {
        let choice = match self.balance {
            Balance::Random => self.chance.below(self.members),
            Balance::RoundRobin => self.next,
        };
        self.next = (choice + 1) % self.members;
        choice as usize
    }
}
