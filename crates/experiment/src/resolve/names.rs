//! Names of drives, buses and controllers: single ones, groups and ranges.

use platterlab_units::nearest;
use std::collections::HashMap;
use std::ops::Range;

/// Things of one kind by their names: single ones, and groups of several alike.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    what: &'static str,
    /// The names of the tables, in order, and which are of each.
    tables: Vec<String>,
    groups: HashMap<String, Range<u32>>,
    all: Vec<String>,
    places: HashMap<String, u32>,
}

impl Names {
    /// None yet. `what` is what one of them is called in messages.
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, ..Self::default() }
    }

    /// Adds one, or `count` numbered ones; gives their places.
    pub(crate) fn add(&mut self, name: &str, count: Option<u32>) -> Result<Range<u32>, String> {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_-.+:".contains(c);
        if name.contains("..") || !name.chars().all(legal) {
            return Err(format!("{name:?} is not a name; write letters, digits, `-` and `_`"));
        }
        let first = self.all.len() as u32;
        let fresh: Vec<String> = match count {
            None => vec![name.to_owned()],
            Some(count) => (0..count).map(|number| format!("{name}{number}")).collect(),
        };
        let known = fresh.iter().find(|fresh| self.places.contains_key(*fresh));
        let table = self.groups.get_key_value(name).map(|(table, _)| table);
        if let Some(twice) = known.or(table) {
            return Err(format!("there are two {}s `{twice}`; give one another name", self.what));
        }
        self.places.extend(fresh.iter().cloned().zip(first..));
        self.all.extend(fresh);
        let members = first..self.all.len() as u32;
        self.tables.push(name.to_owned());
        self.groups.insert(name.to_owned(), members.clone());
        Ok(members)
    }

    /// The places of what `text` names: one, a group, or `first..last`.
    pub(crate) fn find(&self, text: &str) -> Result<Vec<u32>, String> {
        if let Some((first, last)) = text.split_once("..") {
            let (first, last) = (self.one(first.trim())?, self.one(last.trim())?);
            if first > last {
                return Err(format!("{text:?} runs backwards"));
            }
            return Ok((first..=last).collect());
        }
        if let Some(members) = self.groups.get(text) {
            return Ok(members.clone().collect());
        }
        Ok(vec![self.one(text)?])
    }

    /// The place of the one called `name`.
    pub(crate) fn one(&self, name: &str) -> Result<u32, String> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let several = self.tables.iter().filter(|table| !self.places.contains_key(*table));
        let known: Vec<&str> = several.chain(&self.all).map(String::as_str).collect();
        Err(match nearest(name, known.iter().copied()) {
            Some(near) => format!("there is no {} `{name}`; did you mean `{near}`?", self.what),
            None if known.is_empty() => {
                format!("there is no {} `{name}`, nor any other", self.what)
            }
            None => {
                let shown = known[..known.len().min(20)].join(", ");
                format!("there is no {} `{name}`; there are {shown}", self.what)
            }
        })
    }

    /// All names, by place.
    pub(crate) fn all(&self) -> &[String] {
        &self.all
    }
}

/// The parent of each of `children` that are dealt out to `parents` in equal parts.
pub(crate) fn dealt(children: u32, parents: &[u32], what: &str) -> Result<Vec<u32>, String> {
    let count = parents.len() as u32;
    if count == 0 || !children.is_multiple_of(count) {
        return Err(format!("{children} cannot be dealt out to {count} {what} in equal parts"));
    }
    Ok((0..children).map(|child| parents[(child * count / children) as usize]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_single_ones_and_ranges_are_found() {
        let mut names = Names::new("drive");
        assert_eq!(names.add("d", Some(4)), Ok(0..4));
        assert_eq!(names.add("fast", None), Ok(4..5));
        assert_eq!(names.find("d"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(names.find("d1..d2"), Ok(vec![1, 2]));
        assert_eq!(names.find("fast"), Ok(vec![4]));
        assert!(names.find("fats").is_err_and(|what| what.contains("did you mean `fast`")));
        assert!(names.find("d3..d1").is_err_and(|what| what.contains("backwards")));
        assert!(names.add("d1", None).is_err_and(|what| what.contains("two drives `d1`")));
    }

    #[test]
    fn children_are_dealt_out_in_equal_parts() {
        assert_eq!(dealt(6, &[7, 9], "buses"), Ok(vec![7, 7, 7, 9, 9, 9]));
        assert!(dealt(5, &[7, 9], "buses").is_err());
    }
}
