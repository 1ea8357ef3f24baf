use super::Piece;
use crate::source::Request;

/// Devices one after the other.
#[derive(Clone, Debug)]
pub struct Concat {
    /// Devices and where each ends in the volume.
    members: Vec<(u32, u64)>,
}

impl Concat {
    /// The devices, each with its sectors.
    #[must_use]
    pub fn new(devices: &[(u32, u64)]) -> Self {
        let mut end = 0;
        let place = |&(device, sectors): &(u32, u64)| {
            end += sectors;
            (device, end)
        };
        Self { members: devices.iter().map(place).collect() }
    }

    pub(super) fn sectors(&self) -> u64 {
        self.members.last().map_or(0, |(_, end)| *end)
    }

    #[inline]
    pub(super) fn pieces(&self, request: &Request, phase: u8, out: &mut Vec<Piece>) {
        if phase > 0 {
            return;
        }
        let (mut lba, mut left) = (request.lba, request.sectors);
        let mut index = self.members.partition_point(|(_, end)| *end <= lba);
        while left > 0 {
            let (device, end) = self.members[index];
            let start = if index == 0 { 0 } else { self.members[index - 1].1 };
            let sectors = u64::from(left).min(end - lba) as u32;
            let operation = request.operation;
            out.push(Piece { device, lba: lba - start, sectors, operation });
            lba += u64::from(sectors);
            left -= sectors;
            index += 1;
        }
    }
}
