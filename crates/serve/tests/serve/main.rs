//! Tests of a drive that is served, in one program: the protocol, faults, a whole server.

mod faults;
mod handshake;
mod messages;
#[cfg(all(target_os = "linux", feature = "ublk"))]
mod ublk;
