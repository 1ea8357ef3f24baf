//! What a DiskSim parameter file says, before anyone asks what it means.

use super::error::Spot;

/// A file with all the files it draws in.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    /// Named blocks, in order.
    pub(crate) blocks: Vec<Block>,
    /// Components made from them.
    pub(crate) instances: Vec<Instance>,
    /// Who is attached to whom.
    pub(crate) topology: Vec<Node>,
}

/// `TYPE NAME { parameter = value, ... }`; within a value, the name may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kind: String,
    pub(crate) name: Option<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) spot: Spot,
}

/// `parameter = value`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The words before the equals sign, with one space between them.
    pub(crate) name: String,
    pub(crate) spot: Spot,
    pub(crate) value: Value,
    pub(crate) value_spot: Spot,
}

/// What stands to the right of an equals sign, or in a list.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(f64),
    Word(String),
    List(Vec<(Value, Spot)>),
    Block(Block),
}

impl Value {
    /// What it is, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {number}"),
            Self::Word(word) => format!("the word {word:?}"),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Block(block) => format!("a {} block", block.kind),
        }
    }
}

/// `instantiate [ name, ... ] as BLOCK`.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) names: Vec<NameRange>,
    pub(crate) of: String,
    pub(crate) spot: Spot,
}

/// One name, or `disk0 .. disk17`.
#[derive(Clone, Debug)]
pub(crate) struct NameRange {
    pub(crate) first: String,
    pub(crate) last: Option<String>,
}

impl NameRange {
    /// Whether `name` is one of these.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let Some(last) = &self.last else { return self.first == name };
        let (stem, from) = split_number(&self.first);
        let ((last_stem, to), (own_stem, own)) = (split_number(last), split_number(name));
        match (from, own, to) {
            (Some(from), Some(own), Some(to)) => {
                stem == last_stem && stem == own_stem && (from..=to).contains(&own)
            }
            _ => false,
        }
    }
}

/// `disk17` as `disk` and 17.
fn split_number(name: &str) -> (&str, Option<u64>) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().ok())
}

/// A component of the topology and what is attached to it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) children: Vec<Node>,
}
