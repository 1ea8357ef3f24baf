//! The host's time: its clock against the model's, waiting for an instant, what the host is good for.

mod clock;
mod host;
mod margin;
mod model_clock;
mod wait;

pub use clock::Speed;
pub(crate) use clock::{Timeline, now_ns};
pub(crate) use host::{Favours, Measured};
pub(crate) use margin::Margin;
pub(crate) use model_clock::ModelClock;
pub(crate) use wait::{Waiter, Woken, stay_awake_until};
