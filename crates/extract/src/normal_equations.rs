//! The normal equations of a weighted least-squares fit most of whose design is nothing.

/// Cells of a row that are looked at together: most blocks of them are nothing throughout.
const BLOCK: usize = 8;

/// What has to be solved: `matrix * unknowns = told`.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalEquations {
    /// Square, symmetric, by row.
    pub matrix: Vec<f64>,
    /// By unknown.
    pub told: Vec<f64>,
}

/// The normal equations of rows of a `design` of so many `unknowns`, each with a weight and what is observed.
///
/// Each request is in one zone and on one surface, so that of all unknowns a few go into its row: only
/// these are multiplied. Rows without a weight are left out.
#[must_use]
pub fn normal_equations(
    design: &[f64],
    unknowns: usize,
    weights: &[f64],
    observed: &[f64],
) -> NormalEquations {
    let mut matrix = vec![0.0; unknowns * unknowns];
    let mut told = vec![0.0; unknowns];
    let mut filled = Vec::with_capacity(unknowns);
    let rows = design.chunks_exact(unknowns.max(1)).zip(weights).zip(observed);
    for ((row, weight), value) in rows.filter(|((_, weight), _)| **weight != 0.0) {
        filled.clear();
        for (block, cells) in row.chunks(BLOCK).enumerate() {
            if cells.iter().fold(0, |bits, cell| bits | cell.to_bits() << 1) != 0 {
                let cells = cells.iter().copied().enumerate();
                let cells = cells.map(|(at, cell)| (block * BLOCK + at, cell));
                filled.extend(cells.filter(|(_, cell)| *cell != 0.0));
            }
        }
        for (number, (at, cell)) in filled.iter().enumerate() {
            let weighted = weight * cell;
            told[*at] += weighted * value;
            let line = &mut matrix[at * unknowns..][..unknowns];
            for (other, beside) in &filled[number..] {
                line[*other] += weighted * beside;
            }
        }
    }
    for row in 0..unknowns {
        for column in 0..row {
            matrix[row * unknowns + column] = matrix[column * unknowns + row];
        }
    }
    NormalEquations { matrix, told }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_weighted_sums_of_products() {
        let design = [1.0, 0.0, 2.0, 0.0, 3.0, 1.0, 5.0, 5.0, 5.0];
        let found = normal_equations(&design, 3, &[1.0, 0.5, 0.0], &[4.0, 6.0, 7.0]);
        assert_eq!(found.told, [4.0, 9.0, 8.0 + 3.0]);
        assert_eq!(found.matrix, [1.0, 0.0, 2.0, 0.0, 4.5, 1.5, 2.0, 1.5, 4.5]);
    }

    #[test]
    fn of_nothing_there_are_none() {
        let none = NormalEquations { matrix: Vec::new(), told: Vec::new() };
        assert_eq!(normal_equations(&[], 0, &[], &[]), none);
    }
}
