//! Results of a run: per-request rows, their summary, and the error of the model.

mod agreement;
mod bins;
mod columns;
mod distribution;
mod error_figures;
mod figures;
mod histogram;
mod requests;
mod row;
mod summary;
mod timeline;

pub use agreement::{Agreement, AgreementSummary};
pub use columns::Columns;
pub use distribution::{Distribution, DistributionSummary, ns_of};
pub use error_figures::{ErrorFigures, demerit_ms};
pub use figures::{Figures, Kept};
pub use histogram::Histogram;
pub use requests::{RequestColumns, RequestRow};
pub use row::{Parts, Row};
pub use summary::{Summary, SummaryBuilder};
pub use timeline::Timeline;
