//! The meaning of a trace's measured times.

/// What the measured times of a trace are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measures {
    /// From the issue to the device until completion.
    #[default]
    Service,
    /// From the request's own time until completion: the wait for the device, if any, is in it.
    Response,
}

impl Measures {
    /// The word for it in `trace info`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Response => "response",
        }
    }
}
