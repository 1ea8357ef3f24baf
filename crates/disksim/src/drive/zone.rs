//! `dm_layout_g1_zone`: tracks, skews, spares and defects of one zone.

use super::sheet::{ProfileSheet, kind_table};
use crate::syntax::{Block, DiskSimError, Fields, Item, Spot, Value as Said};
use platterlab_drive::MOST_CYLINDERS;
use toml::{Table, Value};

/// What a layout says of all its zones.
pub(super) struct Scheme {
    surfaces: u32,
    /// Whether every second cylinder runs from the last surface to the first.
    serpentine: bool,
    /// Whether that goes by the cylinder's number rather than its place in the zone.
    by_number: bool,
    sparing: u32,
    range_cylinders: u32,
    skews_in_turns: bool,
}

/// One zone in the profile's terms.
pub(super) struct ZoneSheet {
    pub(super) cylinders: [u32; 2],
    pub(super) sectors_per_track: u32,
    pub(super) spares: u32,
    pub(super) table: Table,
}

impl Scheme {
    pub(super) fn read(layout: &Fields<'_>, surfaces: u32) -> Result<Self, DiskSimError> {
        let mapping = layout.whole("LBN-to-PBN mapping scheme", 2)?;
        Ok(Self {
            surfaces,
            serpentine: mapping > 0,
            by_number: mapping == 2,
            sparing: layout.whole("Sparing scheme used", 10)?,
            range_cylinders: layout.whole_or_0("Rangesize for sparing", MOST_CYLINDERS)?.max(1),
            skews_in_turns: in_turns(layout)?.unwrap_or(false),
        })
    }

    /// Spares at the end of the drive: the last zone's last sectors have no address.
    pub(super) fn keep_end(&self, zones: &mut [Value], spares: u32) {
        if let (7, true, Some(Value::Table(last))) = (self.sparing, spares > 0, zones.last_mut()) {
            last.insert("skip_last_sectors".to_owned(), i64::from(spares).into());
        }
    }

    /// Whether a zone's spares are kept.
    pub(super) fn uses_spares(&self, is_last: bool) -> bool {
        match self.sparing {
            0 => false,
            7 => is_last,
            _ => true,
        }
    }

    /// Why spares are not kept.
    pub(super) fn why_unused(&self) -> &'static str {
        if self.sparing == 0 {
            "is not used: sparing scheme 0 keeps no spares"
        } else {
            "is not used: sparing scheme 7 keeps the spares of the last zone"
        }
    }

    /// Whether a range of cylinders is stated that has no spares of its own.
    pub(super) fn has_unused_range(&self) -> bool {
        self.sparing != 8 && self.range_cylinders > 1
    }

    /// The sequence of the tracks of a zone that starts at `first`.
    fn order(&self, first: u32) -> &'static str {
        match (self.serpentine, self.by_number && !first.is_multiple_of(2)) {
            (false, _) => "traditional",
            (true, false) => "cylinder-serpentine",
            (true, true) => "cylinder-serpentine-reversed",
        }
    }

    fn sparing_table(&self, spares: u32, slips: usize) -> Option<Table> {
        let (kind, unit) = match self.sparing {
            1 => ("tracks", "tracks"),
            2 => ("cylinder", "sectors"),
            3 => ("track", "sectors"),
            4..=6 | 8 => ("cylinders", "sectors"),
            9 | 10 => ("zone", "sectors"),
            _ => return None,
        };
        // Slips that may not use a zone's spares take sectors of their own in addition.
        let own = if self.sparing == 10 { slips } else { 0 };
        let count = i64::from(spares) + own as i64;
        if count == 0 {
            return None;
        }
        let mut table = kind_table(kind);
        table.insert(unit.to_owned(), count.into());
        if kind == "cylinders" {
            let cylinders = if self.sparing == 8 { self.range_cylinders } else { 1 };
            table.insert("cylinders".to_owned(), i64::from(cylinders).into());
            table.insert("front".to_owned(), matches!(self.sparing, 5 | 6).into());
            table.insert("remaps_only".to_owned(), matches!(self.sparing, 4 | 6).into());
        }
        Some(table)
    }

    /// Cylinder, surface and sector of the zone's position number `at`.
    fn physical(&self, first: u32, per_track: u32, at: u64) -> Value {
        let (track, sector) = (at / u64::from(per_track), at % u64::from(per_track));
        let surfaces = u64::from(self.surfaces);
        let (cylinder, surface) = (u64::from(first) + track / surfaces, track % surfaces);
        let turns_at = if self.by_number { 0 } else { u64::from(first) % 2 };
        let turned = self.serpentine && cylinder % 2 != turns_at;
        let surface = if turned { surfaces - 1 - surface } else { surface };
        Value::from(vec![cylinder as i64, surface as i64, sector as i64])
    }
}

