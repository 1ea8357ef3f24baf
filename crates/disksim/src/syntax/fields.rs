//! A block's parameters by name and type.

use super::error::{DiskSimError, Spot};
use super::names::Kind;
use super::tree::{Block, Field, Item, Value};
use platterlab_drive::LONGEST_MS;
use platterlab_units::nearest;

/// A block whose parameter names have been checked.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    block: &'a Block,
}

impl<'a> Fields<'a> {
    /// Checks that each parameter is one of `known` and stated once.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn check<N: AsRef<str>>(block: &'a Block, known: &[N]) -> Result<Self, DiskSimError> {
        for (index, field) in block.fields.iter().enumerate() {
            if !known.iter().any(|known| known.as_ref() == field.name) {
                return Err(unknown(field, known, &block.kind).0);
            }
            if block.fields[..index].iter().any(|before| before.name == field.name) {
                return Err(twice(field));
            }
        }
        Ok(Self { block })
    }

    /// The parameters of a block that has been checked.
    pub(crate) fn of(block: &'a Block) -> Self {
        Self { block }
    }

    /// Where the block starts.
    #[must_use]
    pub fn spot(&self) -> &'a Spot {
        &self.block.spot
    }

    /// A parameter, if it is stated.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a Field> {
        self.block.fields.iter().find(|field| field.name == name)
    }

    /// Where a parameter's value stands, or the block if it is not stated.
    #[must_use]
    pub fn place(&self, name: &str) -> &'a Spot {
        self.get(name).map_or(self.spot(), |field| &field.value_spot)
    }

    fn need(&self, name: &str) -> Result<&'a Field, DiskSimError> {
        self.get(name).ok_or_else(|| missing(self.block, name))
    }

    /// A number from `least` to `most` that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn number(&self, name: &str, least: f64, most: f64) -> Result<f64, DiskSimError> {
        number_in(self.need(name)?, least, most)
    }

    /// A number from `least` to `most`, if it is stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn number_if(
        &self,
        name: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, DiskSimError> {
        self.get(name).map(|field| number_in(field, least, most)).transpose()
    }

    /// A time of 0 to 10 s in milliseconds; DiskSim takes a missing one as 0.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn ms(&self, name: &str) -> Result<f64, DiskSimError> {
        Ok(self.number_if(name, 0.0, LONGEST_MS)?.unwrap_or(0.0))
    }

    /// A whole number from 0 to `most` that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn whole(&self, name: &str, most: u32) -> Result<u32, DiskSimError> {
        whole_in(self.need(name)?, most)
    }

    /// A whole number from 1 to `most` that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub(crate) fn count(&self, name: &str, most: u32) -> Result<u32, DiskSimError> {
        let field = self.need(name)?;
        match whole_in(field, most)? {
            0 => Err(wrong(field, &field.value, &format!("a whole number from 1 to {most}"))),
            count => Ok(count),
        }
    }

    /// A whole number from 0 to `most`; DiskSim takes a missing one as 0.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn whole_or_0(&self, name: &str, most: u32) -> Result<u32, DiskSimError> {
        Ok(self.get(name).map(|field| whole_in(field, most)).transpose()?.unwrap_or(0))
    }

    /// A whole number from `least` to `most`; DiskSim takes a missing one as 0.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn integer_or_0(&self, name: &str, least: i32, most: i32) -> Result<i32, DiskSimError> {
        Ok(self.get(name).map(|field| integer_in(field, least, most)).transpose()?.unwrap_or(0))
    }

    /// A word that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn word(&self, name: &str) -> Result<(&'a str, &'a Spot), DiskSimError> {
        word_in(self.need(name)?)
    }

    /// A block that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn block(&self, name: &str) -> Result<&'a Block, DiskSimError> {
        block_in(self.need(name)?)
    }

    /// A list that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn list(&self, name: &str) -> Result<&'a [Item], DiskSimError> {
        list_in(self.need(name)?)
    }

    /// A list of numbers that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, DiskSimError> {
        numbers_in(self.need(name)?)
    }

    /// A list of block numbers; a missing one is empty.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn positions(&self, name: &str) -> Result<Vec<(u64, &'a Spot)>, DiskSimError> {
        self.get(name).map_or(Ok(Vec::new()), positions_in)
    }
}

