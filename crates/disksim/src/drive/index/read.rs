//! A `dm_layout_g4` block's lists as records.

use crate::syntax::{DiskSimError, Fields, Item, Spot, Value};
use platterlab_units::nearest;

/// Which sectors of a track hold data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub(super) data: u32,
    pub(super) per_track: u32,
}

/// What an entry repeats.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Track { pattern: usize, surface: u32 },
    Index(usize),
}

/// Instances of a child, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) spot: &'a Spot,
    /// Blocks before the first instance, and its lowest cylinder, both relative to the index.
    pub(super) lbn: u64,
    pub(super) cylinder: u32,
    /// Turns from the index's first block to the first instance's.
    pub(super) offset: f64,
    /// Blocks and cylinders of one instance.
    pub(super) length: u64,
    pub(super) cylinders: u32,
    /// Turns from one instance to the next.
    pub(super) turn: f64,
    pub(super) instances: u64,
    /// Whether each instance lies on lower cylinders than the one before.
    pub(super) back: bool,
    pub(super) child: Child,
}

impl Entry<'_> {
    /// Blocks of all instances.
    pub(super) fn run(&self) -> u64 {
        self.instances.saturating_mul(self.length)
    }

    /// The lowest cylinder of instance `number`, relative to the index; `None` below 0.
    pub(super) fn at(&self, number: u64) -> Option<u32> {
        let by = u32::try_from(number * u64::from(self.cylinders)).ok()?;
        if self.back { self.cylinder.checked_sub(by) } else { self.cylinder.checked_add(by) }
    }

    /// The lowest and the highest cylinder of all instances, relative to the index.
    pub(super) fn span(&self) -> Option<[u32; 2]> {
        let ends = [self.cylinder, self.at(self.instances - 1)?];
        let high = ends[0].max(ends[1]).checked_add(self.cylinders - 1)?;
        Some([ends[0].min(ends[1]), high])
    }
}

/// The track patterns; those that do not begin at sector 0 go to `late`.
pub(super) fn patterns<'a>(
    layout: &Fields<'a>,
    late: &mut Vec<&'a Spot>,
) -> Result<Vec<Pattern>, DiskSimError> {
    let mut list = Vec::new();
    for triple in layout.list("TP")?.chunks(3) {
        let [first, last, around] = triple else {
            let what = "`TP` is a list of threes: the lowest sector with data, the highest, and the \
                        sectors around the track";
            return Err(triple[0].spot.error(what));
        };
        let (low, high, per_track) =
            (whole(first, 99_999)?, whole(last, 99_999)?, whole(around, 100_000)?);
        if high < low || per_track <= high {
            let what =
                format!("a track of {per_track} sectors has none from sector {low} to {high}");
            return Err(first.spot.error(what));
        }
        if low > 0 {
            late.push(&first.spot);
        }
        let [data, per_track] = [high - low + 1, per_track].map(|number| number as u32);
        list.push(Pattern { data, per_track });
    }
    Ok(list)
}

/// The nodes of the index, the last of which is its root.
pub(super) fn nodes<'a>(layout: &Fields<'a>) -> Result<Vec<Vec<Entry<'a>>>, DiskSimError> {
    let node = |item: &'a Item| match &item.value {
        Value::List(items) if !items.is_empty() => entries(items),
        _ => Err(item.error("is not a node of `IDX`; write a list of entries")),
    };
    layout.list("IDX")?.iter().map(node).collect()
}

fn entries(mut items: &[Item]) -> Result<Vec<Entry<'_>>, DiskSimError> {
    let mut list = Vec::new();
    while !items.is_empty() {
        let (entry, size) = entry(items)?;
        list.push(entry);
        items = &items[size..];
    }
    Ok(list)
}

