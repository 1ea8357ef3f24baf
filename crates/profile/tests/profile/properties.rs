//! Whatever is in a file, reading it gives a profile or an error; a profile survives being written.

use crate::common::SMALL;
use platterlab_profile::{LIBRARY, Profile};
use proptest::prelude::*;
use toml::Value;

fn library(id: &str) -> Profile {
    Profile::from_library(id).expect("the library is sound")
}

fn round_trip(profile: &Profile) {
    let text = profile.to_toml();
    let again = Profile::parse(&text, "again.toml").expect("what was written can be read");
    assert_eq!(again.options(), profile.options());
    assert_eq!(again.params(), profile.params());
    assert_eq!(again.values(), profile.values());
    assert_eq!(again.to_toml(), text);
}

#[test]
fn the_library_survives_being_written() {
    for file in LIBRARY {
        round_trip(&library(file.id));
    }
}

/// Keys to override, real and not.
fn key() -> impl Strategy<Value = String> {
    let known: Vec<String> =
        LIBRARY.iter().flat_map(|file| library(file.id).values()).map(|value| value.key).collect();
    prop_oneof![4 => proptest::sample::select(known), 1 => "[a-z_.\\[\\]0-9]{0,20}"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::from),
        (0i64..100).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        proptest::sample::select(vec!["off", "none", "track", "64k", "constant", "rate", "table"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        proptest::collection::vec(inner, 0..4).prop_map(Value::from)
    })
}

proptest! {
    #[test]
    fn any_bytes_give_a_profile_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Profile::from_bytes(&bytes, "p.toml").map_err(|error| error.to_string());
    }

    #[test]
    fn a_damaged_profile_gives_a_profile_or_an_error(
        at in 0..SMALL.len(),
        length in 0usize..12,
        patch in "[a-z0-9_=.\\[\\]{}\"\n -]{0,12}",
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        bytes.splice(at..(at + length).min(SMALL.len()), patch.into_bytes());
        match Profile::from_bytes(&bytes, "p.toml") {
            Ok(profile) => round_trip(&profile),
            Err(error) => prop_assert!(error.line.is_some(), "{error}"),
        }
    }

    #[test]
    fn any_overrides_give_a_profile_or_an_error(
        overrides in proptest::collection::vec((key(), value()), 1..4)
    ) {
        let profile = Profile::parse(SMALL, "p.toml").unwrap();
        match profile.with_overrides(&overrides) {
            Ok(profile) => round_trip(&profile),
            Err(error) => prop_assert!(error.to_string().starts_with("p.toml with overrides, ")),
        }
    }
}
