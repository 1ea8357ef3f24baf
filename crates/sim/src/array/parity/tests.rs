//! Contents: what is read back from an array, whole, degraded or rebuilt, is what was written.
//!
//! Each write computes parity from nothing but what its plan has read; where that is not enough the
//! test fails. Sectors hold one byte, parity is over the field of 256 elements.

use super::place::ParityPlace;
use crate::array::tests::{RankFleet, request};
use crate::array::{
    Capacity, LayoutOptions, ParityOptions, ParityUpdate, Piece, RebuildOptions, RebuildRate,
    Rotation, Volume, VolumeOptions,
};
use crate::source::Request;
use platterlab_units::{Operation, Span, Stamp};
use proptest::prelude::*;
use std::collections::BTreeMap;

const SECTORS: u64 = 48;

fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b > 0 {
        product ^= if b & 1 > 0 { a } else { 0 };
        a = (a << 1) ^ if a & 0x80 > 0 { 0x1d } else { 0 };
        b >>= 1;
    }
    product
}

fn inverse(a: u8) -> u8 {
    (1..=255).find(|&b| times(a, b) == 1).expect("all but 0 have one")
}

/// The weight of the `column`-th data member in a parity.
fn weight(parity: usize, column: usize) -> u8 {
    if parity == 0 { 1 } else { (0..column).fold(1, |power, _| times(power, 2)) }
}

/// A linear combination of a row's old data and its value.
type Equation = (Vec<u8>, u8);

/// The value of `wanted`, if the known combinations say it.
fn solve(known: &[Equation], wanted: Vec<u8>) -> Option<u8> {
    let mut rows: Vec<Equation> = Vec::new();
    let reduce = |rows: &[Equation], (mut coefficients, mut value): Equation| {
        for (row, right) in rows {
            let lead = row.iter().position(|&c| c > 0).expect("rows are not empty");
            let factor = times(coefficients[lead], inverse(row[lead]));
            for (mine, theirs) in coefficients.iter_mut().zip(row) {
                *mine ^= times(factor, *theirs);
            }
            value ^= times(factor, *right);
        }
        (coefficients, value)
    };
    for equation in known {
        let equation = reduce(&rows, equation.clone());
        if equation.0.iter().any(|&c| c > 0) {
            rows.push(equation);
        }
    }
    // Rows are not reduced against later ones, so the wanted one is, until nothing changes.
    let mut left = (wanted, 0);
    for _ in 0..=rows.len() {
        left = reduce(&rows, left);
    }
    left.0.iter().all(|&c| c == 0).then_some(left.1)
}

struct Array {
    volume: Volume,
    place: ParityPlace,
    /// By device, spares behind the members.
    disks: Vec<Vec<u8>>,
    failed: Vec<bool>,
    /// The member each device stands for.
    member: Vec<Option<usize>>,
    /// The sector of the volume at a member's sector.
    data: BTreeMap<(usize, u64), u64>,
    truth: Vec<u8>,
    known: BTreeMap<(usize, u64), u8>,
}

impl Array {
    fn new(options: ParityOptions, members: usize) -> Self {
        let spares = vec![members as u32, members as u32 + 1];
        let rate = RebuildRate::Unlimited;
        let rebuild = RebuildOptions { spares, rate, chunk_sectors: 5, delay: Span::ZERO };
        let volume = VolumeOptions {
            layout: LayoutOptions::Parity(options),
            devices: (0..members as u32).collect(),
            accept_uneven: false,
            rebuild: Some(rebuild),
        };
        let devices = vec![Capacity { sectors: SECTORS, sector_bytes: 512 }; members + 2];
        let volume = Volume::new(&volume, &devices, 1, 0).expect("it makes sense");
        let place = ParityPlace::new(&options, members, SECTORS);
        let mut data = BTreeMap::new();
        for lba in 0..place.sectors {
            let extent = place.locate(lba, lba + 1);
            assert!(!place.is_parity(extent.row, extent.member), "parity is apart from its data");
            data.insert((extent.member, extent.from), lba);
        }
        assert_eq!(data.len() as u64, place.sectors);
        Self {
            disks: vec![vec![0; SECTORS as usize]; members + 2],
            failed: vec![false; members + 2],
            member: (0..members + 2).map(|device| (device < members).then_some(device)).collect(),
            truth: vec![0; place.sectors as usize],
            known: BTreeMap::new(),
            volume,
            place,
            data,
        }
    }

