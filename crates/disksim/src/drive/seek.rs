//! The six ways in which DiskSim states seek times.

use super::sheet::{ProfileSheet, kind_table};
use crate::syntax::{DiskSimError, Fields, Resolver, Spot};
use platterlab_drive::LONGEST_MS;
use platterlab_drive::mechanism::LARGEST_FALL;
use platterlab_profile::OriginKind;
use toml::{Table, Value};

/// How much longer writes settle than reads.
pub(super) const SETTLING: &str = "Add. write settling delay";
const HPL: &str = "HPL seek equation values";
const TYPES: &str = "`linear`, `curve`, `constant`, `hpl`, `hplplus10` or `extracted`";

/// The parameters of all types.
const TIMES: [&str; 8] = [
    "Average seek time",
    "Constant seek time",
    "Single cylinder seek time",
    "Full strobe seek time",
    "Full seek curve",
    "HPL seek equation values",
    "First ten seek times",
    "First 10 seek times",
];

pub(super) fn map(
    sheet: &mut ProfileSheet,
    mechanics: &Fields<'_>,
    cylinders: u32,
    resolver: &mut Resolver<'_>,
) -> Result<(), DiskSimError> {
    let (kind, spot) = mechanics.word("Seek type")?;
    let single = || mechanics.number("Single cylinder seek time", 0.0, LONGEST_MS);
    let average = || mechanics.number("Average seek time", 0.0, LONGEST_MS);
    let full = || mechanics.number("Full strobe seek time", 0.0, LONGEST_MS);
    let mut origin = (OriginKind::Published, mechanics.spot().clone(), format!("Seek type {kind}"));
    let table = match kind {
        "linear" => {
            let stated = mechanics.number_if("Average seek time", 0.0, LONGEST_MS)?;
            linear(sheet, mechanics, cylinders, single()?, stated, full()?)
        }
        "curve" => times(
            "three-point",
            &[("single_ms", single()?), ("average_ms", average()?), ("full_ms", full()?)],
        ),
        "constant" => {
            let stated = mechanics.number_if("Constant seek time", 0.0, LONGEST_MS)?;
            times("constant", &[("time_ms", stated.map_or_else(average, Ok)?)])
        }
        "hpl" => {
            let values = hpl_values(mechanics)?;
            let first = if values[5] == -1.0 { Vec::new() } else { vec![values[5]] };
            two_pieces(sheet, mechanics, cylinders, (&values, first))
        }
        "hplplus10" => {
            let values = hpl_values(mechanics)?;
            two_pieces(sheet, mechanics, cylinders, (&values, first_ten(mechanics)?))
        }
        "extracted" => {
            let (name, at) = mechanics.word("Full seek curve")?;
            let text = resolver(name).map_err(|what| at.error(what))?;
            origin = (
                OriginKind::Measured,
                Spot { file: name.into(), line: 1, column: 1 },
                "curve".into(),
            );
            let mut table = kind_table("table");
            let mut points = points(&text, name, cylinders, &mut sheet.notes)?;
            let settle = mechanics.number_if(SETTLING, -LONGEST_MS, LONGEST_MS)?.unwrap_or(0.0);
            level(sheet, &mut points, cylinders, (-settle).max(0.0));
            let (points, spots) = points.into_iter().unzip();
            table.insert("points".to_owned(), Value::Array(points));
            sheet.places.items("seek.points", spots);
            table
        }
        other => {
            return Err(spot.error(format!("`{other}` is not a seek type; write {TYPES}")));
        }
    };
    sheet.put("seek", table);
    sheet.origin("seek", origin.0, &origin.1, &origin.2);
    places(sheet, mechanics, kind);
    unused(sheet, mechanics, kind);
    Ok(())
}

