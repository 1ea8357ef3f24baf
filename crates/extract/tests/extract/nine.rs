//! The nine drives of the paper's Tables 2 and 3, built from what is published of them, measured
//! blind behind an ordinary host, and compared with what was built.
//!
//! Rotation, surfaces and capacity are Table 2's. Sectors per track and skews are Table 3's,
//! rounded to whole sectors, or the specification's where it is known (UltraStar XP: IBM 1996;
//! HP 97560: Ruemmler and Wilkes 1994). MTM, bandwidths and seek times are Table 3's. The number of
//! zones is read off Figures 13 to 21 where the text gives none.

use crate::support::{Ledger, Spec, ZoneSpec, characterize};
use platterlab_device::HostModel;
use platterlab_drive::{SeekCurve, TrackOrder};
use platterlab_extract::Extraction;

/// One row of the tables.
struct Row {
    name: &'static str,
    rpm: f64,
    surfaces: u32,
    capacity_gb: f64,
    /// Sectors per track of each zone and its share of the cylinders.
    zones: Vec<(u32, f64)>,
    /// Of the outermost zone, in sectors: the others keep the time.
    track_skew: u32,
    cylinder_skew: u32,
    mtm_ms: f64,
    seek_min_ms: f64,
    seek_max_ms: f64,
    /// Programmed input and output is slower than the media.
    interface_mib_s: f64,
}

/// Zones of equal width whose tracks shrink evenly.
fn even(outer: u32, inner: u32, count: u32) -> Vec<(u32, f64)> {
    let share = 1.0 / f64::from(count);
    (0..count).map(|i| (outer - (outer - inner) * i / (count - 1).max(1), share)).collect()
}

const SCSI: f64 = 19.0;

#[rustfmt::skip]
fn table() -> Vec<Row> {
    // UltraStar XP, section 4.2; the outermost two zones occupy more than half of the disk.
    let ultrastar = vec![
        (184, 0.34), (180, 0.22), (168, 0.10), (156, 0.08),
        (148, 0.07), (142, 0.07), (134, 0.06), (120, 0.06),
    ];
    let row = |name, rpm, surfaces, capacity_gb, zones, (track_skew, cylinder_skew), mtm_ms,
               (seek_min_ms, seek_max_ms), interface_mib_s| Row {
        name, rpm, surfaces, capacity_gb, zones, track_skew, cylinder_skew, mtm_ms, seek_min_ms,
        seek_max_ms, interface_mib_s,
    };
    vec![
        row("hawk", 5411.0, 9, 2.05, even(142, 82, 13), (15, 29), 1.93, (4.78, 19.72), SCSI),
        row("barracuda", 7200.0, 21, 4.10, even(123, 80, 11), (11, 19), 2.01, (1.33, 15.64), SCSI),
        row("micropolis", 7200.0, 22, 8.69, even(202, 113, 9), (36, 64), 3.78, (0.76, 14.42), SCSI),
        row("ultrastar", 7200.0, 18, 8.69, ultrastar, (19, 48), 2.10, (2.33, 16.95), SCSI),
        row("9zx", 10020.0, 12, 8.70, even(225, 140, 8), (30, 72), 1.40, (1.37, 16.17), SCSI),
        row("fireball", 5400.0, 2, 3.08, even(356, 356, 1), (70, 93), 1.25, (1.5, 18.0), 1.98),
        row("dtta", 5400.0, 6, 9.60, even(330, 330, 1), (57, 113), 1.02, (3.24, 16.41), 1.95),
        row("hp97560", 4002.0, 19, 1.26, even(72, 72, 1), (8, 18), 3.12, (4.38, 21.87), 10.0),
        row("rz26", 5400.0, 14, 1.03, even(60, 60, 1), (9, 28), 3.09, (2.12, 17.95), 10.0),
    ]
}

fn spec(row: &Row, host: &HostModel) -> Spec {
    let surfaces = f64::from(row.surfaces);
    let mean: f64 = row.zones.iter().map(|(count, share)| f64::from(*count) * share).sum();
    let cylinders = row.capacity_gb * 1e9 / 512.0 / surfaces / mean;
    let outer = row.zones[0].0;
    // Skews keep their angle.
    let scaled = |skew: u32, count: u32| (skew * count).div_ceil(outer);
    let zones: Vec<ZoneSpec> = row
        .zones
        .iter()
        .map(|(count, share)| ZoneSpec {
            cylinders: (cylinders * share).round() as u32,
            sectors_per_track: *count,
            track_skew_sectors: scaled(row.track_skew, *count),
            cylinder_skew_sectors: scaled(row.cylinder_skew, *count),
        })
        .collect();
    let last = f64::from(zones.iter().map(|zone| zone.cylinders).sum::<u32>() - 1);
    let bus_sector_ms = 512.0 * 1000.0 / (row.interface_mib_s * 1_048_576.0);
    let rotation_ms = 60_000.0 / row.rpm;
    let sector_ms = rotation_ms / f64::from(outer);
    let controller = row.mtm_ms - bus_sector_ms - (host.submit + host.complete).as_ms();
    // What a seek adds to MTM: the data of a write arrives meanwhile.
    let (single, full) = (row.seek_min_ms + bus_sector_ms, row.seek_max_ms + bus_sector_ms);
    let boundary = last / 5.0;
    let slope = (full - single) * 0.55 / last;
    let root = (full - slope * (last - boundary) - single) / (boundary.sqrt() - 1.0);
    Spec {
        rotation_ms,
        surfaces: row.surfaces,
        zones,
        order: TrackOrder::Traditional,
        seek: SeekCurve::TwoPiece {
            short_ms: [single - root, root],
            long_ms: [full - slope * last, slope],
            boundary_cylinders: boundary as u32,
            first: vec![],
        },
        head_switch_ms: 0.7 * f64::from(row.track_skew) * sector_ms,
        track_switch_ms: Some(0.9 * f64::from(row.cylinder_skew) * sector_ms),
        settle_write_ms: 0.0,
        overhead_ms: 0.75 * controller,
        completion_ms: 0.25 * controller,
        bus_sector_ms,
        phase: 0.37,
        read_ahead_sectors: 1_024,
    }
}

