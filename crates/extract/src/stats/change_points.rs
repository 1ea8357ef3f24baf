//! Change points of a sequence, by optimal partitioning (PELT).

/// Where a sequence changes its level: the first index of each new segment, rising.
///
/// Optimal partitioning with pruning (PELT; Killick et al. 2012) of the squared error: each change
/// has to save more than `penalty`, and no segment is shorter than `shortest`.
#[must_use]
pub fn change_points(values: &[f64], penalty: f64, shortest: usize) -> Vec<usize> {
    let shortest = shortest.max(1);
    let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
    let (mut sum, mut square) = (0.0, 0.0);
    for value in values {
        sum += value;
        square += value * value;
        sums.push(sum);
        squares.push(square);
    }
    let cost = |from: usize, to: usize| {
        let length = (to - from) as f64;
        let total: f64 = sums[to] - sums[from];
        (squares[to] - squares[from]) - total * total / length
    };
    let mut best = vec![f64::INFINITY; values.len() + 1];
    best[0] = -penalty;
    let mut last = vec![0; values.len() + 1];
    let mut candidates: Vec<usize> = vec![0];
    for end in shortest..=values.len() {
        if end >= 2 * shortest {
            candidates.push(end - shortest);
        }
        for &from in &candidates {
            let total = best[from] + cost(from, end) + penalty;
            if total < best[end] {
                (best[end], last[end]) = (total, from);
            }
        }
        let limit = best[end];
        candidates.retain(|&from| best[from] + cost(from, end) <= limit + penalty.abs());
    }
    let mut changes = Vec::new();
    let mut end = values.len();
    while end > 0 && last[end] > 0 {
        end = last[end];
        changes.push(end);
    }
    changes.reverse();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_and_noise_is_not() {
        let noise = |i: usize| ((i * 7919) % 13) as f64 / 13.0 - 0.5;
        let values: Vec<f64> = (0..90).map(|i| [10.0, 7.0, 8.5][i / 30] + 0.3 * noise(i)).collect();
        assert_eq!(change_points(&values, 1.0, 3), [30, 60]);
        let flat: Vec<f64> = (0..90).map(noise).collect();
        assert!(change_points(&flat, 5.0, 3).is_empty());
        assert!(change_points(&[], 1.0, 3).is_empty());
        assert!(change_points(&[f64::NAN; 5], 1.0, 0).is_empty());
    }
}
