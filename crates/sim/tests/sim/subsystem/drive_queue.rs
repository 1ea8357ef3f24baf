//! The queue in a drive: when it chooses.

use super::build::{on_one_bus, open, options, record};
use platterlab_drive::{Drive, ReadAhead, WriteReport};
use platterlab_profile::Profile;
use platterlab_sim::drive::Model;
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::{System, SystemOptions};
use platterlab_units::{Operation, Span};
use platterlab_workload::Record;

/// Which comes first: of a read far away, there when a write is reported, and one near it that comes
/// 0.1 ms after that.
fn far_goes_first(reported: WriteReport, at_rest: bool) -> bool {
    let mut params = Profile::from_library("mock").expect("the library has it").params().clone();
    params.cache.write_report = reported;
    let drive = Drive::new(&params).expect("it makes sense");
    let write = |lba| {
        let mut write = record(0, lba, 8);
        write.operation = Operation::Write;
        write
    };
    let wrote_us = {
        let mut system = system(&drive, at_rest, vec![write(400_000)]);
        system.run().expect("there is nothing to go wrong");
        (system.take_rows().response_ms[0] * 1e3) as u64
    };
    let reads = [record(10, 10_000, 8), record(wrote_us + 100, 400_060, 8)];
    let mut system = system(&drive, at_rest, [vec![write(400_000)], reads.to_vec()].concat());
    system.run().expect("there is nothing to go wrong");
    let rows = system.take_rows();
    let done = |lba| {
        let at = rows.lba.iter().position(|&one| one == lba).expect("it was served");
        rows.arrival_ms[at] + rows.response_ms[at]
    };
    done(10_000) < done(400_060)
}

fn system(
    drive: &Drive,
    at_rest: bool,
    records: Vec<Record>,
) -> System<impl platterlab_sim::source::Source<Error = std::convert::Infallible>> {
    let mut options = options(vec![Model::Drive(Box::new(drive.clone()))], Scheduler::Fcfs);
    options.devices[0].queue = QueueOptions::of(Scheduler::SptfAtOnce);
    options.devices[0].choose_at_rest = at_rest;
    options.devices[0].depth = 4;
    System::new(SystemOptions { keep_rows: true, ..options }, open(records))
        .expect("it makes sense")
}

#[test]
fn what_comes_while_a_reported_write_is_written_is_chosen_from_too() {
    assert!(!far_goes_first(WriteReport::Buffer, true));
    // Without anything to write there is nothing to wait for.
    assert!(far_goes_first(WriteReport::Media, true));
    assert!(far_goes_first(WriteReport::Buffer, false), "it takes up what is there");
}

#[test]
fn who_knows_the_cache_as_disksim_does_lets_a_write_go_on() {
    let next = |cache_aware: bool| {
        let mut params = Profile::from_library("mock").expect("it has it").params().clone();
        params.cache.write_report = WriteReport::Buffer;
        let drive = Model::Drive(Box::new(Drive::new(&params).expect("it makes sense")));
        let policy = Scheduler::AgedSptf {
            weight: 0.0,
            cache_aware,
            with_transfer: false,
            from_last_sector: true,
            at_once: false,
        };
        // What was written waits for the media: the last sector that passed is of the first read, and
        // the second read is near that.
        let mut records = vec![record(0, 0, 8), record(50_000, 400_000, 8)];
        records.extend([record(50_001, 1_000, 8), record(50_002, 400_008, 8)]);
        for index in [1, 3] {
            records[index].operation = Operation::Write;
        }
        let options = options(vec![drive], policy);
        let options = SystemOptions { keep_rows: true, ..options };
        let mut system = System::new(options, open(records)).expect("it makes sense");
        system.run().expect("there is nothing to go wrong");
        system.take_rows().lba[2]
    };
    assert_eq!([next(true), next(false)], [400_008, 1_000]);
}

/// A drive looks after a write while that waits in it: 2 ms. The data, 0.8 ms on a bus that it shares,
/// comes when the bus is there all the same, and never together with another's.
#[test]
fn data_of_writes_that_waited_in_their_drives_goes_over_the_bus_one_after_the_other() {
    let mut params = Profile::from_library("mock").expect("the library has it").params().clone();
    params.controller.overhead = [[[Span::from_us(2_000); 2]; 2]; 2];
    params.controller.completion = [Span::ZERO; 2];
    (params.bus.read_sector, params.bus.write_sector) = (Span::from_us(100), Span::from_us(100));
    params.bus.hold_overhead = false;
    params.cache.write_report = WriteReport::Buffer;
    let drive = Drive::new(&params).expect("it makes sense");
    let models = (0..3).map(|_| Model::Drive(Box::new(drive.clone()))).collect();
    let mut options = options(models, Scheduler::Fcfs);
    on_one_bus(&mut options);
    options.devices.iter_mut().for_each(|device| device.depth = 4);
    let write = |number: u64| Record {
        operation: Operation::Write,
        device: (number % 3) as u32,
        ..record(0, 1_000 * number, 8)
    };
    let mut system = System::new(
        SystemOptions { keep_rows: true, ..options },
        open((0..24).map(write).collect()),
    )
    .expect("it makes sense");
    system.run().expect("there is nothing to go wrong");
    let rows = system.take_rows();
    let mut done: Vec<f64> =
        rows.arrival_ms.iter().zip(&rows.response_ms).map(|(from, took)| from + took).collect();
    done.sort_by(f64::total_cmp);
    for pair in done.windows(2) {
        assert!(pair[1] - pair[0] > 0.8 - 1e-6, "{done:?}");
    }
}

/// Three reads that the buffer holds come together to a drive whose controller, which has the bus while
/// it works, works for 2 ms on each; their data takes 0.8 ms.
#[test]
fn a_hit_whose_turn_comes_as_it_is_taken_in_has_the_bus_before_those_behind_it() {
    let mut params = Profile::from_library("mock").expect("the library has it").params().clone();
    params.controller.overhead = [[[Span::from_us(2_000); 2]; 2]; 2];
    params.controller.completion = [Span::ZERO; 2];
    params.bus.read_sector = Span::from_us(100);
    params.bus.hold_overhead = true;
    params.cache.buffer_sectors = Some(1_000);
    (params.cache.segments, params.cache.segment_sectors) = (1, 500);
    params.cache.read_ahead = ReadAhead::Track;
    let drive = Drive::new(&params).expect("it makes sense");
    let mut options = options(vec![Model::Drive(Box::new(drive))], Scheduler::Fcfs);
    on_one_bus(&mut options);
    (options.devices[0].depth, options.keep_rows) = (4, true);
    let hits = [8, 16, 24].map(|lba| record(200_000, lba, 8));
    let mut system = System::new(options, open([vec![record(0, 0, 8)], hits.to_vec()].concat()))
        .expect("it makes sense");
    system.run().expect("there is nothing to go wrong");
    let rows = system.take_rows();
    for (ms, wanted_ms) in rows.response_ms[1..].iter().zip([2.8, 5.6, 8.4]) {
        assert!((ms - wanted_ms).abs() < 1e-9, "{ms} {wanted_ms}");
    }
}
