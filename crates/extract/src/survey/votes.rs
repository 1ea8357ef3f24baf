//! What looks at a place said of each track that may lie there: one late completion decides nothing.

/// What a look counts that chance hardly fakes: a late completion puts no sector on a line, and hides no jump.
const STRONG: i32 = 3;
/// What one counts that is as a late completion makes it: a sector that is off the line, a jump.
const WEAK: i32 = 2;
/// So much for something makes it certain: two looks that are strong, three that are weak.
const CERTAIN: i32 = 5;
/// So much against it excludes it.
const EXCLUDED: i32 = -6;

/// How sure it is that a track lies there, or all tracks of a filling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Excluded,
    Open,
    Certain,
}

impl Standing {
    /// Of the contrary.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Excluded => Self::Certain,
            Self::Open => Self::Open,
            Self::Certain => Self::Excluded,
        }
    }
}

/// Looks for and against something, by what they count.
#[derive(Clone, Copy, Debug, Default)]
struct Votes(i32);

impl Votes {
    fn add(&mut self, shown: Option<bool>, yes: i32, no: i32) {
        self.0 += shown.map_or(0, |shown| if shown { yes } else { -no });
    }

    fn standing(self) -> Standing {
        match self.0 {
            ..=EXCLUDED => Standing::Excluded,
            CERTAIN.. => Standing::Certain,
            _ => Standing::Open,
        }
    }
}

/// Whether a track is one line, and whether it ends with a jump.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrackVotes {
    line: Votes,
    end: Votes,
}

impl TrackVotes {
    /// Takes in what a look shows of either; what it does not show is no vote.
    pub(super) fn add(&mut self, line: Option<bool>, end: Option<bool>) {
        self.line.add(line, STRONG, WEAK);
        self.end.add(end, WEAK, STRONG);
    }

    /// Whether it is one line.
    pub(super) fn line(self) -> Standing {
        self.line.standing()
    }

    /// Whether it ends with a jump.
    pub(super) fn end(self) -> Standing {
        self.end.standing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_late_completion_makes_decides_nothing() {
        let standing = |looks: &[bool]| {
            let mut votes = TrackVotes::default();
            looks.iter().for_each(|look| votes.add(Some(*look), Some(*look)));
            [votes.line(), votes.end()]
        };
        let (open, certain, excluded) = (Standing::Open, Standing::Certain, Standing::Excluded);
        assert_eq!(standing(&[]), [open, open]);
        assert_eq!(standing(&[true]), [open, open]);
        assert_eq!(standing(&[true, true]), [certain, open]);
        assert_eq!(standing(&[true, true, true]), [certain, certain]);
        assert_eq!(standing(&[false]), [open, open]);
        assert_eq!(standing(&[false, false]), [open, excluded]);
        assert_eq!(standing(&[false, false, true]), [open, open]);
        assert_eq!(standing(&[false, false, false]), [excluded, excluded]);
        assert_eq!(standing(&[true, false, false, false]), [open, excluded]);
    }
}