    /// What has been read says about the data of a row at a sector.
    fn equations(&self, row: u64, at: u64) -> Vec<Equation> {
        let columns: Vec<usize> = self.place.data_members(row).collect();
        let one = |member: usize| {
            let value = *self.known.get(&(member, at))?;
            let parity = self.place.parity_members(row).position(|parity| parity == member);
            let coefficient = |(column, &held): (usize, &usize)| match parity {
                Some(parity) => weight(parity, column),
                None => u8::from(held == member),
            };
            Some((columns.iter().enumerate().map(coefficient).collect(), value))
        };
        (0..self.place.width as usize).filter_map(one).collect()
    }

    /// What a member will hold at a sector once `new` is written.
    fn value(&self, member: usize, at: u64, new: &BTreeMap<u64, u8>) -> Option<u8> {
        let row = at / self.place.height();
        let columns: Vec<usize> = self.place.data_members(row).collect();
        let parity = self.place.parity_members(row).position(|parity| parity == member);
        let (mut wanted, mut value) = (vec![0; columns.len()], 0);
        for (column, &held) in columns.iter().enumerate() {
            let weight = match parity {
                Some(parity) => weight(parity, column),
                None => u8::from(held == member),
            };
            let written = self.data.get(&(held, at)).and_then(|lba| new.get(lba));
            match written {
                Some(written) => value ^= times(weight, *written),
                None => wanted[column] = weight,
            }
        }
        Some(value ^ solve(&self.equations(row, at), wanted)?)
    }

    /// Does what a plan says.
    fn execute(&mut self, pieces: &[Piece], new: &BTreeMap<u64, u8>) {
        self.known.clear();
        for stage in 0..=1 {
            let now = || pieces.iter().filter(move |piece| piece.stage == stage);
            let range = |piece: &Piece| piece.lba..piece.lba + u64::from(piece.sectors);
            for piece in now().filter(|piece| piece.operation == Operation::Read) {
                assert!(!self.failed[piece.device as usize], "a failed device is not read");
                let member = self.member[piece.device as usize].expect("it is in the array");
                for at in range(piece) {
                    let value = self.disks[piece.device as usize][at as usize];
                    self.known.insert((member, at), value);
                }
            }
            for piece in now().filter(|piece| piece.operation == Operation::Write || piece.rewrite)
            {
                assert!(!self.failed[piece.device as usize], "a failed device is not written");
                let member = self.member[piece.device as usize].expect("it is in the array");
                for at in range(piece) {
                    let value = self.value(member, at, new);
                    let value = value.expect("what was read is enough for what is written");
                    self.disks[piece.device as usize][at as usize] = value;
                }
            }
        }
    }

    fn plan(&mut self, request: &Request) -> Vec<Piece> {
        let mut out = Vec::new();
        assert!(self.volume.plan(request, &RankFleet, &mut out), "nothing is lost");
        out
    }

    fn write(&mut self, lba: u64, sectors: u32, value: u8) {
        let pieces = self.plan(&request(lba, sectors, Operation::Write));
        let new: BTreeMap<u64, u8> =
            (lba..lba + u64::from(sectors)).map(|at| (at, value ^ at as u8)).collect();
        self.execute(&pieces, &new);
        for (at, value) in new {
            self.truth[at as usize] = value;
        }
    }

    fn read(&mut self, lba: u64, sectors: u32) {
        let pieces = self.plan(&request(lba, sectors, Operation::Read));
        assert!(pieces.iter().all(|piece| piece.operation == Operation::Read && !piece.rewrite));
        self.execute(&pieces, &BTreeMap::new());
        for at in lba..lba + u64::from(sectors) {
            let extent = self.place.locate(at, at + 1);
            let value = self.value(extent.member, extent.from, &BTreeMap::new());
            assert_eq!(value, Some(self.truth[at as usize]), "sector {at}");
        }
    }

    fn fail(&mut self, device: usize) {
        self.failed[device] = true;
        self.disks[device].fill(0xee);
        self.volume.fail(device as u32, Stamp::ZERO);
    }

