//! A leap over many tracks of lengths that recur: where it lands, and what is looked at on the way.

/// The first sector of the last of `cycles` cycles' tracks from a sector on, and of the one behind it.
pub(super) fn landing(lengths: &[u64], at: u64, cycles: u64) -> (u64, u64) {
    let to = at + cycles * lengths.iter().sum::<u64>();
    (to - lengths.last().copied().unwrap_or(0), to)
}

/// Some tracks that it passes over: first sector and end.
pub(super) fn between(lengths: &[u64], at: u64, cycles: u64) -> Vec<(u64, u64)> {
    let (sum, first) = (lengths.iter().sum::<u64>(), lengths.first().copied().unwrap_or(0));
    let quarters = if cycles < 4 { 0..0 } else { 1..4 };
    quarters.map(|part| at + cycles * part / 4 * sum).map(|at| (at, at + first)).collect()
}

/// Sectors by which a leap is told, in any order.
pub(super) fn lbas(lengths: &[u64], at: u64, cycles: u64, unit: u64) -> Vec<u64> {
    let (last, to) = landing(lengths, at, cycles);
    let between = between(lengths, at, cycles).into_iter();
    let ends = between.flat_map(|(first, next)| [first, next - unit]);
    ends.chain([to, to - unit, last, last - unit]).collect()
}
