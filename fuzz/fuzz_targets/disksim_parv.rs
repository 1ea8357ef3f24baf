//! Any text is a DiskSim drive or an error, also where it draws in itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_disksim::drive::{DriveImportOptions, import};
use platterlab_disksim::export::export;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut resolver = |_: &str| Ok(text.clone().into_owned());
    let options = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
    if let Ok(imported) = import("fuzz.parv", &mut resolver, &options) {
        let _ = export(&imported.profile, "fuzz");
    }
});
