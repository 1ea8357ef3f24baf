//! Movements that take longer than others which go farther: what no arm does.

/// A movement with its time: the cylinders, whether the head is another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed {
    pub(crate) key: (u64, bool),
    pub(crate) time: f64,
    pub(crate) width: f64,
}

impl Keyed {
    fn least(&self) -> f64 {
        self.time - self.width
    }

    fn most(&self) -> f64 {
        self.time + self.width
    }
}

/// Whether the first movement takes too long for what the second takes: it is no longer, or it is
/// more times as long as it is further. An arm speeds up: no seek takes more than its share of a
/// shorter one.
fn contradict(one: &Keyed, other: &Keyed) -> bool {
    if one.key.0 <= other.key.0 {
        return one.key.1 <= other.key.1 && one.least() > other.most();
    }
    let share = one.key.0 as f64 / other.key.0 as f64;
    other.key.0 > 0 && !one.key.1 && one.least() > other.most() * share
}

/// The disjoint pairs of movements that contradict each other, up to so many, by their places.
pub(crate) fn broken(movements: &[Keyed], most: usize) -> Vec<(usize, usize)> {
    let quickest = Quickest::of(movements);
    let mut used = vec![false; movements.len()];
    let mut broken = Vec::new();
    for (index, one) in movements.iter().enumerate() {
        if used[index] || !quickest.may_contradict(one) {
            continue;
        }
        let mut others = movements.iter().enumerate();
        let other = others.position(|(number, other)| !used[number] && contradict(one, other));
        if let Some(other) = other {
            used[index] = true;
            used[other] = true;
            broken.push((index, other));
            if broken.len() == most {
                break;
            }
        }
    }
    broken
}

/// Two disjoint pairs of movements that contradict each other, by their places; none where one movement alone, which
/// may be disturbed, has part in all contradictions.
pub(crate) fn two_disjoint(movements: &[Keyed]) -> Option<[(usize, usize); 2]> {
    match broken(movements, 2)[..] {
        [one, other] => Some([one, other]),
        [(one, other)] => {
            // All other pairs have one of these two.
            let with = |of: usize, but: usize| {
                let (it, numbers) = (&movements[of], 0..movements.len());
                let odd = |other: &Keyed| contradict(it, other) || contradict(other, it);
                numbers.filter(move |number| *number != but && odd(&movements[*number]))
            };
            let of_one: Vec<usize> = with(one, other).take(2).collect();
            let mut pairs = with(other, one).flat_map(|b| of_one.iter().map(move |a| (*a, b)));
            let (a, b) = pairs.find(|(a, b)| a != b)?;
            Some([(one, a), (other, b)])
        }
        _ => None,
    }
}

/// By this share a movement is let pass that only rounding might make contradict another.
pub(super) const ROUNDING: f64 = 1e-9;

/// The quickest movements up to and from each distance: most movements contradict none of these, and
/// so no other.
pub(super) struct Quickest {
    cylinders: Vec<u64>,
    /// What the quickest of those takes that go as far or farther, of all and with another head.
    farther: [Vec<f64>; 2],
    /// What the quickest of those takes for a cylinder that go less far.
    nearer: Vec<f64>,
}

impl Quickest {
    pub(super) fn of(movements: &[Keyed]) -> Self {
        let mut sorted: Vec<&Keyed> = movements.iter().collect();
        sorted.sort_unstable_by_key(|it| it.key.0);
        let count = sorted.len();
        let mut farther = [vec![f64::INFINITY; count + 1], vec![f64::INFINITY; count + 1]];
        for (index, it) in sorted.iter().enumerate().rev() {
            let [all, heads] = &mut farther;
            all[index] = all[index + 1].min(it.most());
            heads[index] =
                if it.key.1 { heads[index + 1].min(it.most()) } else { heads[index + 1] };
        }
        let mut nearer = vec![f64::INFINITY; count + 1];
        for (index, it) in sorted.iter().enumerate() {
            let each = if it.key.0 > 0 { it.most() / it.key.0 as f64 } else { f64::INFINITY };
            nearer[index + 1] = nearer[index].min(each);
        }
        Self { cylinders: sorted.iter().map(|it| it.key.0).collect(), farther, nearer }
    }

    /// Whether a movement may contradict one of them; if not, it surely does not.
    fn may_contradict(&self, one: &Keyed) -> bool {
        self.may_contradict_with(self, one)
    }

    /// The same, where what `others` hold is that of those that go less far.
    pub(super) fn may_contradict_with(&self, others: &Self, one: &Keyed) -> bool {
        let (cylinders, least) = (one.key.0, one.least());
        let at = self.cylinders.partition_point(|it| *it < cylinders);
        let share = others.nearer[at] * cylinders as f64;
        let shorter = !one.key.1 && share < least + ROUNDING * least.abs();
        shorter || self.farther[usize::from(one.key.1)][at] < least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As [`broken`], every movement held against every other.
    fn all_pairs(movements: &[Keyed], most: usize) -> Vec<(usize, usize)> {
        let mut used = vec![false; movements.len()];
        let mut found = Vec::new();
        for one in 0..movements.len() {
            let free =
                |other: &usize| !used[*other] && contradict(&movements[one], &movements[*other]);
            if let (Some(other), false) = ((0..movements.len()).find(free), used[one])
                && found.len() < most
            {
                (used[one], used[other]) = (true, true);
                found.push((one, other));
            }
        }
        found
    }

    /// Whether there are two disjoint pairs, by all choices.
    fn any_two(movements: &[Keyed]) -> bool {
        let numbers = 0..movements.len();
        let odd = |one: usize, other: usize| contradict(&movements[one], &movements[other]);
        let pairs: Vec<(usize, usize)> = numbers
            .clone()
            .flat_map(|one| numbers.clone().map(move |other| (one, other)))
            .filter(|(one, other)| odd(*one, *other))
            .collect();
        pairs
            .iter()
            .any(|(a, b)| pairs.iter().any(|(c, d)| ![a, b].contains(&c) && ![a, b].contains(&d)))
    }

    proptest! {
        #[test]
        fn what_the_quickest_let_pass_contradicts_none(
            drawn in prop::collection::vec((0_u64..9, any::<bool>(), 1_u32..12, 0_u32..3), 0..40),
            most in 1_usize..6,
        ) {
            let keyed = |(cylinders, head, time, width)| Keyed {
                key: (cylinders, head),
                time: f64::from(time),
                width: f64::from(width),
            };
            let movements: Vec<Keyed> = drawn.into_iter().map(keyed).collect();
            prop_assert_eq!(broken(&movements, most), all_pairs(&movements, most));
            prop_assert_eq!(two_disjoint(&movements).is_some(), any_two(&movements));
        }
    }
}
