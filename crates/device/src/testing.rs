//! Helpers that this crate's unit tests share.

use platterlab_drive::Drive;
use platterlab_profile::Profile;

/// The library's mock disk, for this crate's tests.
pub(crate) fn drive() -> Drive {
    let profile = Profile::from_library("mock").expect("the library has it");
    Drive::new(profile.params()).expect("the library's drives make sense")
}
