//! Tests of what is read from samples, in one program.

#[path = "../support/mod.rs"]
mod support;

mod any_samples;
mod circumstances;
mod mock;
mod nine;
mod survey;
mod swarm;
mod whole;
mod zone_ends;
