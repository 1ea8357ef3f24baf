//! The nearest known word to an unknown one, for messages.

/// The candidate closest to `word` in edit distance, if any is close enough to be a likely slip.
///
/// Used by every message that meets an unknown name: "did you mean ...?".
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 2).max(2);
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// What an unknown word may have been, as the end of a message.
#[must_use]
pub fn meant(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", candidates.join(", ")),
    }
}

/// Levenshtein distance, in characters, ignoring case.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        let words = ["speed_rpm", "surfaces", "seek"];
        assert_eq!(nearest("speed_rmp", words), Some("speed_rpm"));
        assert_eq!(nearest("Surface", words), Some("surfaces"));
        assert_eq!(nearest("qqqqqqqq", words), None);
    }
}
