//! Any text as the index of a DiskSim layout is a drive or an error; a drive can be written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_disksim::drive::{DriveImportOptions, import};
use platterlab_disksim::export::export;

const MODEL: &str = include_str!("../../crates/disksim/tests/files/index.model");

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut resolver = |name: &str| {
        Ok(if name == "index.model" { MODEL.to_owned() } else { text.clone().into_owned() })
    };
    let options = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
    if let Ok(imported) = import("index.model", &mut resolver, &options) {
        let _ = export(&imported.profile, "fuzz");
    }
});
