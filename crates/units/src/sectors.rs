/// The largest logical block address any reader or drive accepts: 2^63 - 1.
///
/// One bit is kept free so that the difference of two addresses fits a signed 64-bit integer.
pub const MAX_LBA: u64 = i64::MAX as u64;

/// Bytes per sector where a trace format or profile does not say otherwise.
pub const SECTOR_BYTES_DEFAULT: u32 = 512;
