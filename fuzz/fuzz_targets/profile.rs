//! Any bytes are a profile or an error; a profile survives being written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platterlab_profile::Profile;

fuzz_target!(|bytes: &[u8]| {
    match Profile::from_bytes(bytes, "fuzz.toml") {
        Err(error) => assert!(error.line.is_some(), "{error}"),
        Ok(profile) => {
            let again = Profile::parse(&profile.to_toml(), "again.toml");
            let again = again.expect("what was written can be read");
            assert_eq!(again.values(), profile.values());
            assert_eq!(again.params(), profile.params());
        }
    }
});
