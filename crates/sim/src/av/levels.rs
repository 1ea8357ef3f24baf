//! Fill levels of the buffers, I/O by I/O.

use platterlab_units::Stamp;

/// Buffer levels whenever an I/O is done, in I/Os of the session.
#[derive(Clone, Debug, Default)]
pub struct LevelColumns {
    /// When, in milliseconds from the start of the run.
    pub time_ms: Vec<f64>,
    /// Which session, from 0 on.
    pub session: Vec<u32>,
    /// What was in the buffer just before.
    pub before: Vec<f64>,
    /// What is in it now.
    pub after: Vec<f64>,
}

impl LevelColumns {
    pub(super) fn push(&mut self, session: usize, now: Stamp, before: f64, after: f64) {
        self.time_ms.push(now.as_ms());
        self.session.push(session as u32);
        self.before.push(before);
        self.after.push(after);
    }
}
