//! The syntax tree of a DiskSim parameter file, without its meaning.

use super::error::{DiskSimError, Spot};

/// A file with all the files it draws in.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Named blocks, in order.
    pub blocks: Vec<Block>,
    /// Components made from them.
    pub instances: Vec<Instance>,
    /// Who is attached to whom.
    pub topology: Vec<Node>,
}

/// `TYPE NAME { parameter = value, ... }`; within a value, the name may be missing.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its type, such as `disksim_bus`.
    pub kind: String,
    /// Its name.
    pub name: Option<String>,
    /// Its parameters, in order.
    pub fields: Vec<Field>,
    /// Where it begins.
    pub spot: Spot,
}

/// `parameter = value`.
#[derive(Clone, Debug)]
pub struct Field {
    /// The words before the equals sign, with one space between them.
    pub name: String,
    /// Where the name stands.
    pub spot: Spot,
    /// What stands to the right.
    pub value: Value,
    /// Where that stands.
    pub value_spot: Spot,
}

/// What stands to the right of an equals sign, or in a list.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// Values in brackets.
    List(Vec<Item>),
    /// A block in its place.
    Block(Block),
}

impl Value {
    /// What it is, for messages.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {number}"),
            Self::Word(word) => format!("the word {word:?}"),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Block(block) => format!("a {} block", block.kind),
        }
    }
}

/// A value of a list.
#[derive(Clone, Debug)]
pub struct Item {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub spot: Spot,
}

impl Item {
    /// An error here, which begins with what the value is.
    #[must_use]
    pub fn error(&self, what: &str) -> DiskSimError {
        self.spot.error(format!("{} {what}", self.value.describe()))
    }
}

/// `instantiate [ name, ... ] as BLOCK`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The components' names.
    pub names: Vec<NameRange>,
    /// The block they are made from.
    pub of: String,
    /// Where it stands.
    pub spot: Spot,
}

/// One name, or `disk0 .. disk17`.
#[derive(Clone, Debug)]
pub struct NameRange {
    /// The name, or the first of a range.
    pub first: String,
    /// The last of a range.
    pub last: Option<String>,
}

impl NameRange {
    /// All the names; none if a range has no numbers or runs backwards.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        let Some(last) = &self.last else { return vec![self.first.clone()] };
        let (stem, from) = split_number(&self.first);
        match (from, split_number(last)) {
            (Some(from), (last_stem, Some(to)))
                if stem == last_stem && to - from.min(to) < 65_536 =>
            {
                (from..=to).map(|number| format!("{stem}{number}")).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether `name` is one of these.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
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
pub struct Node {
    /// Its type, such as `disksim_bus`.
    pub kind: String,
    /// The component's name.
    pub name: String,
    /// Where the name stands.
    pub spot: Spot,
    /// What is attached to it.
    pub children: Vec<Node>,
}
