//! The movements that are wanted, and why.

/// Why a movement is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// For the seek profile: so many tracks away.
    Profile(u64),
    /// Within a short cycle of tracks, or to the next one: so many tracks on.
    Cycle(u64),
    /// From the middle of a pass to the middle of another.
    Middles(usize, usize),
    /// From the middle of a pass a quarter of its width on.
    Quarter(usize),
    /// From a quarter of a pass to a quarter of the next.
    Same(usize),
    /// From a quarter of a pass to three quarters of the next.
    Mirrored(usize),
}

/// A movement that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) why: Why,
    pub(super) from: u64,
    pub(super) to: u64,
}