/// The first entry of a node's items, and how many of them it takes.
fn entry(items: &[Item]) -> Result<(Entry<'_>, usize), DiskSimError> {
    let spot = &items[0].spot;
    let word = |at: usize| match items.get(at) {
        Some(Item { value: Value::Word(word), spot }) => Some((word.as_str(), spot)),
        _ => None,
    };
    if let (Some(_), None) = (word(6), word(8)) {
        return Err(spot.error(
            "an index entry of eight fields says neither the head nor the angle of its tracks, and \
             cannot be imported; write lbn, cyl, off, len, cyllen, alen, runlen, cylrunlen, \
             childtype, child and, for tracks, head",
        ));
    }
    let child = match word(8) {
        Some(("TRACK" | "TP", _)) if items.len() >= 11 => Child::Track {
            pattern: whole(&items[9], u32::MAX.into())? as usize,
            surface: whole(&items[10], u32::MAX.into())? as u32,
        },
        Some(("IDX", _)) if items.len() >= 10 => {
            Child::Index(whole(&items[9], u32::MAX.into())? as usize)
        }
        Some((other, at)) if !["TRACK", "TP", "IDX"].contains(&other) => {
            let near = nearest(other, ["TRACK", "IDX"]).unwrap_or("TRACK` or `IDX");
            let what = format!("`{other}` is not a kind of child; did you mean `{near}`?");
            return Err(at.error(what));
        }
        _ => {
            return Err(spot.error(
                "an index entry is lbn, cyl, off, len, cyllen, alen, runlen, cylrunlen, `TRACK` or \
                 `IDX`, child and, for tracks, head",
            ));
        }
    };
    let length = whole(&items[3], MOST_BLOCKS)?;
    let cylinders = whole(&items[4], u32::MAX.into())? as u32;
    let run = whole(&items[6], MOST_BLOCKS)?;
    let cylinder_run = signed(&items[7])?;
    if length == 0 || cylinders == 0 || run == 0 || !run.is_multiple_of(length) {
        let what = format!("runlen {run} is not a whole number of instances of len {length}");
        return Err(items[6].spot.error(what));
    }
    let instances = run / length;
    if u128::from(cylinder_run.unsigned_abs()) != u128::from(instances) * u128::from(cylinders) {
        let what = format!(
            "cylrunlen {cylinder_run} does not go with {instances} instances of {cylinders} cylinders"
        );
        return Err(items[7].spot.error(what));
    }
    let entry = Entry {
        spot,
        lbn: whole(&items[0], MOST_BLOCKS)?,
        cylinder: whole(&items[1], u32::MAX.into())? as u32,
        offset: turns(&items[2])?,
        length,
        cylinders,
        turn: turns(&items[5])?,
        instances,
        back: cylinder_run < 0,
        child,
    };
    let size = if matches!(child, Child::Index(_)) { 10 } else { 11 };
    Ok((entry, size))
}

/// More blocks than this no number of a parameter file counts exactly.
const MOST_BLOCKS: u64 = 9_000_000_000_000_000;

/// A whole number from 0 to `most`.
pub(super) fn whole(item: &Item, most: u64) -> Result<u64, DiskSimError> {
    match item.value {
        Value::Number(number) if (0.0..=most as f64).contains(&number) && number.fract() == 0.0 => {
            Ok(number as u64)
        }
        _ => Err(item.error(&format!("cannot stand here; write a whole number from 0 to {most}"))),
    }
}

fn signed(item: &Item) -> Result<i64, DiskSimError> {
    match item.value {
        Value::Number(number) if number.abs() <= 9e15 && number.fract() == 0.0 => Ok(number as i64),
        _ => Err(item.error("is not a whole number of cylinders")),
    }
}

/// An angle in turns, less whole ones.
fn turns(item: &Item) -> Result<f64, DiskSimError> {
    match item.value {
        Value::Number(number) if number.abs() <= 1e6 => Ok(number.rem_euclid(1.0)),
        _ => Err(item.error("is not an angle in turns")),
    }
}
