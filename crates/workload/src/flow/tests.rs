//! Flows: what is written is read, contradictions are refused, and no bytes make the reader panic.

use std::path::Path;

use platterlab_units::{Operation, Span, Time};
use proptest::prelude::*;

use super::*;
use crate::Criticality;

fn header() -> FlowHeader {
    FlowHeader {
        origin: Origin::Generated,
        title: "a test".into(),
        machine: Machine {
            cpus: 1,
            memory_pages: 1_000,
            page_bytes: 4_096,
            system: "none".into(),
            clock: "none".into(),
        },
        cache: CacheSettings {
            read_ahead_pages: 1,
            dirty_background_percent: 10.0,
            dirty_percent: 20.0,
        },
        syncer: SyncerSettings { interval_ms: 1_000.0, expire_ms: 30_000.0 },
        device: DeviceFacts {
            sectors: 1 << 40,
            sector_bytes: 512,
            scheduler: "none".into(),
            max_request_sectors: 128,
            file_system: "none".into(),
        },
    }
}

fn process(id: u32, parent: Option<u32>) -> Item {
    Item::Process(Process { id, parent, name: None })
}

fn step(process: u32, event: Event) -> Item {
    Item::Step(Step { process, compute: Span::from_us(3), event })
}

fn written(items: &[Item]) -> Result<Vec<u8>, String> {
    let mut writer = FlowWriter::new(Vec::new(), &header()).map_err(|e| e.to_string())?;
    for (number, item) in items.iter().enumerate() {
        let at = Time::from_ps(number as u64 * 1_000_000);
        writer.write(&FlowRecord { at, item: item.clone() }).map_err(|error| error.to_string())?;
    }
    writer.finish(&FlowSummary::default()).map_err(|error| error.to_string())
}

fn read(bytes: Vec<u8>) -> Result<Vec<Item>, String> {
    let reader = FlowReader::from_bytes(Path::new("f"), bytes).map_err(|e| e.to_string())?;
    reader.map(|record| record.map(|record| record.item).map_err(|e| e.to_string())).collect()
}

fn plain(compressed: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(compressed), &mut out).unwrap();
    out
}

fn every_item() -> Vec<Item> {
    let us = |us: u64| Time::from_ps(us * 1_000_000);
    let mut items = vec![
        process(0, None),
        Item::Process(Process { id: 1, parent: Some(0), name: Some("child".into()) }),
        Item::Extent(Extent { file: 3, page: 7, pages: 9, lba: 1 << 33 }),
        Item::Resident { file: 3, page: 7, pages: 2 },
        step(0, Event::Fork { child: 1 }),
        step(0, Event::Wait { event: 5 }),
        Item::Observed(Observed {
            arrival: us(2),
            issue: us(3),
            completion: us(5),
            lba: 99,
            sectors: 8,
            operation: Operation::Write,
            cause: Cause::Journal,
            criticality: Criticality::Limited,
            process: Some(1),
            limit: Some(Span::ZERO),
            waited: Span::from_us(1),
        }),
        Item::Pause(Pause {
            process: 0,
            start: us(1),
            span: Span::from_us(2),
            kind: PauseKind::Storage,
        }),
    ];
    let events = [
        Event::SystemCall { number: 17 },
        Event::SystemReturn,
        Event::Trap,
        Event::TrapComplete,
        Event::Read { file: 3, page: 7, pages: 4 },
        Event::Write { file: 3, page: 1 << 40, pages: 1 },
        Event::Sync { file: 3 },
        Event::SyncAll,
        Event::Commit { sectors: 24 },
        Event::Flush,
        Event::Forget { file: 3, page: 0 },
        Event::ReadBlock { lba: 1 << 39, sectors: 16 },
        Event::WriteBlock { lba: 8, sectors: 8, mode: WriteMode::Asynchronous },
        Event::Sleep { span: Span::from_us(44) },
        Event::WakeUp { event: 5 },
        Event::Exit,
    ];
    items.extend(events.map(|event| step(1, event)));
    items.push(step(0, Event::Exit));
    items
}

#[test]
fn what_is_written_is_read() {
    let items = every_item();
    assert_eq!(read(written(&items).unwrap()), Ok(items));
}

#[test]
fn contradictions_are_refused_by_writer_and_reader_alike() {
    let exit = || step(0, Event::Exit);
    for (items, message) in [
        (vec![process(0, None)], "process 0 never ends"),
        (vec![process(0, None), process(1, Some(0)), exit()], "process 1 is never forked"),
        (vec![process(1, None)], "process 1 where process 0 is next"),
        (vec![process(0, None), exit(), exit()], "process 0 runs after its end"),
        (vec![exit()], "process 0 is not known here; there are 0"),
        (
            vec![process(0, None), step(0, Event::Wait { event: 8 }), exit()],
            "process 0 waits for event 8, which nothing wakes",
        ),
        (
            vec![Item::Extent(Extent { file: 0, page: 0, pages: 1, lba: 1 << 40 })],
            "8 sectors from 1099511627776 reach beyond the device's 1099511627776 sectors",
        ),
        (
            vec![process(0, None), process(1, Some(0)), step(1, Event::Exit)],
            "process 1 runs before it is forked",
        ),
    ] {
        assert_eq!(written(&items).unwrap_err(), message);
    }
}

