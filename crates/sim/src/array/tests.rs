//! Layouts: hand-written tables, and that no two sectors of a volume share a place.

use super::*;
use crate::source::Request;
use platterlab_units::{Operation, Partial, Span, Stamp};
use platterlab_workload::Criticality;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Devices of which the first is busiest and the last is nearest.
pub(super) struct RankFleet;

impl Fleet for RankFleet {
    fn now(&self) -> Stamp {
        Stamp::ZERO
    }

    fn outstanding(&self, device: u32) -> usize {
        10 - device as usize
    }

    fn seek_distance(&self, device: u32, _: u64) -> u32 {
        device % 2
    }

    fn positioning(&self, device: u32, _: u64) -> Span {
        Span::from_us(u64::from(device).abs_diff(1))
    }
}

pub(super) fn request(lba: u64, sectors: u32, operation: Operation) -> Request {
    Request {
        volume: 0,
        lba,
        sectors,
        partial: Partial::WHOLE,
        operation,
        criticality: Criticality::Unknown,
        stream: 0,
        order: None,
        tag: 0,
    }
}

pub(super) fn volume(layout: LayoutOptions, sectors: &[u64]) -> Result<Volume, ArrayError> {
    let devices = (0..sectors.len() as u32).collect();
    let options = VolumeOptions { layout, devices, accept_uneven: false, rebuild: None };
    let device = |&sectors: &u64| Capacity { sectors, sector_bytes: 512 };
    let devices: Vec<_> = sectors.iter().map(device).collect();
    Volume::new(&options, &devices, 7, 0)
}

pub(super) fn parity(parities: u32, rotation: Rotation, units: (u32, u32)) -> LayoutOptions {
    LayoutOptions::Parity(ParityOptions {
        parities,
        rotation,
        unit_sectors: units.0,
        parity_unit_sectors: units.1,
        update: ParityUpdate::FewestCommands,
        synch_writes: false,
    })
}

fn mirror(copies: u32, unit_sectors: Option<u32>, read_choice: ReadChoice) -> LayoutOptions {
    LayoutOptions::Mirror { copies, unit_sectors, read_choice }
}

/// Where each sector of the volume is read: device and sector.
fn places(volume: &mut Volume, sectors: u64) -> Vec<(u32, u64)> {
    let place = |lba| {
        let mut out = Vec::new();
        assert!(volume.plan(&request(lba, 1, Operation::Read), &RankFleet, &mut out));
        assert_eq!((out.len(), out[0].sectors), (1, 1));
        (out[0].device, out[0].lba)
    };
    (0..sectors).map(place).collect()
}

/// The first rows as the textbooks draw them: data units by number, parity as `P`, `Q`.
fn table(layout: LayoutOptions, devices: usize, rows: usize) -> Vec<String> {
    let parities = if let LayoutOptions::Parity(options) = &layout { options.parities } else { 0 };
    let mut volume = volume(layout, &vec![64; devices]).expect("it makes sense");
    let mut table = vec![vec![String::new(); devices]; rows];
    let data = rows * (devices - parities as usize);
    for (number, (device, at)) in places(&mut volume, data as u64).into_iter().enumerate() {
        table[at as usize][device as usize] = number.to_string();
    }
    let row = |cells: Vec<String>| {
        let mut cells: Vec<&str> =
            cells.iter().map(|cell| if cell.is_empty() { "P" } else { cell.as_str() }).collect();
        // With two parities the second follows the first around the corner.
        if let Some(first) = (0..devices)
            .find(|&at| parities == 2 && cells[at] == "P" && cells[(at + 1) % devices] == "P")
        {
            cells[(first + 1) % devices] = "Q";
        }
        cells.join(" ")
    };
    table.into_iter().map(row).collect()
}

