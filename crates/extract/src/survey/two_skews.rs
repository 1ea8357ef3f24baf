//! Two skews that come in turn: which of them is that within a cylinder of two surfaces, or within a pass of two
//! cylinders. Both are as frequent, and either movement may be the quicker one.

use super::orders::Order;
use super::pattern::PatternSearch;
use crate::Estimate;

/// Which of the two is that within.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Within {
    /// The shorter one; so it is said, too, where skews do not come in twos.
    #[default]
    Shorter,
    Longer,
    /// Orders are left by which it is the one, and others by which it is the other.
    Open,
}

impl Within {
    /// Puts what is of the skew within first, of what is of the shorter one and of the longer one.
    pub(crate) fn settle(self, shorter: &mut Estimate, longer: &mut Estimate) {
        const WHY: &str = "which of two skews in turn is that from head to head is not known";
        match self {
            Self::Shorter => {}
            Self::Longer => std::mem::swap(shorter, longer),
            Self::Open => [shorter, longer].into_iter().for_each(|it| it.doubt(WHY)),
        }
    }
}

/// What the orders that are left say of it.
pub(super) fn within(pattern: &PatternSearch, orders: &[Order]) -> Within {
    let Some(cycle) = pattern.short_cycle().filter(|cycle| cycle.period == 2) else {
        return Within::Shorter;
    };
    let begins = |track: u64| orders.iter().any(|order| order.is_first_of_two(track));
    match (begins(cycle.first), begins(cycle.first + 1)) {
        (_, false) => Within::Shorter,
        (false, true) => Within::Longer,
        (true, true) => Within::Open,
    }
}
