//! Any bytes as a table with named columns are records or an error; the first line is the mapping.

#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_fuzz::read_table;

fuzz_target!(|bytes: &[u8]| read_table(bytes));
