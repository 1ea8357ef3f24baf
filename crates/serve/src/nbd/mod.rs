//! The NBD protocol, fixed newstyle: its numbers, what a client says, and what is answered.
//!
//! Bytes in, bytes out: no socket, no clock. `handshake` agrees on the export, `request` reads what
//! is asked of it, `reply` writes the answers. The specification is `doc/proto.md` of the NBD project.

mod handshake;
pub mod numbers;
mod reply;
mod request;

pub use handshake::{Agreed, Export, Handshake, Step};
pub use numbers::MAX_BYTES;
pub use reply::Replies;
pub(crate) use request::check;
pub use request::{Command, Fatal, HEADER_BYTES, Parsed, Request, parse};
