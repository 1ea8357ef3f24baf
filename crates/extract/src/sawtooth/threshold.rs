//! The threshold at which noisy yes-or-no answers change.

/// Where a sequence of yes and no turns from mostly no to mostly yes.
///
/// `answers` are (place, yes), in any order. Returns the largest place before and the smallest
/// after the turn that contradicts the fewest answers; `None` if one side is empty or more than a
/// twentieth contradicts.
pub(crate) fn turning_point(answers: &[(f64, bool)]) -> Option<(f64, f64)> {
    let mut sorted = answers.to_vec();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut wrong = sorted.iter().filter(|(_, yes)| !yes).count();
    let mut best = (wrong, 0);
    for (index, (at, yes)) in sorted.iter().enumerate() {
        if *yes {
            wrong += 1;
        } else {
            wrong -= 1;
        }
        // What was asked more than once is on one side.
        let last = sorted.get(index + 1).is_none_or(|(next, _)| next > at);
        if last && wrong < best.0 {
            best = (wrong, index + 1);
        }
    }
    let (wrong, split) = best;
    let before = sorted[..split].iter().rev().find(|(_, yes)| !yes)?;
    let after = sorted[split..].iter().find(|(_, yes)| *yes)?;
    (wrong * 20 <= sorted.len()).then_some((before.0, after.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lie_does_not_move_it() {
        let mut answers: Vec<(f64, bool)> = (0..60).map(|i| (f64::from(i), i >= 37)).collect();
        assert_eq!(turning_point(&answers), Some((36.0, 37.0)));
        answers[50].1 = false;
        answers[3].1 = true;
        assert_eq!(turning_point(&answers), Some((36.0, 37.0)));
        assert_eq!(turning_point(&answers[40..]), None);
        assert_eq!(turning_point(&[]), None);
    }

    #[test]
    fn answers_to_one_question_are_on_one_side() {
        let mut answers: Vec<(f64, bool)> = (0..30).map(|i| (f64::from(i / 3), i >= 3)).collect();
        answers[1].1 = true;
        assert_eq!(turning_point(&answers), Some((0.0, 1.0)));
    }
}
