//! Striping (RAID 0): units of fixed size dealt out to the members in turn.

/// Units of fixed size dealt out to the members in turn.
#[derive(Clone, Debug)]
pub(super) struct Stripe {
    members: u64,
    unit_sectors: u64,
    sectors: u64,
}

impl Stripe {
    /// `members` of `member_sectors` each; a unit that does not fit is left out.
    pub(super) fn new(members: usize, unit_sectors: u32, member_sectors: u64) -> Self {
        let unit_sectors = u64::from(unit_sectors);
        let whole = member_sectors / unit_sectors * unit_sectors;
        let members = members as u64;
        Self { members, unit_sectors, sectors: whole * members }
    }

    pub(super) fn sectors(&self) -> u64 {
        self.sectors
    }

    /// The member of a sector, the sector on it, and how many follow there.
    #[inline]
    pub(super) fn locate(&self, lba: u64) -> (usize, u64, u64) {
        let (number, within) = (lba / self.unit_sectors, lba % self.unit_sectors);
        let at = number / self.members * self.unit_sectors + within;
        ((number % self.members) as usize, at, self.unit_sectors - within)
    }
}
