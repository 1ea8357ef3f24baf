//! From samples to drive parameters, with confidence.
//!
//! Nothing here opens a device, and nothing panics on any samples. A [`Campaign`] says what to
//! measure next and takes the samples in; its [`Extraction`] says what they mean. Every value is an
//! [`Estimate`] with an interval and a method, or says why there is none: where samples allow more
//! than one answer, none is given.
//!
//! What SKIPPY's authors call head and cylinder switch time are the skews between tracks and
//! between cylinders; the true switch times are extracted separately.

pub mod analytic;
pub mod crowding;
pub mod edges;
pub mod normal_equations;
mod pass_ends;
mod pass_times;
pub mod paths;
pub mod spared;
pub mod stats;

mod agreed;
mod arm;
mod bandwidth;
mod budget;
mod campaign;
mod check;
mod clock;
mod cylinders;
mod estimate;
mod extraction;
mod grain;
mod in_turn;
mod map_zones;
mod media_rate;
mod model;
mod overhead;
mod pattern;
mod positioning;
mod rates_over_zones;
mod reconcile;
mod rotation;
mod sawtooth;
mod scattered;
mod seek;
mod seek_fit;
mod self_check;
mod settled_seeks;
mod settled_skews;
mod surface_zones;
mod survey;
mod tracks;
mod uneven_steps;
mod whole;
mod zones;

pub use bandwidth::{Curve, Fit, Rate};
pub use campaign::{Campaign, Goal};
pub use estimate::{Estimate, Status};
pub use extraction::{Extraction, Slowed};
pub use model::{DriveModel, ModelZone};
pub use seek::SeekPoint;
pub use seek_fit::{SeekFit, Unit};
pub use self_check::{Disagreement, Overlay, SelfCheck};
pub use survey::{Finding, LayoutGuess, Piece, Survey, SurveyGoal, TrackMap, TrackSeek};
pub use whole::{Whole, Wish};
pub use zones::Zone;