/// The commands of a write of which a part of the first and of the last sector is left alone.
fn partial_write(layout: LayoutOptions, devices: usize, lba: u64, sectors: u32) -> Vec<Piece> {
    let mut volume = volume(layout, &vec![64; devices]).expect("it makes sense");
    let partial = Partial { before: 3, after: 5 };
    let request = Request { partial, ..request(lba, sectors, Operation::Write) };
    let mut out = Vec::new();
    assert!(volume.plan(&request, &RankFleet, &mut out));
    out
}

#[test]
fn drives_complete_the_edges_of_a_write_where_no_parity_is_wanted() {
    let told = |pieces: Vec<Piece>| -> Vec<(u32, u64, u32, u8, u8)> {
        let one = |p: &Piece| (p.device, p.lba, p.sectors, p.partial.before, p.partial.after);
        pieces.iter().map(one).collect()
    };
    assert_eq!(told(partial_write(LayoutOptions::Concat, 1, 5, 2)), [(0, 5, 2, 3, 5)]);
    // Sectors 3 to 8 in units of four: 3 | 4 to 7 | 8.
    let stripe = LayoutOptions::Stripe { unit_sectors: 4 };
    let expected = [(0, 3, 1, 3, 0), (1, 0, 4, 0, 0), (2, 0, 1, 0, 5)];
    assert_eq!(told(partial_write(stripe.clone(), 3, 3, 6)), expected);
    // With two drives, what lies together on one is one command.
    assert_eq!(told(partial_write(stripe, 2, 3, 6)), [(0, 3, 2, 3, 5), (1, 0, 4, 0, 0)]);
    let both = mirror(2, None, ReadChoice::Primary);
    assert_eq!(told(partial_write(both, 2, 5, 1)), [(0, 5, 1, 3, 5), (1, 5, 1, 3, 5)]);
}

#[test]
fn an_array_with_parity_reads_what_it_writes_a_part_of() {
    // Most of a row of four: whole, it would be reconstructed from the one unit that stays.
    let layout = || parity(1, Rotation::Fixed, (1, 1));
    let mut whole = Vec::new();
    let mut array = volume(layout(), &[64; 5]).expect("it makes sense");
    assert!(array.plan(&request(0, 3, Operation::Write), &RankFleet, &mut whole));
    assert!(whole.iter().all(|piece| !piece.rewrite));
    let pieces = partial_write(layout(), 5, 0, 3);
    assert!(pieces.iter().all(|piece| piece.partial.is_whole()));
    let read = |device: u32| {
        pieces.iter().any(|piece| piece.device == device && piece.operation == Operation::Read)
    };
    assert_eq!([0, 1, 2, 3, 4].map(read), [true, true, true, false, true]);
}

#[test]
fn the_rotations_are_those_of_the_books() {
    let four = |rotation| table(parity(1, rotation, (1, 1)), 4, 4);
    assert_eq!(four(Rotation::Fixed), ["0 1 2 P", "3 4 5 P", "6 7 8 P", "9 10 11 P"]);
    assert_eq!(four(Rotation::LeftSymmetric), ["0 1 2 P", "4 5 P 3", "8 P 6 7", "P 9 10 11"]);
    assert_eq!(four(Rotation::LeftAsymmetric), ["0 1 2 P", "3 4 P 5", "6 P 7 8", "P 9 10 11"]);
    assert_eq!(four(Rotation::RightAsymmetric), ["P 0 1 2", "3 P 4 5", "6 7 P 8", "9 10 11 P"]);
    assert_eq!(four(Rotation::RightSymmetric), ["P 0 1 2", "5 P 3 4", "7 8 P 6", "9 10 11 P"]);
    let two = |rotation| table(parity(2, rotation, (1, 1)), 4, 4);
    assert_eq!(two(Rotation::Fixed), ["0 1 P Q", "2 3 P Q", "4 5 P Q", "6 7 P Q"]);
    assert_eq!(two(Rotation::LeftSymmetric), ["Q 0 1 P", "2 3 P Q", "5 P Q 4", "P Q 6 7"]);
    assert_eq!(two(Rotation::LeftAsymmetric), ["Q 0 1 P", "2 3 P Q", "4 P Q 5", "P Q 6 7"]);
}

