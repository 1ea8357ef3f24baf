//! Which line makes room. One file per policy behind one contract.

/// A replacement policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Replacement {
    /// The one that came first.
    Fifo,
    /// The one that came last.
    Lifo,
    /// Any.
    Random,
    /// The one not used for longest.
    Lru,
    /// Segmented LRU: a line moves up a segment with each use, and back when that is full (Karedla
    /// et al. 1994). The shares of the segments, from the lowest; they add up to 1.
    SegmentedLru(Vec<f64>),
    /// Adaptive replacement: lines used once and lines used again, in shares that follow the
    /// misses (Megiddo–Modha 2003).
    Arc,
}
