//! What policies of place compare.

/// What policies of place compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// First sectors.
    Lba,
    /// Cylinders of first sectors.
    Cylinder,
}
