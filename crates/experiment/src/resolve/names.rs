//! Names of drives, buses and controllers: single ones, groups and ranges.

use platterlab_units::nearest;

/// Things of one kind by their names: single ones, and groups of several alike.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    what: &'static str,
    groups: Vec<Group>,
    all: Vec<String>,
}

#[derive(Clone, Debug)]
struct Group {
    name: String,
    members: std::ops::Range<u32>,
}

impl Names {
    /// None yet. `what` is what one of them is called in messages.
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, groups: Vec::new(), all: Vec::new() }
    }

    /// Adds one, or `count` numbered ones; gives their places.
    pub(crate) fn add(
        &mut self,
        name: &str,
        count: Option<u32>,
    ) -> Result<std::ops::Range<u32>, String> {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_-.+:".contains(c);
        if name.contains("..") || !name.chars().all(legal) {
            return Err(format!("{name:?} is not a name; write letters, digits, `-` and `_`"));
        }
        let first = self.all.len() as u32;
        let fresh: Vec<String> = match count {
            None => vec![name.to_owned()],
            Some(count) => (0..count).map(|number| format!("{name}{number}")).collect(),
        };
        let taken = |fresh: &str| self.all.iter().any(|known| known == fresh);
        if let Some(twice) = fresh.iter().find(|fresh| taken(fresh)) {
            return Err(format!("there are two {}s `{twice}`; give one another name", self.what));
        }
        if self.groups.iter().any(|group| group.name == name) {
            return Err(format!("there are two {}s `{name}`; give one another name", self.what));
        }
        self.all.extend(fresh);
        let members = first..self.all.len() as u32;
        self.groups.push(Group { name: name.to_owned(), members: members.clone() });
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
        if let Some(group) = self.groups.iter().find(|group| group.name == text) {
            return Ok(group.members.clone().collect());
        }
        Ok(vec![self.one(text)?])
    }

    /// The place of the one called `name`.
    pub(crate) fn one(&self, name: &str) -> Result<u32, String> {
        if let Some(place) = self.all.iter().position(|known| known == name) {
            return Ok(place as u32);
        }
        let groups = self.groups.iter().map(|group| group.name.as_str());
        let several = groups.filter(|group| !self.all.iter().any(|name| name == group));
        let known: Vec<&str> = several.chain(self.all.iter().map(String::as_str)).collect();
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
