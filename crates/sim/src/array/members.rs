//! The members of a volume: alive, failed or rebuilt onto a spare.

/// The devices of a volume as they are just now.
#[derive(Clone, Debug)]
pub(super) struct Members {
    list: Vec<Member>,
}

/// Who stands for a member.
#[derive(Clone, Copy, Debug)]
enum Member {
    Alive(u32),
    Dead,
    /// A spare holds its data up to `done`, and writes up to `begun` go to it.
    Rebuilding {
        spare: u32,
        done: u64,
        begun: u64,
    },
}

impl Members {
    pub(super) fn new(devices: &[u32]) -> Self {
        Self { list: devices.iter().map(|&device| Member::Alive(device)).collect() }
    }

    /// The device where a member can be read up to sector `end`.
    #[inline]
    pub(super) fn reads(&self, member: usize, end: u64) -> Option<u32> {
        match self.list[member] {
            Member::Alive(device) => Some(device),
            Member::Rebuilding { spare, done, .. } if end <= done => Some(spare),
            _ => None,
        }
    }

    /// The device to which writes to a member from sector `from` on go.
    #[inline]
    pub(super) fn writes(&self, member: usize, from: u64) -> Option<u32> {
        match self.list[member] {
            Member::Alive(device) => Some(device),
            Member::Rebuilding { spare, begun, .. } if from < begun => Some(spare),
            _ => None,
        }
    }

    /// The member that a device stands for, wholly or in part.
    pub(super) fn of(&self, device: u32) -> Option<usize> {
        self.list.iter().position(|member| match *member {
            Member::Alive(held) | Member::Rebuilding { spare: held, .. } => held == device,
            Member::Dead => false,
        })
    }

    pub(super) fn first_dead(&self) -> Option<usize> {
        self.list.iter().position(|member| matches!(member, Member::Dead))
    }

    pub(super) fn all_alive(&self) -> bool {
        self.list.iter().all(|member| matches!(member, Member::Alive(_)))
    }

    pub(super) fn fail(&mut self, member: usize) {
        self.list[member] = Member::Dead;
    }

    pub(super) fn rebuild(&mut self, member: usize, spare: u32, done: u64, begun: u64) {
        self.list[member] = Member::Rebuilding { spare, done, begun };
    }

    pub(super) fn revive(&mut self, member: usize, device: u32) {
        self.list[member] = Member::Alive(device);
    }
}
