//! Queues, buses and volumes: theory where it has an answer, conservation everywhere.

#[path = "subsystem/build.rs"]
mod build;
#[path = "subsystem/rules.rs"]
mod rules;
#[path = "subsystem/schedulers.rs"]
mod schedulers;
#[path = "subsystem/theory.rs"]
mod theory;
