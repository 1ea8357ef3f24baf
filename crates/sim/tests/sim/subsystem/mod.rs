//! Queues, buses and volumes: theory where it has an answer, conservation everywhere.

mod build;
mod controllers;
mod criticality;
mod drive_queue;
mod failures;
mod networks;
mod rules;
mod schedulers;
mod statistics;
mod steps;
mod theory;
