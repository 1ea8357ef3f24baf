//! Random drives and hosts, each from one seed.

use super::{Spec, ZoneSpec, ms};
use platterlab_device::HostModel;
use platterlab_device::simulated::{Recalibration, Tail};
use platterlab_drive::{SeekCurve, TrackOrder};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of numbers.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Evenly in `[0, 1)`.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number from `low` to `high`, both included.
    pub(crate) fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + (self.unit() * f64::from(high - low + 1)) as u32
    }

    /// Evenly over the orders of magnitude.
    pub(crate) fn spread(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
}

/// 2 to 24 surfaces, 1 to 60 zones, 3,600 to 15,000 rpm, 40 to 2,000 sectors per track, skews up to
/// nine tenths of a turn, MTM from 0.6 ms to three quarters of a turn.
pub(crate) fn drive(dice: &mut Dice) -> Spec {
    let rotation_ms = 60_000.0 / dice.between(3_600.0, 15_000.0);
    let surfaces = dice.whole(2, 24);
    let outer = dice.spread(40.0, 2_000.0).round();
    let count = dice.whole(1, 60);
    let inner = outer * dice.between(0.5, 0.9);
    let track_turns = dice.between(0.03, 0.45);
    let cylinder_turns = track_turns + dice.between(0.03, 0.45);
    let mut zones: Vec<ZoneSpec> = (0..count)
        .map(|index| {
            let share = f64::from(index) / f64::from(count.max(2) - 1);
            let sectors_per_track = (outer + (inner - outer) * share).round();
            ZoneSpec {
                cylinders: dice.whole(3_000, 9_000) / count + 20,
                sectors_per_track: sectors_per_track as u32,
                track_skew_sectors: (track_turns * sectors_per_track).ceil() as u32,
                cylinder_skew_sectors: (cylinder_turns * sectors_per_track).ceil() as u32 + 1,
            }
        })
        .collect();
    zones.dedup_by_key(|zone| zone.sectors_per_track);
    let cylinders: u32 = zones.iter().map(|zone| zone.cylinders).sum();
    let mtm = dice.between(0.6, (0.75 * rotation_ms).min(4.5));
    // The interface is faster than the media.
    let bus_sector_ms = rotation_ms / outer * dice.between(0.2, 0.9);
    let single = (cylinder_turns * rotation_ms * dice.between(0.3, 1.1)).clamp(0.4, 4.0);
    let full = dice.between(12.0, 28.0);
    let boundary_cylinders = cylinders / dice.whole(4, 8);
    let e = (full - single) * 0.6 / f64::from(cylinders);
    let c = full - e * f64::from(cylinders);
    let b = (c + e * f64::from(boundary_cylinders) - single) / f64::from(boundary_cylinders).sqrt();
    Spec {
        rotation_ms,
        surfaces,
        zones,
        order: if dice.whole(0, 1) == 0 {
            TrackOrder::Traditional
        } else {
            TrackOrder::CylinderSerpentine
        },
        seek: SeekCurve::TwoPiece {
            short_ms: [single - b, b],
            long_ms: [c, e],
            boundary_cylinders,
            first: vec![],
        },
        head_switch_ms: track_turns * rotation_ms * dice.between(0.1, 1.0),
        track_switch_ms: None,
        settle_write_ms: dice.between(0.0, 0.6),
        overhead_ms: (mtm - bus_sector_ms) * 0.8,
        completion_ms: (mtm - bus_sector_ms) * 0.2,
        bus_sector_ms,
        phase: dice.between(0.0, 1.0),
        // What passes while a command is decoded has to fit.
        read_ahead_sectors: 4_096,
    }
}

/// A host that disturbs.
pub(crate) fn host(dice: &mut Dice) -> HostModel {
    let jitter = dice.between(0.005, 0.020);
    HostModel {
        submit: ms(dice.between(0.004, 0.012)),
        complete: ms(5.0 * jitter),
        think: ms(dice.between(0.0, 0.010)),
        jitter: ms(jitter),
        tail: Tail { probability: dice.between(0.0, 0.03), mean: ms(dice.between(0.020, 0.100)) },
        extra_revolution: 0.001,
        recalibration: Recalibration {
            probability: 0.000_1,
            shortest: ms(10.0),
            longest: ms(100.0),
        },
        ..HostModel::default()
    }
}
