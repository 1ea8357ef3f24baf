//! Robust statistics. All of them accept anything, empty and non-finite input included.

mod change_points;
mod circle;
mod fit;
mod grid;
mod resultant;
mod robust;

pub use change_points::change_points;
pub use circle::{circular_median, fold, wrap};
pub use fit::{Line, least_squares, line, theil_sen};
pub use grid::Grid;
pub use resultant::{resultant, resultants};
pub use robust::{MEDIAN_ERROR, mad, median, mode, quantile};
