//! Any bytes as a process flow are records or an error.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use platterlab_workload::flow::{FlowInfo, FlowReader};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut reader) = FlowReader::from_bytes(Path::new("fuzz"), bytes) {
        let _ = FlowInfo::of(&mut reader);
        assert!(reader.next().is_none(), "the first error ends a flow");
    }
});