/// A line through two times, or lines through three: the mean over all seeks is that of a third of
/// the cylinders.
fn linear(
    sheet: &mut ProfileSheet,
    mechanics: &Fields<'_>,
    cylinders: u32,
    single: f64,
    average: Option<f64>,
    full: f64,
) -> Table {
    let third = cylinders / 3;
    let name = "Average seek time";
    let straight = times("linear", &[("single_ms", single), ("full_ms", full)]);
    let Some(average) = average else { return straight };
    if third < 2 || third + 1 >= cylinders {
        let what = format!("is not used: {cylinders} cylinders have no seek of mean length");
        sheet.note(mechanics.place(name), name, &what);
        return straight;
    }
    let what = format!("is taken as the time over {third} cylinders, a third of them");
    sheet.note(mechanics.place(name), name, &what);
    let mut table = kind_table("table");
    let points = [(1, single), (third, average), (cylinders - 1, full)];
    let point =
        |(distance, ms): (u32, f64)| Value::from(vec![Value::from(i64::from(distance)), ms.into()]);
    table.insert("points".to_owned(), points.map(point).to_vec().into());
    table
}

/// Keeps where the seek times stand.
fn places(sheet: &mut ProfileSheet, mechanics: &Fields<'_>, kind: &str) {
    let own: &[(&str, &str)] = match kind {
        "extracted" => &[],
        "constant" if mechanics.get("Constant seek time").is_none() => {
            &[("seek", "Average seek time")]
        }
        "constant" => &[("seek", "Constant seek time")],
        "linear" | "curve" => &[
            ("seek", "Full strobe seek time"),
            ("seek.single_ms", "Single cylinder seek time"),
            ("seek.average_ms", "Average seek time"),
        ],
        _ => &[("seek", HPL), ("seek.first_ms", "First ten seek times")],
    };
    for (key, parameter) in own {
        sheet.places.value(*key, mechanics.spot(), parameter);
    }
}

/// Notes which stated times the seek type does not ask for.
fn unused(sheet: &mut ProfileSheet, mechanics: &Fields<'_>, kind: &str) {
    let used: &[&str] = match kind {
        "linear" | "curve" => {
            &["Single cylinder seek time", "Average seek time", "Full strobe seek time"]
        }
        "constant" if mechanics.get("Constant seek time").is_none() => &["Average seek time"],
        "constant" => &["Constant seek time"],
        "hpl" => &["HPL seek equation values"],
        "hplplus10" => &["HPL seek equation values", "First ten seek times", "First 10 seek times"],
        _ => &["Full seek curve"],
    };
    for name in TIMES.iter().filter(|name| !used.contains(name)) {
        if mechanics.get(name).is_some() {
            let what = format!("is not used by seek type `{kind}`");
            sheet.note(mechanics.place(name), name, &what);
        }
    }
}

fn times(kind: &str, values: &[(&str, f64)]) -> Table {
    let mut table = kind_table(kind);
    table.extend(values.iter().map(|(key, ms)| ((*key).to_owned(), Value::from(*ms))));
    table
}

fn hpl_values(mechanics: &Fields<'_>) -> Result<[f64; 6], DiskSimError> {
    let values = mechanics.numbers(HPL)?;
    values.try_into().map_err(|values: Vec<f64>| {
        let what = format!("`{HPL}` has {} values; write six", values.len());
        mechanics.place(HPL).error(what)
    })
}

fn first_ten(mechanics: &Fields<'_>) -> Result<Vec<f64>, DiskSimError> {
    let names = ["First ten seek times", "First 10 seek times"];
    let stated = names.iter().find(|name| mechanics.get(name).is_some());
    let name = stated.unwrap_or(&names[0]);
    let values = mechanics.numbers(name)?;
    if values.len() == 10 {
        return Ok(values);
    }
    let what = format!("`{name}` has {} values; write ten", values.len());
    Err(mechanics.place(name).error(what))
}