#[test]
fn a_flow_that_is_cut_short_says_where() {
    let bytes = plain(&written(&every_item()).unwrap());
    let whole = bytes.len();
    let error = read(bytes[..whole - 1].to_vec()).unwrap_err();
    assert!(error.contains("the file ends within a block of records"), "{error}");
    let mut doubled = bytes.clone();
    doubled.push(0);
    assert!(read(doubled).unwrap_err().contains("bytes after the end record"));
    for cut in 0..whole {
        assert!(read(bytes[..cut].to_vec()).is_err(), "{cut} of {whole} bytes");
    }
    let mut newer = bytes;
    newer[8] = 9;
    let error = read(newer).unwrap_err();
    assert_eq!(error, "f, byte 8: is a process flow of version 9; this reads 1");
}

#[test]
fn a_clock_that_goes_back_is_refused() {
    let mut writer = FlowWriter::new(Vec::new(), &header()).unwrap();
    writer.write(&FlowRecord { at: Time::from_ps(2_000_000_000), item: process(0, None) }).unwrap();
    let late = FlowRecord { at: Time::from_ps(1_000_000_000), item: step(0, Event::Exit) };
    assert_eq!(
        writer.write(&late).unwrap_err().to_string(),
        "the clock goes backwards: 1 ms after 2 ms"
    );
}

#[test]
fn long_flows_pass_through_blocks() {
    let mut items = vec![process(0, None)];
    items.extend((0..40_000).map(|page| step(0, Event::Read { file: 1, page, pages: 1 })));
    items.push(step(0, Event::Exit));
    assert_eq!(read(written(&items).unwrap()), Ok(items));
}

#[test]
fn info_counts_what_is_there() {
    let bytes = written(&every_item()).unwrap();
    let mut reader = FlowReader::from_bytes(Path::new("f"), bytes).unwrap();
    let info = FlowInfo::of(&mut reader).unwrap();
    assert_eq!((info.processes, info.extents, info.resident_pages), (2, 1, 2));
    assert_eq!(info.steps["exit"], 2);
    assert_eq!(info.requests.requests, 1);
    assert_eq!(info.by_cause["journal"].limit_met_share, 0.0);
    assert!((info.by_class["time_limited"].response_mean_ms - 0.003).abs() < 1e-12);
    assert_eq!(info.pauses["storage"].count, 1);
}

#[test]
fn a_page_map_forgets_what_is_overwritten() {
    let mut map = PageMap::new(8);
    let run = |page, pages, lba| Extent { file: 1, page, pages, lba };
    map.insert(&run(0, 10, 1_000));
    map.insert(&run(10, 5, 1_080));
    assert_eq!(map.find(1, 3), Some((1_024, 12)));
    map.insert(&run(4, 2, 5_000));
    let places = [0, 4, 5, 6, 14].map(|page| map.find(1, page));
    let expected = [(1_000, 4), (5_000, 2), (5_008, 1), (1_048, 9), (1_112, 1)].map(Some);
    assert_eq!(places, expected);
    assert_eq!((map.find(1, 15), map.find(0, 0), map.find(2, 0)), (None, None, None));
}

/// A flow of requests of this many ns each, one recorded each 10 ns.
fn of_requests(times: &[u64]) -> Vec<u8> {
    let mut writer = FlowWriter::new(Vec::new(), &header()).unwrap();
    let ns = |ns: u64| Time::from_ps(ns * 1_000);
    writer.put(process(0, None)).unwrap();
    for (number, &time) in (0..).zip(times) {
        let completion = 10 * number + 1_000;
        let request = Observed {
            arrival: ns(completion - time),
            issue: ns(completion - time),
            completion: ns(completion),
            lba: number,
            sectors: 8,
            operation: Operation::Read,
            cause: Cause::DemandRead,
            criticality: Criticality::Critical,
            process: None,
            limit: None,
            waited: Span::ZERO,
        };
        writer.write(&FlowRecord { at: ns(completion), item: Item::Observed(request) }).unwrap();
    }
    let end = FlowRecord { at: ns(1_000_000), item: step(0, Event::Exit) };
    writer.write(&end).unwrap();
    writer.finish(&FlowSummary::default()).unwrap()
}

proptest! {
    #[test]
    fn arrivals_are_in_order_and_all_there(times in prop::collection::vec(0_u64..900, 1..80)) {
        let open = || FlowReader::from_bytes(Path::new("f"), of_requests(&times)).unwrap();
        let delay = FlowInfo::of(&mut open()).unwrap().delay;
        prop_assert_eq!(Some(&(delay.as_ps() / 1_000)), times.iter().max());
        let came: Vec<u64> = Arrivals::new(open(), delay).map(|one| one.unwrap().lba).collect();
        let mut expected: Vec<u64> = (0..times.len() as u64).collect();
        expected.sort_by_key(|number| 10 * number + 1_000 - times[*number as usize]);
        prop_assert_eq!(came, expected);
        if let Some(less) = delay.as_ps().checked_sub(1) {
            let last = Arrivals::new(open(), Span::from_ps(less)).last().unwrap();
            prop_assert!(last.unwrap_err().to_string().contains("the file has changed"));
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = plain(&written(&every_item()).unwrap());
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        if let Ok(mut reader) = FlowReader::from_bytes(Path::new("f"), bytes) {
            let _ = FlowInfo::of(&mut reader);
        }
    }
}
