//! Places of data and parity on the members (RAID 4, 5, 6).

use crate::array::{ParityOptions, Rotation};
use std::ops::Range;

/// Where data and parity lie.
///
/// A row is what lies on all members at the same sectors; its height is the smaller of the two
/// units, so that within a row one unit of each member belongs together.
#[derive(Clone, Debug)]
pub(super) struct ParityPlace {
    rotation: Rotation,
    pub(super) width: u64,
    pub(super) parities: u64,
    unit: u64,
    parity_unit: u64,
    /// For units larger than the parity's: the rows of a whole rotation in which a member has data.
    data_rows: Vec<Vec<u64>>,
    /// Sectors of the volume, and of each member that belong to it.
    pub(super) sectors: u64,
    pub(super) member_sectors: u64,
}

/// A part of a request within one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Extent {
    pub(super) row: u64,
    pub(super) member: usize,
    /// On the member.
    pub(super) from: u64,
    pub(super) to: u64,
}

impl Extent {
    pub(super) fn sectors(&self) -> Range<u64> {
        self.from..self.to
    }
}

impl ParityPlace {
    pub(super) fn new(options: &ParityOptions, members: usize, sectors: u64) -> Self {
        let width = members as u64;
        let mut place = Self {
            rotation: options.rotation,
            width,
            parities: u64::from(options.parities),
            unit: u64::from(options.unit_sectors),
            parity_unit: u64::from(options.parity_unit_sectors),
            data_rows: Vec::new(),
            sectors: 0,
            member_sectors: 0,
        };
        if place.rows_are_stripes() {
            place.member_sectors = sectors / place.unit * place.unit;
            place.sectors = place.member_sectors * place.data();
        } else {
            let data_rows =
                |member| (0..width).filter(|&row| !place.is_parity(row, member)).collect();
            place.data_rows = (0..members).map(data_rows).collect();
            let turn = width * place.parity_unit;
            place.member_sectors = sectors / turn * turn;
            let per_member = |rows: &Vec<u64>| {
                let data = sectors / turn * rows.len() as u64 * place.parity_unit;
                data / place.unit * place.unit
            };
            place.sectors = place.data_rows.iter().map(per_member).sum();
        }
        place
    }

    /// Whether a row holds data that follows itself, as everywhere but in parity striping.
    pub(super) fn rows_are_stripes(&self) -> bool {
        self.unit <= self.parity_unit
    }

    /// Units of data in a row.
    pub(super) fn data(&self) -> u64 {
        self.width - self.parities
    }

    pub(super) fn height(&self) -> u64 {
        self.unit.min(self.parity_unit)
    }

    /// The first member with parity in a row; a second one is behind it.
    fn first_parity(&self, row: u64) -> u64 {
        let step = row * self.height() / self.parity_unit % self.width;
        match self.rotation {
            Rotation::Fixed => self.width - self.parities,
            Rotation::LeftSymmetric | Rotation::LeftAsymmetric => self.width - 1 - step,
            Rotation::RightSymmetric | Rotation::RightAsymmetric => step,
        }
    }

    pub(super) fn parity_members(&self, row: u64) -> impl Iterator<Item = usize> + use<> {
        let (first, width) = (self.first_parity(row), self.width);
        (first..first + self.parities).map(move |member| (member % width) as usize)
    }

    pub(super) fn is_parity(&self, row: u64, member: usize) -> bool {
        (member as u64 + self.width - self.first_parity(row)) % self.width < self.parities
    }

    /// The members with data in a row, in the order of the members.
    pub(super) fn data_members(&self, row: u64) -> impl Iterator<Item = usize> + use<> {
        let (first, width, parities) = (self.first_parity(row), self.width, self.parities);
        (0..width)
            .filter(move |member| (member + width - first) % width >= parities)
            .map(|member| member as usize)
    }

    /// The member with the `column`-th unit of data in a row.
    fn data_member(&self, row: u64, column: u64) -> usize {
        let first = self.first_parity(row);
        let member = match self.rotation {
            Rotation::LeftAsymmetric | Rotation::RightAsymmetric => {
                let behind = first + self.parities;
                if behind > self.width {
                    column + behind - self.width
                } else if column >= first {
                    column + self.parities
                } else {
                    column
                }
            }
            _ => (first + self.parities + column) % self.width,
        };
        member as usize
    }

    /// The part of sectors `lba..end` of the volume that begins at `lba`.
    pub(super) fn locate(&self, lba: u64, end: u64) -> Extent {
        let (number, within) = (lba / self.unit, lba % self.unit);
        if self.rows_are_stripes() {
            let (row, column) = (number / self.data(), number % self.data());
            let from = row * self.unit + within;
            let to = from + (self.unit - within).min(end - lba);
            return Extent { row, member: self.data_member(row, column), from, to };
        }
        let fixed = self.rotation == Rotation::Fixed;
        let members = if fixed { self.data() } else { self.width };
        let member = (number % members) as usize;
        let at = number / members * self.unit + within;
        let rows = &self.data_rows[member];
        let (index, within) = (at / self.parity_unit, at % self.parity_unit);
        let per_turn = rows.len() as u64;
        let row = index / per_turn * self.width + rows[(index % per_turn) as usize];
        let from = row * self.parity_unit + within;
        let to = from + (self.parity_unit - within).min(end - lba);
        Extent { row, member, from, to }
    }
}
