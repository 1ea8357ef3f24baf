//! A small profile for tests to edit.

/// Every line of it is a place where something can go wrong.
pub(crate) const SMALL: &str = r#"id = "small"
name = "Small"
[source]
kind = "measured"
from = "a test"
[geometry]
surfaces = 2
cylinders = 10
[[zone]]
cylinders = [0, 4]
sectors_per_track = 20
track_skew_sectors = 3
[[zone]]
cylinders = [5, 9]
sectors_per_track = 10
sparing = { kind = "track", sectors = 1 }
[spindle]
speed_rpm = 6000
[seek]
kind = "linear"
single_ms = 1
full_ms = 5.5
[cache]
buffer = "8k"
[provenance."spindle.speed_rpm"]
kind = "assumed"
from = "nothing"
"#;
