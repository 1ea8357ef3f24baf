//! Computers over storage: small flows whose times can be worked out by hand.

#[path = "host/build.rs"]
mod build;
#[path = "host/cpus.rs"]
mod cpus;
#[path = "host/reading.rs"]
mod reading;
#[path = "host/waiting.rs"]
mod waiting;
#[path = "host/writing.rs"]
mod writing;