/// More blocks of a zone than this a profile does not list as remapped.
const MOST_DEFECTS: u64 = 1_000_000;

/// What is said of a remap that changes nothing.
pub(super) const ITSELF: &str = "is remapped to itself, which is nothing";

/// Maps a zone, but for its defects.
pub(super) fn map(scheme: &Scheme, zone: &Fields<'_>) -> Result<ZoneSheet, DiskSimError> {
    let first = zone.whole("First cylinder number", u32::MAX)?;
    let last = zone.whole("Last cylinder number", u32::MAX)?;
    let per_track = zone.whole("Blocks per track", 100_000)?;
    let spares = zone.whole_or_0("Number of spares", u32::MAX)?;
    if per_track == 0 || scheme.surfaces == 0 || last < first {
        return Err(zone.spot().error("this zone has no sectors"));
    }
    let slips = zone.positions("slips")?.len();
    let in_turns = in_turns(zone)?.unwrap_or(scheme.skews_in_turns);
    let mut table = Table::new();
    table.insert("cylinders".to_owned(), vec![i64::from(first), i64::from(last)].into());
    table.insert("sectors_per_track".to_owned(), i64::from(per_track).into());
    table.insert("order".to_owned(), scheme.order(first).into());
    for (name, key) in [
        ("Skew for track switch", "track_skew"),
        ("Skew for cylinder switch", "cylinder_skew"),
        ("Offset of first block", "first_track_skew"),
    ] {
        let skew = zone.number_if(name, -1e6, 1e6)?.unwrap_or(0.0);
        let (key, value) = skew_value(in_turns, key, skew, per_track);
        table.insert(key, value);
    }
    let empty = zone.whole_or_0("Empty space at zone front", u32::MAX)?;
    if empty > 0 {
        table.insert("skip_first_sectors".to_owned(), i64::from(empty).into());
    }
    if let Some(sparing) = scheme.sparing_table(spares, slips) {
        table.insert("sparing".to_owned(), sparing.into());
    }
    Ok(ZoneSheet { cylinders: [first, last], sectors_per_track: per_track, spares, table })
}

/// The sectors or tracks that a zone's lists of defects count.
struct Counted<'a> {
    scheme: &'a Scheme,
    first: u32,
    per_track: u32,
    /// Where whole tracks are spare, the lists count tracks, each of this number of sectors.
    each: u64,
    unit: &'static str,
    most: u64,
}

impl Counted<'_> {
    /// Cylinder, surface and sector of one sector of what the list has at `at`.
    fn place(&self, at: u64, spot: &Spot, sector: u64) -> Result<Value, DiskSimError> {
        if at < self.most {
            return Ok(self.scheme.physical(self.first, self.per_track, at * self.each + sector));
        }
        Err(spot.error(format!("{} {at} lies beyond the zone's {}", self.unit, self.most)))
    }
}

/// Where a zone's slips and remaps go, what is wrong with them, and what is to be noted of them.
pub(super) struct Defects<'a> {
    pub(super) list: &'a mut Vec<(Value, Spot)>,
    pub(super) wrong: &'a mut Vec<DiskSimError>,
    pub(super) notes: &'a mut Vec<String>,
}

/// Maps a zone's slips and remaps.
pub(super) fn defects(scheme: &Scheme, zone: &Fields<'_>, own: &ZoneSheet, to: Defects<'_>) {
    let Defects { list: defects, wrong, notes } = to;
    let [first, last] = own.cylinders;
    let per_track = own.sectors_per_track;
    let tracks = (u64::from(last - first) + 1) * u64::from(scheme.surfaces);
    let counted = if scheme.sparing == 1 {
        Counted { scheme, first, per_track, each: per_track.into(), unit: "track", most: tracks }
    } else {
        let most = tracks * u64::from(per_track);
        Counted { scheme, first, per_track, each: 1, unit: "block", most }
    };
    let mut keep = |spot: &Spot, defect: Result<Table, DiskSimError>| match defect {
        Ok(defect) => defects.push((defect.into(), spot.clone())),
        Err(error) => wrong.push(error),
    };
    for (at, spot) in zone.positions("slips").unwrap_or_default() {
        keep(spot, counted.place(at, spot, 0).map(|place| slip(scheme, place)));
    }
    let remapped = zone.positions("defects").unwrap_or_default();
    if let Some((_, spot)) = remapped.first()
        && (remapped.len() as u64 / 2).saturating_mul(counted.each) > MOST_DEFECTS
    {
        keep(spot, Err(spot.error(format!("more than {MOST_DEFECTS} remapped blocks"))));
        return;
    }
    for pair in remapped.chunks(2) {
        let [from, to] = pair else {
            let what = "`defects` is a list of pairs: the bad block, and the one that replaces it";
            keep(pair[0].1, Err(pair[0].1.error(what)));
            continue;
        };
        if from.0 == to.0 {
            notes.push(from.1.error(format!("{} {} {ITSELF}", counted.unit, from.0)).to_string());
            continue;
        }
        let remap = |sector: u64| {
            let mut defect = kind_table("remapped");
            defect.insert("from".to_owned(), counted.place(from.0, from.1, sector)?);
            defect.insert("to".to_owned(), counted.place(to.0, to.1, sector)?);
            Ok(defect)
        };
        match remap(0) {
            Ok(_) => (0..counted.each).for_each(|sector| keep(from.1, remap(sector))),
            wrong => keep(from.1, wrong),
        }
    }
}

