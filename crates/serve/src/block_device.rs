//! The drive as a block device of this kernel: by ublk where that is built in, and not at all elsewhere.

#[cfg(feature = "ublk")]
pub(crate) use crate::ublk::{BlockDevice, may_be};
#[cfg(not(feature = "ublk"))]
pub(crate) use crate::without_ublk::{NoDevice as BlockDevice, may_be};
