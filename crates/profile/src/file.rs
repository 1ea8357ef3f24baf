//! What every TOML file of the project is checked with: a schema made from the structs that are its
//! format, and errors that name file, line and key.

pub use crate::document::Document;
pub use crate::error::Fault;
pub use crate::key::{KeyPath, Step};
pub use crate::overrides::set;
pub use crate::schema::schema_of;
pub use crate::shape::check;
