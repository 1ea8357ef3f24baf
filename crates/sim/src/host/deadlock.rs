use super::Host;
use super::process::Doing;
use platterlab_workload::flow::{Event, ProcessId, Record};
use std::fmt::Write;

impl<I: Iterator<Item = Result<Record, E>>, E> Host<I> {
    /// Once nothing more happens: what processes wait for that will never come, as a sentence;
    /// `None` if all have ended.
    ///
    /// # Errors
    /// What is wrong with the rest of the flow, which is read for it.
    pub fn deadlock(&mut self) -> Result<Option<String>, E> {
        let awaits = |(state, id): (&super::Process, ProcessId)| match state.doing {
            Doing::Event(event) => Some((id, event)),
            _ => None,
        };
        let stuck: Vec<_> = self.processes.iter().zip(0..).filter_map(awaits).collect();
        if !stuck.is_empty() {
            self.script.read_all()?;
        }
        let mut text = String::new();
        for (process, event) in &stuck {
            let giver = stuck.iter().find(|(other, _)| {
                let mut steps = self.script.ahead(*other);
                steps.any(|step| step.event == Event::WakeUp { event: *event })
            });
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = match giver {
                Some((other, _)) => write!(
                    text,
                    "{separator}process {process} waits for event {event}, which process {other} \
                     would give"
                ),
                None => write!(
                    text,
                    "{separator}process {process} waits for event {event}, which nothing gives"
                ),
            };
        }
        Ok((!text.is_empty()).then_some(text))
    }
}