#[test]
fn parity_may_turn_more_slowly_or_faster_than_data() {
    let slow = table(parity(1, Rotation::LeftSymmetric, (1, 2)), 3, 6);
    assert_eq!(slow, ["0 1 P", "2 3 P", "5 P 4", "7 P 6", "P 8 9", "P 10 11"]);
    // Data units of two rows step over the parity on their way down.
    let mut fast =
        volume(parity(1, Rotation::LeftSymmetric, (2, 1)), &[12; 3]).expect("it makes sense");
    let places = places(&mut fast, 6);
    assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]);
}

#[test]
fn copies_are_chosen_as_the_rule_says() {
    let read = |choice, lba| {
        let mut volume = volume(mirror(2, None, choice), &[100; 4]).expect("it makes sense");
        let mut out = Vec::new();
        let mut device = || {
            out.clear();
            assert!(volume.plan(&request(lba, 4, Operation::Read), &RankFleet, &mut out));
            out[0].device
        };
        [device(), device(), device()]
    };
    assert_eq!(read(ReadChoice::Primary, 0), [0, 0, 0]);
    assert_eq!(read(ReadChoice::Primary, 150), [2, 2, 2]);
    assert_eq!(read(ReadChoice::RoundRobin, 150), [2, 3, 2]);
    assert_eq!(read(ReadChoice::ShortestSeek, 150), [2, 2, 2]);
    assert_eq!(read(ReadChoice::ShortestQueue, 150), [3, 3, 3]);
    assert_eq!(read(ReadChoice::ShortestQueueThenSeek, 0), [1, 1, 1]);
    assert_eq!(read(ReadChoice::ShortestPositioning, 0), [1, 1, 1]);
    let mut random = volume(mirror(3, None, ReadChoice::Random), &[100; 3]).expect("it does");
    let mut hits = [0; 3];
    for _ in 0..3_000 {
        let mut out = Vec::new();
        assert!(random.plan(&request(0, 1, Operation::Read), &RankFleet, &mut out));
        hits[out[0].device as usize] += 1;
    }
    assert!(hits.iter().all(|hits| (900..1_100).contains(hits)), "{hits:?}");
}

#[test]
fn a_read_modify_write_has_four_accesses_and_a_full_stripe_no_read() {
    let mut volume =
        volume(parity(1, Rotation::LeftSymmetric, (8, 8)), &[800; 5]).expect("it makes sense");
    let mut commands = |lba, sectors| {
        let mut out = Vec::new();
        assert!(volume.plan(&request(lba, sectors, Operation::Write), &RankFleet, &mut out));
        let kind =
            |piece: &Piece| (piece.device, piece.operation == Operation::Read, piece.rewrite);
        out.iter().map(kind).collect::<Vec<_>>()
    };
    assert_eq!(commands(0, 8), [(0, true, true), (4, true, false), (4, false, false)]);
    // Over the border of two units: parity of either part, not of what lies between.
    assert_eq!(commands(6, 4).len(), 6);
    let full = commands(0, 32);
    assert_eq!(full.len(), 5);
    assert!(full.iter().all(|(_, read, _)| !read));
    // All but one: what stays is read, then four are written.
    let most = commands(0, 24);
    assert_eq!(most.iter().filter(|(_, read, _)| *read).count(), 1);
    assert_eq!(most.len(), 5);
    // Rows that follow each other on a device are one command.
    assert_eq!(commands(0, 64).len(), 5);
}

