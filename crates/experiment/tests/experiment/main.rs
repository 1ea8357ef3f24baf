//! Tests of experiments, in one program.

mod errors;
mod every_kind;
mod flows;
mod memory;
mod runs;
mod sectors;
mod years;
