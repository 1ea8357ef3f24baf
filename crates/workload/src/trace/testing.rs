//! Shared by the unit tests of the readers.

use std::path::Path;

use super::Source;

/// A source named `t` over `bytes`.
pub(super) fn source(bytes: impl AsRef<[u8]>) -> Source {
    Source::from_bytes(Path::new("t"), bytes.as_ref()).unwrap()
}
