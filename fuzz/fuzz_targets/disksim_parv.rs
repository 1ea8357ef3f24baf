//! Any text is a DiskSim drive or an error, also where it draws in itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_profile::disksim::{ImportOptions, export, import};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut resolver = |_: &str| Ok(text.clone().into_owned());
    let options = ImportOptions { approximate: true, ..ImportOptions::default() };
    if let Ok(imported) = import("fuzz.parv", &mut resolver, &options) {
        let _ = export(&imported.profile, "fuzz");
    }
});