/// Whether a parameter's value is of the right kind.
pub(crate) fn fits(field: &Field, kind: Kind) -> Result<(), DiskSimError> {
    match kind {
        Kind::Whole(most) => whole_in(field, most).map(drop),
        Kind::Integer(least, most) => integer_in(field, least, most).map(drop),
        Kind::Number(least, most) => number_in(field, least, most).map(drop),
        Kind::Word => word_in(field).map(drop),
        Kind::Block => block_in(field).map(drop),
        Kind::List => list_in(field).map(drop),
        Kind::Numbers => numbers_in(field).map(drop),
        Kind::Positions => positions_in(field).map(drop),
    }
}

fn word_in(field: &Field) -> Result<(&str, &Spot), DiskSimError> {
    match &field.value {
        Value::Word(word) => Ok((word, &field.value_spot)),
        other => Err(wrong(field, other, "a word")),
    }
}

fn block_in(field: &Field) -> Result<&Block, DiskSimError> {
    match &field.value {
        Value::Block(block) => Ok(block),
        other => Err(wrong(field, other, "a block, such as `dm_disk NAME { ... }`")),
    }
}

fn list_in(field: &Field) -> Result<&[Item], DiskSimError> {
    match &field.value {
        Value::List(items) => Ok(items),
        other => Err(wrong(field, other, "a list in brackets")),
    }
}

fn numbers_in(field: &Field) -> Result<Vec<f64>, DiskSimError> {
    let number = |item: &Item| match item.value {
        Value::Number(number) => Ok(number),
        _ => Err(item.error(&format!("cannot stand in `{}`; write numbers", field.name))),
    };
    list_in(field)?.iter().map(number).collect()
}

fn positions_in(field: &Field) -> Result<Vec<(u64, &Spot)>, DiskSimError> {
    let items = list_in(field)?.iter();
    let position = |item| match item {
        &Item { value: Value::Number(number), ref spot }
            if (0.0..=9e15).contains(&number) && number.fract() == 0.0 =>
        {
            Ok((number as u64, spot))
        }
        other => Err(other.error(&format!("is not a block number in `{}`", field.name))),
    };
    items.map(position).collect()
}

/// What to say of a parameter that is not `known`, and which is probably meant.
pub(crate) fn unknown<'n, N: AsRef<str>>(
    field: &Field,
    known: &'n [N],
    kind: &str,
) -> (DiskSimError, Option<&'n str>) {
    let name = &field.name;
    let near = nearest(name, known.iter().map(AsRef::as_ref));
    let what = match near {
        Some(near) => format!("no parameter `{name}`; did you mean `{near}`?"),
        None => format!("no parameter `{name}` of a {kind} block"),
    };
    (field.spot.error(what), near)
}

/// What to say of a parameter that is stated a second time.
pub(crate) fn twice(field: &Field) -> DiskSimError {
    field.spot.error(format!("`{}` is stated twice; leave one out", field.name))
}

/// What to say of a block that lacks a parameter.
pub(crate) fn missing(block: &Block, name: &str) -> DiskSimError {
    block.spot.error(format!("this {} block needs `{name}`", block.kind))
}

fn number_in(field: &Field, least: f64, most: f64) -> Result<f64, DiskSimError> {
    match field.value {
        Value::Number(number) if (least..=most).contains(&number) => Ok(number),
        ref other => Err(wrong(field, other, &format!("a number from {least} to {most}"))),
    }
}

fn whole_in(field: &Field, most: u32) -> Result<u32, DiskSimError> {
    match field.value {
        Value::Number(number)
            if (0.0..=f64::from(most)).contains(&number) && number.fract() == 0.0 =>
        {
            Ok(number as u32)
        }
        ref other => Err(wrong(field, other, &format!("a whole number from 0 to {most}"))),
    }
}

fn integer_in(field: &Field, least: i32, most: i32) -> Result<i32, DiskSimError> {
    match field.value {
        Value::Number(number)
            if (f64::from(least)..=f64::from(most)).contains(&number) && number.fract() == 0.0 =>
        {
            Ok(number as i32)
        }
        ref other => Err(wrong(field, other, &format!("a whole number from {least} to {most}"))),
    }
}

fn wrong(field: &Field, found: &Value, wanted: &str) -> DiskSimError {
    let what = format!("`{}` cannot be {}; write {wanted}", field.name, found.describe());
    field.value_spot.error(what)
}