/// Two pieces, or where a profile has no such pieces, the points they go through.
fn two_pieces(
    sheet: &mut ProfileSheet,
    mechanics: &Fields<'_>,
    cylinders: u32,
    (values, first_ms): (&[f64; 6], Vec<f64>),
) -> Table {
    let [_, a, b, c, e, _] = *values;
    let boundary = boundary(values);
    let short = |distance: u32| a + b * f64::from(distance).sqrt();
    let long = |distance: u32| c + e * f64::from(distance);
    let farthest = cylinders.saturating_sub(1).max(1);
    let apart = boundary <= farthest
        && boundary > 1
        && long(boundary) < short(boundary) * (1.0 - LARGEST_FALL);
    let odd = b < 0.0 || e < 0.0 || apart || (boundary > 1 && short(1) < 0.0);
    if !odd || boundary > MOST_POINTS {
        return two_piece(values, first_ms);
    }
    let what =
        "has pieces that fall or do not meet; the profile has the times they give, as points";
    sheet.note(mechanics.place(HPL), HPL, what);
    let time = |distance: u32| match first_ms.get(distance as usize - 1) {
        Some(first) => *first,
        None if distance < boundary => short(distance),
        None => long(distance),
    };
    let near = boundary.max(first_ms.len() as u32 + 1).min(farthest);
    let far = (near < farthest).then_some(farthest);
    let point =
        |distance: u32| Value::from(vec![Value::from(i64::from(distance)), time(distance).into()]);
    let mut table = kind_table("table");
    table.insert("points".to_owned(), (1..=near).chain(far).map(point).collect::<Vec<_>>().into());
    table
}

/// More points than this the pieces of a curve are not made into.
const MOST_POINTS: u32 = 20_000;

/// The first distance of the second piece.
fn boundary(values: &[f64; 6]) -> u32 {
    values[0].ceil().max(1.0) as u32
}

/// `V2 + V3*sqrt(d)` below `V1` cylinders, `V4 + V5*d` from there on.
fn two_piece(values: &[f64; 6], first_ms: Vec<f64>) -> Table {
    let mut table = kind_table("two-piece");
    table.insert("short_ms".to_owned(), vec![values[1], values[2]].into());
    table.insert("long_ms".to_owned(), vec![values[3], values[4]].into());
    table.insert("boundary_cylinders".to_owned(), i64::from(boundary(values)).into());
    if !first_ms.is_empty() {
        table.insert("first_ms".to_owned(), first_ms.into());
    }
    table
}

/// The least time of the curve that has been stated, in milliseconds.
pub(super) fn shortest_ms(sheet: &ProfileSheet) -> f64 {
    let Some(Value::Table(seek)) = sheet.table.get("seek") else { return f64::INFINITY };
    let list = |key: &str| {
        let values = seek.get(key).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_float).collect::<Vec<_>>()
    };
    let mut times = list("first_ms");
    let stated = ["time_ms", "single_ms", "full_ms"];
    times.extend(stated.iter().filter_map(|key| seek.get(*key)?.as_float()));
    let has_first = !times.is_empty();
    if let ([a, b], [c, e]) = (&list("short_ms")[..], &list("long_ms")[..]) {
        let boundary = seek.get("boundary_cylinders").and_then(Value::as_integer).unwrap_or(1);
        times.push(c + e * boundary as f64);
        if boundary > 1 && !has_first {
            times.push(a + b);
        }
    }
    let points = seek.get("points").and_then(Value::as_array).into_iter().flatten();
    times.extend(points.filter_map(|point| point.get(1)?.as_float()));
    times.into_iter().fold(f64::INFINITY, f64::min)
}

/// Subtracts a number of milliseconds from each time of the curve that has been stated.
pub(super) fn shorten(sheet: &mut ProfileSheet, less_ms: f64) {
    let Some(Value::Table(seek)) = sheet.table.get_mut("seek") else { return };
    let shift = |time: Option<&mut Value>| {
        if let Some(Value::Float(ms)) = time {
            *ms -= less_ms;
        }
    };
    for (key, value) in seek.iter_mut() {
        match (key.as_str(), value) {
            ("time_ms" | "single_ms" | "average_ms" | "full_ms", time) => shift(Some(time)),
            ("short_ms" | "long_ms", Value::Array(piece)) => shift(piece.first_mut()),
            ("first_ms", Value::Array(times)) => {
                times.iter_mut().for_each(|time| shift(Some(time)));
            }
            ("points", Value::Array(points)) => {
                points.iter_mut().for_each(|point| shift(point.get_mut(1)));
            }
            _ => {}
        }
    }
}

