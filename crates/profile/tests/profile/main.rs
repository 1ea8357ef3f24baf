//! Tests of the profile file, in one program.

#[path = "../common/mod.rs"]
mod common;

mod align;
mod errors;
mod library;
mod overrides;
mod properties;
