//! Any bytes as Parquet are records or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_fuzz::read_all;
use platterlab_workload::trace::Format;

fuzz_target!(|bytes: &[u8]| read_all(bytes, Format::RowsParquet));