#[test]
fn what_cannot_be_is_refused_with_what_would_be_right() {
    let refused = |layout, sectors: &[u64]| {
        volume(layout, sectors).expect_err("it makes no sense").to_string()
    };
    let stripe = |unit_sectors| LayoutOptions::Stripe { unit_sectors };
    let five = |units| parity(1, Rotation::Fixed, units);
    assert!(refused(stripe(0), &[100; 2]).contains("from 1 to 100"));
    assert!(refused(stripe(101), &[100; 2]).contains("from 1 to 100"));
    assert!(refused(stripe(8), &[100, 90]).contains("10 sectors would be lost"));
    assert!(refused(stripe(8), &[]).contains("1 or more"));
    assert!(refused(five((8, 8)), &[100; 2]).contains("3 or more"));
    assert!(refused(parity(2, Rotation::Fixed, (8, 8)), &[100; 3]).contains("4 or more"));
    assert!(refused(five((8, 12)), &[100; 3]).contains("a multiple of the stripe unit, 8"));
    assert!(refused(mirror(2, None, ReadChoice::Primary), &[100; 3]).contains("multiple"));
    let twice = VolumeOptions {
        layout: stripe(8),
        devices: vec![0, 0],
        accept_uneven: false,
        rebuild: None,
    };
    let devices = [Capacity { sectors: 100, sector_bytes: 512 }; 2];
    let error = |options: &VolumeOptions| {
        Volume::new(options, &devices, 0, 0).expect_err("it makes no sense").to_string()
    };
    assert!(error(&twice).contains("twice"));
    assert!(error(&VolumeOptions { devices: vec![0, 5], ..twice.clone() }).contains("no device 5"));
    let rebuild = Some(RebuildOptions {
        spares: vec![1],
        rate: RebuildRate::Unlimited,
        chunk_sectors: 64,
        delay: Span::ZERO,
    });
    assert!(
        error(&VolumeOptions { devices: vec![0], rebuild, ..twice }).contains("without copies")
    );
}

/// The commands of a write as text, one letter each for reading and writing.
fn commands(layout: LayoutOptions, lba: u64, sectors: u32) -> Vec<String> {
    let mut volume = volume(layout, &[1_024; 4]).expect("it makes sense");
    let mut out = Vec::new();
    assert!(volume.plan(&request(lba, sectors, Operation::Write), &RankFleet, &mut out));
    let text = |piece: &Piece| {
        let kind = if piece.rewrite { "rw" } else { ["r", "w"][piece.operation.index()] };
        format!("{kind} {} {}+{}", piece.device, piece.lba, piece.sectors)
    };
    out.iter().map(text).collect()
}

#[test]
fn data_and_parity_that_touch_are_one_command() {
    let layout = parity(1, Rotation::LeftSymmetric, (16, 16));
    // The last unit of the first row and the first of the second: devices 2 and 3 have both, one data
    // and the other parity.
    assert_eq!(commands(layout, 46, 4), ["r 3 14+4", "w 3 14+4", "r 2 14+4", "w 2 14+4"]);
}

#[test]
fn units_that_count_as_whole_are_not_read_where_they_are_written_in_part() {
    let by_units = |unit, share| {
        let LayoutOptions::Parity(options) = parity(1, Rotation::Fixed, (unit, unit)) else {
            unreachable!("it is one of parity")
        };
        LayoutOptions::Parity(ParityOptions {
            update: ParityUpdate::ModifyUpTo { share },
            ..options
        })
    };
    // All three units of a row in part: no read.
    assert_eq!(
        commands(by_units(16, 0.5), 13, 32),
        ["w 0 13+3", "w 1 0+16", "w 2 0+13", "w 3 0+16"]
    );
    // Two of them, reconstructed: the third is read, between the ends in a short unit.
    assert_eq!(commands(by_units(16, 0.0), 14, 4), ["r 2 0+16", "w 0 14+2", "w 1 0+2", "w 3 0+16"]);
    // Little of the row: modified, parity by one command in a short unit and by two in a long one.
    assert_eq!(
        commands(by_units(16, 0.5), 14, 4),
        ["rw 0 14+2", "rw 1 0+2", "r 3 0+16", "w 3 0+16"]
    );
    assert_eq!(
        commands(by_units(128, 0.5), 126, 4),
        ["rw 0 126+2", "rw 1 0+2", "r 3 126+2", "r 3 0+2", "w 3 126+2", "w 3 0+2"]
    );
}

