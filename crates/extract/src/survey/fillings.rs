//! Tracks that can fill a place between two stretches of alike ones.

/// Tracks between two stretches that are tried.
const MOST_TRACKS: usize = 80;

/// Tracks that can fill a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Filling {
    pub(super) lengths: Vec<u64>,
    /// How many come before those of the inner length: their end is told by what fits behind it, and
    /// need not show in a jump, as the angle of a zone's first track may be any.
    pub(super) outer: Option<usize>,
}

/// Ways to fill so many sectors: with tracks of the outer cycle, one other or none, and tracks of
/// the inner one.
pub(super) fn fillings(sectors: u64, outer: &[u64], inner: &[u64]) -> Vec<Filling> {
    let longest = outer.iter().chain(inner).copied().max().unwrap_or(0);
    let mut found: Vec<Filling> = Vec::new();
    let mut filling: Vec<u64> = Vec::new();
    let mut next = outer.iter().cycle();
    let mut rest = sectors;
    for _ in 0..=MOST_TRACKS {
        // As many of the inner ones as there is room for, or one less: the other is as long then.
        let mut behind: Vec<u64> = Vec::new();
        let mut left = rest;
        let mut inward = inner.iter().rev().cycle().take(MOST_TRACKS);
        loop {
            if left <= longest {
                let other = (left > 0).then_some(left);
                let tracks = filling.iter().copied().chain(other);
                let outer = Some(filling.len() + usize::from(other.is_some()));
                let lengths = tracks.chain(behind.iter().rev().copied()).collect();
                found.push(Filling { lengths, outer });
            }
            let Some(length) = inward.next().filter(|length| **length <= left) else { break };
            left -= length;
            behind.push(*length);
        }
        match next.next().filter(|length| **length <= rest) {
            Some(length) => {
                rest -= length;
                filling.push(*length);
            }
            None => break,
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_is_filled_from_either_side() {
        let lengths = |sectors, outer: &[u64], inner: &[u64]| -> Vec<Vec<u64>> {
            let found = fillings(sectors, outer, inner).into_iter();
            let mut lengths: Vec<Vec<u64>> = found.map(|filling| filling.lengths).collect();
            lengths.dedup();
            lengths
        };
        assert_eq!(lengths(229, &[117], &[112]), [vec![5, 112, 112], vec![117, 112]]);
        let whole = Filling { lengths: vec![157], outer: Some(1) };
        assert!(fillings(157, &[157], &[150]).contains(&whole));
        assert!(lengths(453, &[153], &[150]).contains(&vec![153, 150, 150]));
        assert!(lengths(159, &[167], &[164]).contains(&vec![159]));
        assert!(fillings(10, &[], &[]).is_empty());
        // Spares shorten the last of the outer ones by a few sectors.
        assert!(lengths(3_288, &[1_654], &[1_641]).contains(&vec![1_647, 1_641]));
    }
}
