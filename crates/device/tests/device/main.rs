//! Tests of devices of every kind, in one program: of those that start no other processes.
#![allow(clippy::unwrap_used)] // a test fails where it unwraps nothing

#[path = "../common/mod.rs"]
mod common;

mod conformance;
mod faulty;
#[cfg(target_os = "linux")]
mod in_flight;
#[cfg(target_os = "linux")]
mod linux_files;
mod mock;
mod recorded;
#[cfg(target_os = "linux")]
mod refusals;
#[cfg(target_os = "linux")]
mod vanishing;