/// The points of an extracted curve and where they stand: one distance and its time in milliseconds
/// a line, with or without a line that counts them before.
///
/// A third column, the scatter of the time, is left out. Distance 0 takes no time. What follows the
/// points that were counted DiskSim does not read, and `notes` say so.
fn points(
    text: &str,
    file: &str,
    cylinders: u32,
    notes: &mut Vec<String>,
) -> Result<Vec<(Value, Spot)>, DiskSimError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let spot = |index: usize| Spot { file: file.into(), line: index + 1, column: 1 };
    let mut count = None;
    if let Some((index, line)) = lines.next_if(|(_, line)| columns(line).is_none()) {
        let stated = line.split_once(':').and_then(|(_, count)| count.trim().parse().ok());
        count = Some(stated.ok_or_else(|| {
            spot(index).error(
                "is neither `Seek distances measured: <number>` nor a point, \
                 `distance, milliseconds`",
            )
        })?);
    }
    let mut points: Vec<(Value, Spot)> = Vec::new();
    let mut read = 0;
    for (index, line) in lines.by_ref().take(count.unwrap_or(usize::MAX)) {
        let Some((distance, ms)) = columns(line) else {
            return Err(spot(index).error("a point is `distance, milliseconds`"));
        };
        read += 1;
        // Curves may go beyond the drive; the points there cannot matter.
        if distance > 0 && (distance < cylinders || points.is_empty()) {
            let point: Vec<Value> = vec![i64::from(distance).into(), ms.into()];
            points.push((point.into(), spot(index)));
        }
    }
    let count = count.unwrap_or(read);
    if let Some((index, _)) = lines.next() {
        let what = format!("is not read: the first line announces {count} points");
        notes.push(spot(index).error(what).to_string());
    }
    if read < count || points.is_empty() {
        let what =
            format!("announces {count} points, and {read} follow; write as many, at least one");
        return Err(spot(0).error(what));
    }
    Ok(points)
}

/// Has the last time hold over all longer distances, where the line through the last two points would
/// fall below `least_ms` there.
fn level(sheet: &mut ProfileSheet, points: &mut Vec<(Value, Spot)>, cylinders: u32, least_ms: f64) {
    let numbers = |(point, _): &(Value, Spot)| {
        let distance = point.get(0)?.as_integer()? as f64;
        Some((distance, point.get(1)?.as_float()?))
    };
    let [.., before, last] = &points[..] else { return };
    let (Some((d0, t0)), Some((d1, t1))) = (numbers(before), numbers(last)) else { return };
    let farthest = cylinders.saturating_sub(1);
    let there = t1 + (t1 - t0) / (d1 - d0) * (f64::from(farthest) - d1);
    if d1 <= d0 || f64::from(farthest) <= d1 || there >= least_ms {
        return;
    }
    let spot = last.1.clone();
    let what = format!("the last two times fall; {t1} ms hold for all longer distances");
    sheet.notes.push(spot.error(what).to_string());
    points.push((Value::Array(vec![i64::from(farthest).into(), t1.into()]), spot));
}

/// Distance and time of a line of two or three columns, apart by commas or blanks.
fn columns(line: &str) -> Option<(u32, f64)> {
    let apart = |c: char| c == ',' || c.is_whitespace();
    let mut words = line.split(apart).filter(|word| !word.is_empty());
    let distance = words.next()?.parse::<u32>().ok()?;
    let mut number =
        || words.next().map(|word| word.parse::<f64>().ok().filter(|it| it.is_finite()));
    let ms = number()??;
    match number() {
        Some(scatter) => scatter?,
        None => 0.0,
    };
    words.next().is_none().then_some((distance, ms))
}
