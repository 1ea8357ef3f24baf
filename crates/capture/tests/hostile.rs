//! Raw captures that are not what they should be.

use std::fs;
use std::path::{Path, PathBuf};

use platterlab_capture::convert;
use proptest::prelude::*;

const PAGE_BYTES: usize = 4096;
const WAKING: &str = "name: sched_waking\nID: 7\nformat:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
const SNAPSHOT: &str = r#"{
    "header": {
        "origin": "captured", "title": "a test",
        "machine": {"cpus": 1, "memory_pages": 9, "page_bytes": 4096, "system": "", "clock": ""},
        "cache": {"read_ahead_pages": 1, "dirty_background_percent": 1, "dirty_percent": 2},
        "syncer": {"interval_ms": 1, "expire_ms": 1},
        "device": {"sectors": 99, "sector_bytes": 512, "scheduler": "", "max_request_sectors": 8,
                   "file_system": ""}
    },
    "root_pid": 5, "architecture": "x86_64", "devices": [1], "file_system_device": 1,
    "partition_start": 0, "block_bytes": 4096, "kernel_threads": {}, "names": false,
    "accounts": {"scheduler_ns": 0, "device_requests": 0, "lost_events": 0}
}"#;

/// A page that begins at `ns` and holds one event: task 5 wakes task 6.
fn page(ns: u64, kind: u16) -> Vec<u8> {
    let mut page = Vec::new();
    page.extend(ns.to_le_bytes());
    page.extend(16_u64.to_le_bytes());
    page.extend((3_u32 | 1 << 5).to_le_bytes());
    page.extend(kind.to_le_bytes());
    page.extend([0, 0]);
    page.extend(5_i32.to_le_bytes());
    page.extend(6_i32.to_le_bytes());
    page.resize(PAGE_BYTES, 0);
    page
}

struct Raw(PathBuf);

impl Raw {
    fn new(name: &str, pages: &[u8]) -> Self {
        let place = std::env::temp_dir().join(format!("platterlab-{name}-{}", std::process::id()));
        fs::create_dir_all(place.join("formats")).expect("a folder");
        fs::write(place.join("formats/sched.sched_waking"), WAKING).expect("a file");
        fs::write(place.join("snapshot.json"), SNAPSHOT).expect("a file");
        fs::write(place.join("system.cpu0"), pages).expect("a file");
        Self(place)
    }

    fn error(&self) -> String {
        let made = convert(&self.0, PAGE_BYTES, &self.0.join("out"));
        let error = made.expect_err("it is broken").to_string();
        error.replace(&format!("{}/", self.0.display()), "")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_capture_that_is_whole_becomes_a_flow() {
    let raw = Raw::new("whole", &[page(1_000, 7), page(2_000, 7)].concat());
    let summary = convert(&raw.0, PAGE_BYTES, &raw.0.join("out")).unwrap();
    assert_eq!((summary.trace_events, summary.cut_processes), (2, 1));
    assert!(Path::new(&raw.0.join("out")).is_file());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let raw = Raw::new("short", &page(1_000, 7)[..900]);
    assert_eq!(raw.error(), "system.cpu0: page 0 is cut short: 900 of 4096 bytes are there");

    let raw = Raw::new("back", &[page(5_000, 7), page(2_000, 7)].concat());
    let back = "system.cpu0: page 1: the clock goes backwards, 2000 ns after 5001 ns";
    assert_eq!(raw.error(), back);

    let mut lost = page(1_000, 7);
    lost[11] |= 0x80;
    let raw = Raw::new("lost", &lost);
    let message = "system.cpu0: events before page 0 were lost; take a larger buffer";
    assert_eq!(raw.error(), message);

    let raw = Raw::new("kind", &page(1_000, 8));
    assert!(raw.error().ends_with("an event of kind 8, of which the capture has no format"));

    let raw = Raw::new("kernel", &page(1_000, 7));
    raw.write("formats/sched.sched_waking", &WAKING.replace("pid_t pid", "pid_t tid"));
    assert_eq!(
        raw.error(),
        "formats/sched.sched_waking: sched_waking has no field `pid`: the trace is of a kernel \
         not known here"
    );

    let raw = Raw::new("dropped", &page(1_000, 7));
    raw.write("snapshot.json", &SNAPSHOT.replace("\"lost_events\": 0", "\"lost_events\": 3"));
    assert!(raw.error().ends_with("3 events were lost; take a larger buffer"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_page_makes_it_panic(flips in prop::collection::vec((0_usize..80, any::<u8>()), 1..12)) {
        let mut pages = [page(1_000, 7), page(2_000, 7)].concat();
        for (place, byte) in flips {
            pages[place] = byte;
        }
        let raw = Raw::new("fuzz", &pages);
        let _ = convert(&raw.0, PAGE_BYTES, &raw.0.join("out"));
    }
}
