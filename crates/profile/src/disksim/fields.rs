//! A block's parameters by name and type.

use super::error::{DiskSimError, Spot};
use super::tree::{Block, Field, Value};
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
    pub fn check(block: &'a Block, known: &[&str]) -> Result<Self, DiskSimError> {
        for (index, field) in block.fields.iter().enumerate() {
            let name = &field.name;
            if !known.contains(&name.as_str()) {
                let near = nearest(name, known.iter().copied());
                let what = match near {
                    Some(near) => format!("no parameter `{name}`; did you mean `{near}`?"),
                    None => format!("no parameter `{name}` of a {} block", block.kind),
                };
                return Err(field.spot.error(what));
            }
            if block.fields[..index].iter().any(|before| before.name == *name) {
                return Err(field.spot.error(format!("`{name}` is stated twice; leave one out")));
            }
        }
        Ok(Self { block })
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
        self.get(name).ok_or_else(|| {
            self.spot().error(format!("this {} block needs `{name}`", self.block.kind))
        })
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
        Ok(self.number_if(name, 0.0, crate::options::LONGEST_MS)?.unwrap_or(0.0))
    }

    /// A whole number from 0 to `most` that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn whole(&self, name: &str, most: u32) -> Result<u32, DiskSimError> {
        whole_in(self.need(name)?, most)
    }

    /// A whole number from 0 to `most`; DiskSim takes a missing one as 0.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn whole_or_0(&self, name: &str, most: u32) -> Result<u32, DiskSimError> {
        Ok(self.get(name).map(|field| whole_in(field, most)).transpose()?.unwrap_or(0))
    }

    /// A word that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn word(&self, name: &str) -> Result<(&'a str, &'a Spot), DiskSimError> {
        let field = self.need(name)?;
        match &field.value {
            Value::Word(word) => Ok((word, &field.value_spot)),
            other => Err(wrong(field, other, "a word")),
        }
    }

    /// A block that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn block(&self, name: &str) -> Result<&'a Block, DiskSimError> {
        let field = self.need(name)?;
        match &field.value {
            Value::Block(block) => Ok(block),
            other => Err(wrong(field, other, "a block, such as `dm_disk NAME { ... }`")),
        }
    }

    /// A list that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn list(&self, name: &str) -> Result<&'a [(Value, Spot)], DiskSimError> {
        let field = self.need(name)?;
        match &field.value {
            Value::List(items) => Ok(items),
            other => Err(wrong(field, other, "a list in brackets")),
        }
    }

    /// A list of numbers that must be stated.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, DiskSimError> {
        let number = |(value, spot): &(Value, Spot)| match value {
            Value::Number(number) => Ok(*number),
            other => {
                let what = format!("{} cannot stand in `{name}`; write numbers", other.describe());
                Err(spot.error(what))
            }
        };
        self.list(name)?.iter().map(number).collect()
    }

    /// A list of block numbers; a missing one is empty.
    ///
    /// # Errors
    /// It is not there, or is something else.
    pub fn positions(&self, name: &str) -> Result<Vec<(u64, &'a Spot)>, DiskSimError> {
        if self.get(name).is_none() {
            return Ok(Vec::new());
        }
        let position = |(value, spot): &'a (Value, Spot)| match value {
            Value::Number(number) if (0.0..=9e15).contains(number) && number.fract() == 0.0 => {
                Ok((*number as u64, spot))
            }
            other => {
                let what = format!("{} is no block number in `{name}`", other.describe());
                Err(spot.error(what))
            }
        };
        self.list(name)?.iter().map(position).collect()
    }
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

fn wrong(field: &Field, found: &Value, wanted: &str) -> DiskSimError {
    let what = format!("`{}` cannot be {}; write {wanted}", field.name, found.describe());
    field.value_spot.error(what)
}
