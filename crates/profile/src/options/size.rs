//! Sizes in bytes as files have them, such as `128k`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The name under which the schema knows sizes.
pub(crate) const SIZE_FORMAT: &str = "size";

/// A number of bytes: written as a whole number, or as text with k, M, G or T (powers of 1024).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

impl Size {
    /// A number of bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SizeVisitor;

        impl Visitor<'_> for SizeVisitor {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a size in bytes")
            }

            fn visit_i64<E: Error>(self, bytes: i64) -> Result<Size, E> {
                u64::try_from(bytes)
                    .map(Size)
                    .map_err(|_| E::invalid_value(Unexpected::Signed(bytes), &self))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Size, E> {
                platterlab_units::parse_size(text).map(Size).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(SizeVisitor)
    }
}

impl JsonSchema for Size {
    fn schema_name() -> Cow<'static, str> {
        "Size".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["integer", "string"],
            "format": SIZE_FORMAT,
            "minimum": 0,
            "pattern": "^[0-9]+[kKmMgGtT]?$",
        })
    }
}
