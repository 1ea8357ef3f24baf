//! The six ways in which DiskSim states seek times.

use super::super::error::{DiskSimError, Spot};
use super::super::fields::Fields;
use super::super::parse::Resolver;
use super::kind_table;
use super::sheet::Sheet;
use toml::{Table, Value};

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
    sheet: &mut Sheet,
    mechanics: &Fields<'_>,
    cylinders: u32,
    resolver: &mut Resolver<'_>,
) -> Result<(), DiskSimError> {
    let (kind, spot) = mechanics.word("Seek type")?;
    let single = || mechanics.number("Single cylinder seek time", 0.0, 10_000.0);
    let average = || mechanics.number("Average seek time", 0.0, 10_000.0);
    let full = || mechanics.number("Full strobe seek time", 0.0, 10_000.0);
    let mut origin = ("published", mechanics.spot().clone(), format!("Seek type {kind}"));
    let table = match kind {
        "linear" => {
            let stated = mechanics.number_if("Average seek time", 0.0, 10_000.0)?;
            linear(sheet, mechanics, cylinders, (single()?, stated, full()?))
        }
        "curve" => times(
            "three-point",
            &[("single_ms", single()?), ("average_ms", average()?), ("full_ms", full()?)],
        ),
        "constant" => {
            let stated = mechanics.number_if("Constant seek time", 0.0, 10_000.0)?;
            times("constant", &[("time_ms", stated.map_or_else(average, Ok)?)])
        }
        "hpl" => {
            let values = hpl_values(mechanics)?;
            let first = if values[5] == -1.0 { Vec::new() } else { vec![values[5]] };
            two_piece(&values, first)
        }
        "hplplus10" => two_piece(&hpl_values(mechanics)?, first_ten(mechanics)?),
        "extracted" => {
            let (name, at) = mechanics.word("Full seek curve")?;
            let text = resolver(name).map_err(|what| at.error(what))?;
            origin = ("measured", Spot { file: name.into(), line: 1, column: 1 }, "curve".into());
            let mut table = kind_table("table");
            table.insert("points".to_owned(), points(&text, name, cylinders)?.into());
            table
        }
        other => {
            return Err(spot.error(format!("`{other}` is no seek type; write {TYPES}")));
        }
    };
    sheet.put("seek", table);
    sheet.origin("seek", origin.0, (&origin.1, &origin.2));
    unused(sheet, mechanics, kind);
    Ok(())
}

/// A line through two times, or lines through three: the mean over all seeks is that of a third of
/// the cylinders.
fn linear(
    sheet: &mut Sheet,
    mechanics: &Fields<'_>,
    cylinders: u32,
    (single, average, full): (f64, Option<f64>, f64),
) -> Table {
    let third = cylinders / 3;
    let Some(average) = average.filter(|_| third > 1 && third + 1 < cylinders) else {
        return times("linear", &[("single_ms", single), ("full_ms", full)]);
    };
    let what = format!("is taken as the time over {third} cylinders, a third of them");
    sheet.note(mechanics.place("Average seek time"), "Average seek time", &what);
    let mut table = kind_table("table");
    let points = [(1, single), (third, average), (cylinders - 1, full)];
    let point =
        |(distance, ms): (u32, f64)| Value::from(vec![Value::from(i64::from(distance)), ms.into()]);
    table.insert("points".to_owned(), points.map(point).to_vec().into());
    table
}

/// Notes which stated times the seek type does not ask for.
fn unused(sheet: &mut Sheet, mechanics: &Fields<'_>, kind: &str) {
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
    let name = "HPL seek equation values";
    let values = mechanics.numbers(name)?;
    values.try_into().map_err(|values: Vec<f64>| {
        let what = format!("`{name}` has {} values; write six", values.len());
        mechanics.spot().error(what)
    })
}

fn first_ten(mechanics: &Fields<'_>) -> Result<Vec<f64>, DiskSimError> {
    let names = ["First ten seek times", "First 10 seek times"];
    let stated = names.iter().find(|name| mechanics.get(name).is_some());
    let values = mechanics.numbers(stated.unwrap_or(&names[0]))?;
    if values.len() == 10 {
        return Ok(values);
    }
    let what = format!("`{}` has {} values; write ten", names[0], values.len());
    Err(mechanics.spot().error(what))
}

/// `V2 + V3*sqrt(d)` below `V1` cylinders, `V4 + V5*d` from there on.
fn two_piece(values: &[f64; 6], first_ms: Vec<f64>) -> Table {
    let mut table = kind_table("two-piece");
    table.insert("short_ms".to_owned(), vec![values[1], values[2]].into());
    table.insert("long_ms".to_owned(), vec![values[3], values[4]].into());
    table.insert("boundary_cylinders".to_owned(), (values[0] as i64).max(1).into());
    if !first_ms.is_empty() {
        table.insert("first_ms".to_owned(), first_ms.into());
    }
    table
}

/// The points of an extracted curve: a line that counts them, then one `distance, ms` a line.
fn points(text: &str, file: &str, cylinders: u32) -> Result<Vec<Value>, DiskSimError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let spot = |index: usize| Spot { file: file.into(), line: index + 1, column: 1 };
    let count = lines.next().and_then(|(_, line)| line.split_once(':')?.1.trim().parse().ok());
    let Some(count) = count else {
        return Err(spot(0).error("the first line must be `Seek distances measured: <number>`"));
    };
    let mut points: Vec<Value> = Vec::new();
    for (index, line) in lines.by_ref().take(count) {
        let pair = line.split_once(',').and_then(|(distance, ms)| {
            Some((distance.trim().parse::<u32>().ok()?, ms.trim().parse::<f64>().ok()?))
        });
        let Some((distance, ms)) = pair.filter(|(_, ms)| ms.is_finite()) else {
            return Err(spot(index).error("a point is `distance, milliseconds`"));
        };
        // Curves may go beyond the drive; the points there cannot matter.
        if distance < cylinders || points.is_empty() {
            let point: Vec<Value> = vec![i64::from(distance).into(), ms.into()];
            points.push(point.into());
        }
    }
    let extra = lines.next();
    if let Some((index, _)) = extra {
        return Err(spot(index).error(format!("the first line announces only {count} points")));
    }
    Ok(points)
}
