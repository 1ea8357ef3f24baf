//! How crowded values are: where many are alike, few bins of a histogram hold most of them.

/// How crowded `values` less a `slope` times their `weights` are, for each of some slopes: the sum of
/// the squares of how many fall between each two of the rising `edges`.
///
/// The first of two edges counts as between them, the last one of all too; what is beyond all edges or
/// no number does not count.
#[must_use]
pub fn crowding(values: &[f64], weights: &[f64], slopes: &[f64], edges: &[f64]) -> Vec<f64> {
    let [first, .., last] = edges else { return vec![0.0; slopes.len()] };
    let per_width = (edges.len() - 1) as f64 / (last - first);
    let mut counts = vec![0u32; edges.len() - 1];
    let mut crowded = Vec::with_capacity(slopes.len());
    for slope in slopes {
        counts.fill(0);
        for (value, weight) in values.iter().zip(weights) {
            let rest = value - slope * weight;
            if rest >= *first && rest <= *last {
                let near = ((rest - first) * per_width) as usize;
                counts[bin(rest, edges, near)] += 1;
            }
        }
        crowded.push(counts.iter().map(|count| f64::from(*count).powi(2)).sum());
    }
    crowded
}

/// The bin of a value within the edges, which is at or beside the one that even edges would have.
fn bin(value: f64, edges: &[f64], near: usize) -> usize {
    let mut at = near.min(edges.len() - 2);
    while value < edges[at] {
        at -= 1;
    }
    while at + 2 < edges.len() && value >= edges[at + 1] {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_once_its_slope_is_taken_off_is_crowded() {
        let weights = [1.0, 2.0, 3.0, 4.0];
        let values = weights.map(|weight| 0.25 + 0.5 * weight);
        let edges = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4];
        let crowded = crowding(&values, &weights, &[0.0, 0.5], &edges);
        assert_eq!(crowded, [2.0, 16.0], "two values lie beyond the edges without a slope");
    }

    #[test]
    fn an_edge_belongs_to_the_bin_it_begins_and_the_last_one_to_the_last() {
        let edges = [0.0, 1.0, 1.5, 4.0];
        for (values, crowded) in [
            ([0.0, 0.5], 4.0),
            ([0.5, 1.0], 2.0),
            ([1.0, 1.4], 4.0),
            ([1.5, 4.0], 4.0),
            ([-0.1, 4.1], 0.0),
            ([f64::NAN, 3.0], 1.0),
        ] {
            assert_eq!(crowding(&values, &[0.0; 2], &[0.0], &edges), [crowded], "{values:?}");
        }
        assert_eq!(crowding(&[1.0], &[1.0], &[0.0, 1.0], &[1.0]), [0.0, 0.0]);
    }
}
