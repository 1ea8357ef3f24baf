//! What a survey tells of the arm.

/// A movement that a survey timed, by first sectors of its tracks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedMovement {
    pub(crate) from_lba: u64,
    pub(crate) to_lba: u64,
    pub(crate) time_ms: f64,
    pub(crate) width_ms: f64,
    /// What the sector takes at its end.
    pub(crate) sector_ms: f64,
}