    /// One step of a rebuild; whether there was one.
    fn rebuild(&mut self) -> bool {
        let mut pieces = Vec::new();
        let Some(step) = self.volume.rebuild(Stamp::ZERO, &mut pieces) else { return false };
        self.member[step.spare as usize] = Some(step.member);
        self.execute(&pieces, &BTreeMap::new());
        self.volume.rebuilt(true, Stamp::ZERO);
        true
    }
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Write(u64, u32, u8),
    Read(u64, u32),
    Fail(usize),
    Rebuild(u32),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        5 => (any::<u64>(), 1..40_u32, any::<u8>()).prop_map(|(a, n, v)| Act::Write(a, n, v)),
        2 => (any::<u64>(), 1..40_u32).prop_map(|(a, n)| Act::Read(a, n)),
        1 => (0..6_usize).prop_map(Act::Fail),
        1 => (1..8_u32).prop_map(Act::Rebuild),
    ];
    prop::collection::vec(act, 1..60)
}

/// The end of one unit and the beginning of the next, of three: the third is read for each by itself.
#[test]
fn what_is_written_of_one_part_waits_for_no_read_of_the_other() {
    let told = |synch_writes, lba| {
        let options = ParityOptions {
            parities: 1,
            rotation: Rotation::Fixed,
            unit_sectors: 24,
            parity_unit_sectors: 24,
            update: ParityUpdate::ModifyUpTo { share: 0.0 },
            synch_writes,
        };
        let mut told: Vec<_> = Array::new(options, 4)
            .plan(&request(lba, 8, Operation::Write))
            .iter()
            .map(|piece| (piece.part, piece.stage, piece.device, piece.lba, piece.sectors))
            .collect();
        told.sort_unstable();
        told
    };
    let of = |part, (from, data)| {
        [(part, 0, 2, from, 4), (part, 1, data, from, 4), (part, 1, 3, from, 4)]
    };
    assert_eq!(told(false, 20), [of(1, (20, 0)), of(2, (0, 1))].concat());
    assert!(told(true, 20).iter().all(|piece| piece.0 == 0), "all reads come before all writes");
    assert!(told(false, 8).iter().all(|piece| piece.0 == 0), "one part");
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_written(
        parities in 1..=2_u32,
        rotation in prop::sample::select(vec![
            Rotation::Fixed,
            Rotation::LeftSymmetric,
            Rotation::LeftAsymmetric,
            Rotation::RightAsymmetric,
            Rotation::RightSymmetric,
        ]),
        (unit_sectors, parity_unit_sectors) in
            prop::sample::select(vec![(1, 1), (4, 4), (2, 4), (4, 2), (3, 1)]),
        share in prop::option::of(0.0..=1.0_f64),
        synch_writes in any::<bool>(),
        members in 4..6_usize,
        acts in acts(),
    ) {
        let update = share.map_or(ParityUpdate::FewestCommands, |share| ParityUpdate::ModifyBelow { share });
        let options = ParityOptions {
            parities, rotation, unit_sectors, parity_unit_sectors, update, synch_writes,
        };
        let mut array = Array::new(options, members);
        let all = array.place.sectors;
        for act in acts {
            match act {
                Act::Write(lba, sectors, value) => {
                    let lba = lba % all;
                    array.write(lba, sectors.min((all - lba) as u32), value);
                }
                Act::Read(lba, sectors) => {
                    let lba = lba % all;
                    array.read(lba, sectors.min((all - lba) as u32));
                }
                Act::Fail(device) => {
                    let down = array.failed.iter().filter(|&&failed| failed).count();
                    if down < parities as usize && device < members {
                        array.fail(device);
                    }
                }
                Act::Rebuild(steps) => {
                    for _ in 0..steps {
                        array.rebuild();
                    }
                }
            }
        }
        array.read(0, all as u32);
        while array.rebuild() {}
        prop_assert!(array.volume.is_consistent());
        array.read(0, all as u32);
        // Rebuilt parity is right too: the array bears failures again.
        if let Some(device) = (0..members).find(|&device| !array.failed[device]) {
            array.fail(device);
            array.read(0, all as u32);
        }
    }
}
