//! Round trip: random drives behind a noisy host, measured and extracted, against their truth.
//!
//! Some of them on every run, all thousand with `PLATTERLAB_SWARM=1000`.

use crate::support::random::{Dice, drive, host};
use crate::support::{Spec, characterize};
use platterlab_extract::{Estimate, Extraction};
use rayon::prelude::*;

/// How one value came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Right,
    /// No value, and said so.
    Flagged,
    /// Off by more than a hundredth.
    Off,
    /// Off by more than three hundredths, or a wrong count, without a word.
    Wrong,
}

struct Row {
    outcome: Outcome,
    text: String,
}

fn judge(estimate: &Estimate, truth: f64, exact: bool) -> Outcome {
    let Some(value) = estimate.ok() else { return Outcome::Flagged };
    let off = (value / truth - 1.0).abs();
    match (off, exact) {
        (0.0, true) => Outcome::Right,
        (_, true) => Outcome::Wrong,
        (off, false) if off <= 0.01 => Outcome::Right,
        (off, false) if off <= 0.03 => Outcome::Off,
        _ => Outcome::Wrong,
    }
}

fn round_trip(seed: u64) -> Row {
    let mut dice = Dice::new(seed);
    let (spec, host) = (drive(&mut dice), host(&mut dice));
    let truth = spec.truth(&host);
    let (found, _) = characterize(&mut spec.device(host, seed), true, true);
    let values = vec![
        ("rotation_ms", &found.rotation_ms, truth.rotation_ms, false),
        ("sectors_per_track", &found.sectors_per_track, truth.sectors_per_track, true),
        ("surfaces", &found.surfaces, truth.surfaces, true),
        ("track_skew_ms", &found.track_skew_ms, truth.track_skew_ms, false),
        ("cylinder_skew_ms", &found.cylinder_skew_ms, truth.cylinder_skew_ms, false),
        ("mtm_ms", &found.mtm_ms, truth.mtm_ms, false),
        ("seek_max_ms", &found.seek_max_ms, truth.seek_max_ms, false),
        ("outer_mib_s", &found.outer_mib_s, truth.outer_mib_s, false),
        ("inner_mib_s", &found.inner_mib_s, truth.inner_mib_s, false),
    ];
    let mut row = Row { outcome: Outcome::Right, text: String::new() };
    for (name, estimate, truth, exact) in values {
        let outcome = judge(estimate, truth, exact);
        row.outcome = row.outcome.max(outcome);
        if outcome != Outcome::Right {
            row.text += &format!(
                "  {outcome:?} {name}: {:?} for {truth:.5} {:?} {} {}\n",
                estimate.value, estimate.ci95, estimate.method, estimate.note
            );
        }
    }
    row.check_zones(&found, &spec);
    row.check_seeks(&found, &spec);
    if row.outcome != Outcome::Right {
        row.text = format!(
            "seed {seed}: {} surfaces, {:.3} ms, {:?} MTM {:.3}\n{}",
            spec.surfaces, spec.rotation_ms, spec.zones[0], truth.mtm_ms, row.text
        );
    }
    row
}

impl Row {
    /// All zones, each with its sectors per track, its bandwidth and its edge to within two tracks.
    fn check_zones(&mut self, found: &Extraction, spec: &Spec) {
        let (zones, truth) = (&found.zones, &spec.zones);
        let flagged =
            zones.iter().any(|z| z.sectors_per_track.ok().is_none() || z.first_lba.ok().is_none());
        if zones.len() != truth.len() {
            self.add(if flagged { Outcome::Flagged } else { Outcome::Wrong }, || {
                format!("{} zones for {}", zones.len(), truth.len())
            });
            return;
        }
        let mut first = 0;
        for (zone, truth) in zones.iter().zip(truth) {
            let track = truth.sectors_per_track;
            self.add(judge(&zone.sectors_per_track, f64::from(track), true), || {
                format!("{zone:?} for {truth:?}")
            });
            let off = zone.first_lba.ok().map(|lba| (lba - f64::from(first)).abs());
            let outcome = match off {
                None => Outcome::Flagged,
                Some(off) if off <= 2.0 * f64::from(track) => Outcome::Right,
                Some(_) => Outcome::Wrong,
            };
            self.add(outcome, || format!("{:?} for {first}", zone.first_lba));
            self.add(judge(&zone.mib_s, spec.streaming(truth), false), || {
                format!("{:?} for {}", zone.mib_s, spec.streaming(truth))
            });
            first += truth.cylinders * spec.surfaces * track;
        }
    }

    fn add(&mut self, outcome: Outcome, what: impl Fn() -> String) {
        self.outcome = self.outcome.max(outcome);
        if outcome != Outcome::Right {
            self.text += &format!("  {outcome:?} {}\n", what());
        }
    }

    /// The whole curve: three hundredths, and ten microseconds where seeks are shorter than that.
    fn check_seeks(&mut self, found: &Extraction, spec: &Spec) {
        let lbas: Vec<u64> = found.seeks.iter().map(|seek| seek.distance_sectors).collect();
        for (seek, truth) in found.seeks.iter().zip(spec.seek_truth_ms(&lbas)) {
            let off = (seek.seek_ms - truth).abs();
            if off > 0.03 * truth + 0.010 + seek.half_width_ms {
                self.outcome = Outcome::Wrong;
                self.text += &format!("  {seek:?} for {truth:.5}\n");
            }
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table of failures")]
fn random_drives_are_found_again_or_flagged() {
    let count: u64 =
        std::env::var("PLATTERLAB_SWARM").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let rows: Vec<Row> = (0..count).into_par_iter().map(round_trip).collect();
    let share = |outcome| {
        let hits = rows.iter().filter(|row| row.outcome == outcome).count();
        (hits, 100.0 * hits as f64 / count as f64)
    };
    let mut report = format!("{count} drives:\n");
    for outcome in [Outcome::Right, Outcome::Flagged, Outcome::Off, Outcome::Wrong] {
        let (hits, percent) = share(outcome);
        report += &format!("{hits:5} {percent:5.1} % {outcome:?}\n");
    }
    for row in rows.iter().filter(|row| row.outcome != Outcome::Right) {
        report += &row.text;
    }
    println!("{report}");
    assert!(share(Outcome::Right).1 >= 99.0 && share(Outcome::Wrong).0 == 0, "{report}");
}
