//! Computers over storage: small flows whose times can be worked out by hand.

mod build;
mod cpus;
mod reading;
mod waiting;
mod writing;