fn layouts() -> impl Strategy<Value = (LayoutOptions, usize)> {
    let rotations = prop::sample::select(vec![
        Rotation::Fixed,
        Rotation::LeftSymmetric,
        Rotation::LeftAsymmetric,
        Rotation::RightAsymmetric,
        Rotation::RightSymmetric,
    ]);
    let units = prop::sample::select(vec![(1, 1), (3, 3), (2, 6), (6, 2), (4, 1)]);
    prop_oneof![
        (1..5_usize).prop_map(|devices| (LayoutOptions::Concat, devices)),
        (1..5_usize, 1..9_u32)
            .prop_map(|(devices, unit_sectors)| (LayoutOptions::Stripe { unit_sectors }, devices)),
        (1..4_usize, 2..4_u32, prop::option::of(1..9_u32)).prop_map(|(data, copies, unit)| {
            (mirror(copies, unit, ReadChoice::Primary), data * copies as usize)
        }),
        (1..=2_u32, rotations, units, 4..8_usize)
            .prop_map(|(parities, rotation, units, n)| (parity(parities, rotation, units), n)),
    ]
}

proptest! {
    #[test]
    fn every_sector_has_a_place_of_its_own((layout, devices) in layouts(), sectors in 90_u64..200) {
        let mut volume = volume(layout, &vec![sectors; devices]).expect("it makes sense");
        let all = volume.sectors();
        let places = places(&mut volume, all);
        prop_assert!(places.iter().all(|&(device, at)| (device as usize) < devices && at < sectors));
        prop_assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), places.len());
    }

    #[test]
    fn a_long_read_is_the_sum_of_its_sectors(
        (layout, devices) in layouts(),
        from in 0_u64..60,
        sectors in 1_u32..30,
    ) {
        let mut volume = volume(layout, &vec![100; devices]).expect("it makes sense");
        let all = places(&mut volume, from + u64::from(sectors));
        let singly: BTreeSet<_> = all[from as usize..].iter().copied().collect();
        let mut out = Vec::new();
        prop_assert!(volume.plan(&request(from, sectors, Operation::Read), &RankFleet, &mut out));
        let each = |piece: &Piece| {
            let device = piece.device;
            (piece.lba..piece.lba + u64::from(piece.sectors)).map(move |lba| (device, lba))
        };
        let together: Vec<_> = out.iter().flat_map(each).collect();
        prop_assert_eq!(together.len(), sectors as usize);
        prop_assert_eq!(together.into_iter().collect::<BTreeSet<_>>(), singly);
    }

    #[test]
    fn a_mirror_writes_every_copy_that_is_there(
        copies in 2..4_u32,
        unit in prop::option::of(1..9_u32),
        dead in 0..6_u32,
        from in 0_u64..100,
    ) {
        let devices = copies * 2;
        let layout = mirror(copies, unit, ReadChoice::ShortestSeek);
        let mut volume = volume(layout, &vec![90; devices as usize]).expect("it makes sense");
        volume.fail(dead, Stamp::ZERO);
        let mut out = Vec::new();
        prop_assert!(volume.plan(&request(from, 7, Operation::Write), &RankFleet, &mut out));
        prop_assert!(out.iter().all(|piece| piece.device != dead));
        let written: u32 = out.iter().map(|piece| piece.sectors).sum();
        let touched = u32::from(out.iter().any(|piece| piece.device / copies == dead / copies));
        if dead < devices && touched > 0 {
            prop_assert!(written < 7 * copies && written >= 7 * (copies - 1));
        } else {
            prop_assert_eq!(written, 7 * copies);
        }
    }
}
