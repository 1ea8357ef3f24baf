//! The meaning of a trace's measured times.

use platterlab_units::words;

words! {
    /// What the measured times of a trace are.
    #[derive(Default)]
    pub enum Measures {
        /// From the issue to the device until completion.
        #[default]
        Service = "service",
        /// From the request's own time until completion: the wait for the device, if any, is in it.
        Response = "response",
    }
}
