//! DiskSim's parameter text, read but not understood yet: `text` gives tokens, `parse` the blocks of
//! a `tree`, with the files they draw in, and `fields` their parameters by the `names` that the
//! manual knows.

mod error;
pub(crate) mod fields;
mod files;
pub(crate) mod names;
mod parse;
mod text;
mod tree;

pub use error::{DiskSimError, Spot};
pub use fields::Fields;
pub use files::beside;
pub use names::{BUS, CONTROLLER, Parameter, QUEUE};
pub use parse::{Resolver, parse};
pub use tree::{Block, Field, Instance, Item, NameRange, Node, System, Value};