fn measure(row: &Row, writes: bool) -> (Spec, HostModel, Extraction, Ledger) {
    let host = HostModel::typical();
    let spec = spec(row, &host);
    let (found, ledger) = characterize(&mut spec.device(host.clone(), 11), writes, true);
    (spec, host, found, ledger)
}

#[test]
fn the_nine_drives_are_found_again() {
    all_are_found(true);
}

/// As a drive that holds data is measured, past its read-ahead.
#[test]
fn the_nine_drives_are_found_again_by_reading_alone() {
    all_are_found(false);
}

fn all_are_found(writes: bool) {
    let mut report = String::new();
    let mut misses = 0;
    for row in table() {
        let (spec, host, found, ledger) = measure(&row, writes);
        let truth = if writes { spec.truth(&host) } else { spec.truth_reading(&host) };
        let inner = spec.zones[spec.zones.len() - 1].sectors_per_track;
        let last = found.zones.last().and_then(|zone| zone.sectors_per_track.ok());
        for (what, value, truth, tolerance) in [
            ("surfaces", found.surfaces.ok(), truth.surfaces, 0.0),
            ("sectors_per_track", found.sectors_per_track.ok(), truth.sectors_per_track, 0.0),
            ("inner_sectors_per_track", last, f64::from(inner), 0.0),
            ("rotation_ms", found.rotation_ms.ok(), truth.rotation_ms, 0.01),
            ("mtm_ms", found.mtm_ms.ok(), truth.mtm_ms, 0.01),
            ("track_skew_ms", found.track_skew_ms.ok(), truth.track_skew_ms, 0.01),
            ("cylinder_skew_ms", found.cylinder_skew_ms.ok(), truth.cylinder_skew_ms, 0.01),
            ("head_switch_ms", found.head_switch_ms.ok(), truth.head_switch_ms, 0.02),
            ("outer_mib_s", found.outer_mib_s.ok(), truth.outer_mib_s, 0.01),
            ("inner_mib_s", found.inner_mib_s.ok(), truth.inner_mib_s, 0.01),
            ("seek_max_ms", found.seek_max_ms.ok(), truth.seek_max_ms, 0.01),
            ("seek_min_ms", found.seek_min_ms.ok(), truth.seek_min_ms, 0.01),
        ] {
            let off = value.map_or(f64::INFINITY, |value| (value / truth - 1.0).abs());
            let within = off <= tolerance;
            misses += u32::from(!within);
            let mark = if within { "" } else { "  <-- " };
            report += &format!("{}/{what}: {value:?} for {truth:.4}{mark}\n", row.name);
        }
        report += &format!("{}: {ledger:?}\n", row.name);
        let skippy_ms: f64 = ledger.iter().filter(|e| e.0 == "skippy").map(|e| e.3).sum();
        assert!(skippy_ms <= 5_000.0, "{}: SKIPPY took {skippy_ms} ms of drive time", row.name);
    }
    assert_eq!(misses, 0, "{report}");
}

#[test]
fn the_eight_zones_of_the_ultrastar_are_found() {
    let rows = table();
    let row = rows.iter().find(|row| row.name == "ultrastar").unwrap();
    let (spec, _, found, _) = measure(row, true);
    let counts: Vec<Option<f64>> =
        found.zones.iter().map(|zone| zone.sectors_per_track.ok()).collect();
    let truth: Vec<Option<f64>> =
        spec.zones.iter().map(|zone| Some(f64::from(zone.sectors_per_track))).collect();
    assert_eq!(counts, truth);
    let mut first = 0.0;
    for (zone, truth) in found.zones.iter().zip(&spec.zones) {
        let [low, high] = zone.first_lba.ci95.unwrap();
        assert!(low <= first && first <= high, "zone at {first}: {:?}", zone.first_lba);
        first += f64::from(truth.cylinders * spec.surfaces * truth.sectors_per_track);
    }
}
