//! Queues, buses and volumes: theory where it has an answer, conservation everywhere.

#[path = "subsystem/build.rs"]
mod build;
#[path = "subsystem/controllers.rs"]
mod controllers;
#[path = "subsystem/criticality.rs"]
mod criticality;
#[path = "subsystem/drive_queue.rs"]
mod drive_queue;
#[path = "subsystem/failures.rs"]
mod failures;
#[path = "subsystem/networks.rs"]
mod networks;
#[path = "subsystem/rules.rs"]
mod rules;
#[path = "subsystem/schedulers.rs"]
mod schedulers;
#[path = "subsystem/statistics.rs"]
mod statistics;
#[path = "subsystem/steps.rs"]
mod steps;
#[path = "subsystem/theory.rs"]
mod theory;