/// A slipped sector, or where whole tracks are spare, a slipped track.
fn slip(scheme: &Scheme, mut place: Value) -> Table {
    let tracks = scheme.sparing == 1;
    if let (true, Value::Array(place)) = (tracks, &mut place) {
        place.truncate(2);
    }
    let mut defect = kind_table(if tracks { "slipped-track" } else { "slipped" });
    defect.insert("at".to_owned(), place);
    defect
}

/// Keeps where the values of the profile's zone `index` stand.
pub(super) fn places(sheet: &mut ProfileSheet, index: usize, zone: &Block) {
    for (key, parameter) in [
        ("", "Last cylinder number"),
        (".sectors_per_track", "Blocks per track"),
        (".sparing", "Number of spares"),
        (".skip_last_sectors", "Number of spares"),
        (".skip_first_sectors", "Empty space at zone front"),
    ] {
        sheet.places.value(format!("zone[{index}]{key}"), &zone.spot, parameter);
    }
}

/// Notes what zones do not state and the manual asks for.
pub(super) fn unstated(sheet: &mut ProfileSheet, zones: &[Item]) {
    let asked = [
        "Offset of first block",
        "Empty space at zone front",
        "Number of spares",
        "slips",
        "defects",
    ];
    let lacks = |name: &str| {
        let lacks = |zone| Fields::of(zone).get(name).is_none();
        zones.iter().any(|item| matches!(&item.value, Said::Block(zone) if lacks(zone)))
    };
    let missing: Vec<String> =
        asked.iter().filter(|name| lacks(name)).map(|name| format!("`{name}`")).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        sheet.notes.push(format!("not stated in each zone, and so taken as none: {missing}"));
    }
}

/// Whether skews are stated in turns rather than sectors, if a block says which.
fn in_turns(fields: &Fields<'_>) -> Result<Option<bool>, DiskSimError> {
    if fields.get("Skew units").is_none() {
        return Ok(None);
    }
    match fields.word("Skew units")? {
        ("revolutions", _) => Ok(Some(true)),
        ("sectors", _) => Ok(Some(false)),
        (other, spot) => {
            let what = format!("`{other}` is not a unit; write `sectors` or `revolutions`");
            Err(spot.error(what))
        }
    }
}

/// A skew under the key of its unit: whole sectors where it is that, turns otherwise.
fn skew_value(in_turns: bool, key: &str, skew: f64, per_track: u32) -> (String, Value) {
    if !in_turns && skew.fract() == 0.0 && (0.0..=100_000.0).contains(&skew) {
        return (format!("{key}_sectors"), (skew as i64).into());
    }
    let turns = if in_turns { skew } else { skew / f64::from(per_track) };
    (format!("{key}_turns"), turns.rem_euclid(1.0).into())
}

/// Cylinders `from..to`, which are in no zone, as a zone of spare tracks.
pub(super) fn unused(
    from: u32,
    to: u32,
    surfaces: u32,
    sectors_per_track: u32,
    zones: &mut Vec<Value>,
    regions: &mut Vec<Value>,
) {
    if from >= to || surfaces == 0 {
        return;
    }
    let pair = |a: u32, b: u32| Value::from(vec![i64::from(a), i64::from(b)]);
    let mut zone = Table::new();
    zone.insert("cylinders".to_owned(), pair(from, to - 1));
    zone.insert("sectors_per_track".to_owned(), i64::from(sectors_per_track).into());
    zones.push(zone.into());
    let mut region = Table::new();
    region.insert("first".to_owned(), pair(from, 0));
    region.insert("last".to_owned(), pair(to - 1, surfaces - 1));
    regions.push(region.into());
}
