//! Tests of the readers and writers of traces, in one program.

#[path = "../common/mod.rs"]
mod common;

mod convert;
mod hostile;
mod open;
mod parquet;
mod real_data;
