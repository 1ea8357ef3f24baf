//! Devices and scratch space for this crate's tests.
#![allow(dead_code, missing_docs, unreachable_pub)] // each program of tests uses a part of it

pub mod mock;
pub mod recorded;
pub mod recorder;
pub mod scratch;

use platterlab_drive::Drive;
use platterlab_profile::Profile;

/// The library's mock disk.
pub fn drive() -> Drive {
    let profile = Profile::from_library("mock").expect("the library has it");
    Drive::new(profile.params()).expect("the library's drives make sense")
}
