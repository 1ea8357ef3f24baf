//! Drives and systems for programs in C: the step interface of `platterlab-sim` behind a header.
//!
//! `ffi` has the functions that C calls and all that is unsafe; `handle` what they do, in safe Rust;
//! `include/platterlab.h` is made of both by `make docs`.

pub mod ffi;
pub mod handle;
