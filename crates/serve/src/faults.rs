//! Faults as a file has them.

use crate::fault_place::{Reads, place_of};
use platterlab_sim::drive::Model;
use platterlab_sim::live::{DeviceFault, FaultKind, Faults};
use platterlab_units::{Operation, Span, Stamp};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use schemars::JsonSchema;
use serde::Deserialize;

/// More places than this are looked through for each request.
const MOST_FAULTS: usize = 10_000;
/// A fault begins and ends within 30 years.
const LATEST_S: f64 = 1e9;
/// Nor is a sector tried for longer than an hour, in milliseconds.
const LONGEST_MS: f64 = 3.6e6;
/// Nor for more revolutions.
const MOST_TURNS: u32 = 100_000;

/// A file of faults.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FaultPlan {
    /// Of every random choice.
    pub seed: u64,
    /// How long a sector that cannot be read or written is tried, in milliseconds, before the request
    /// fails: the error recovery limit, at most an hour. In whole revolutions, and at least one.
    pub recovery_ms: f64,
    /// The faults.
    pub fault: Vec<FaultOptions>,
}

impl Default for FaultPlan {
    fn default() -> Self {
        Self { seed: 0, recovery_ms: 7000.0, fault: Vec::new() }
    }
}

/// A fault. `from_s` and `until_s` are seconds of the drive's own time since it is served, at most 10^9.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FaultOptions {
    /// Sectors that cannot be read until they are written.
    Unreadable {
        /// The first sector; a random one where `count` is given.
        lba: Option<u64>,
        /// How many sectors; 1 where not given.
        sectors: Option<u64>,
        /// How many places, at random: 1 to 10,000, as many as there may be faults in all.
        count: Option<u32>,
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
    /// Sectors that are read only after more revolutions.
    SlowSectors {
        /// The first sector; a random one where `count` is given.
        lba: Option<u64>,
        /// How many sectors; 1 where not given.
        sectors: Option<u64>,
        /// How many places, at random: 1 to 10,000, as many as there may be faults in all.
        count: Option<u32>,
        /// More revolutions: 1 to 100,000.
        turns: u32,
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
    /// A head that reads and writes nothing.
    DeadHead {
        /// Its surface, counted from 0.
        surface: u32,
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
    /// Requests that take longer.
    FailSlow {
        /// How many times as long: 1 to 1,000.
        factor: f64,
        /// Share of the requests; all where not given.
        share: Option<f64>,
        /// Reads or writes; both where not given.
        operation: Option<Operation>,
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
    /// Nothing is answered for a time.
    Hang {
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then.
        until_s: f64,
    },
    /// The battery is empty that keeps written data in the buffer (`cache.written_memory =
    /// "battery-backed"`): a power cut takes what volatile memory would lose.
    DeadBattery {
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
    /// The drive vanishes: all that is asked fails at once.
    Gone {
        /// From then on.
        #[serde(default)]
        from_s: f64,
        /// Until then; for ever where not given.
        until_s: Option<f64>,
    },
}

/// Why a file of faults is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultPlanError {
    /// It is not TOML.
    #[error("line {line}: {what}")]
    Toml {
        /// Where.
        line: usize,
        /// Why.
        what: String,
    },
    /// A value of the whole file cannot be.
    #[error("{0}")]
    Plan(String),
    /// A fault cannot be.
    #[error("fault {number}: {what}")]
    Fault {
        /// Which, from 1.
        number: usize,
        /// Why, and what would be right.
        what: String,
    },
}

/// The drive that faults are for, as clients see it.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// Its sectors.
    sectors: u64,
    /// How many of them one of the media has.
    each: u64,
    surfaces: u32,
    has_battery: bool,
}

impl FaultPlan {
    /// Reads TOML.
    ///
    /// # Errors
    /// It is none, or has what no file of faults has.
    pub fn parse(text: &str) -> Result<Self, FaultPlanError> {
        let wrong = |error: toml::de::Error| {
            let reads = Reads {
                whole: |table| Self::deserialize(table).map(drop),
                fault: |value| FaultOptions::deserialize(value).map(drop),
            };
            let (line, what) = place_of(text, &error, &reads);
            FaultPlanError::Toml { line, what }
        };
        let table: toml::Table = toml::from_str(text).map_err(wrong)?;
        Self::deserialize(table).map_err(wrong)
    }

    /// The faults of a device.
    ///
    /// # Errors
    /// One of them is not a fault that this device can have.
    pub fn faults(&self, device: &Model) -> Result<Faults, FaultPlanError> {
        let each = u64::from(device.sector_bytes() / device.logical_sector_bytes());
        let surfaces = match device {
            Model::Drive(drive) => drive.layout().surfaces(),
            Model::Simple(_) => 0,
        };
        let has_battery = device.has_battery();
        let target = Target { sectors: device.sectors() * each, each, surfaces, has_battery };
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        let mut faults = Vec::new();
        for (index, fault) in self.fault.iter().enumerate() {
            let refused = |what| FaultPlanError::Fault { number: index + 1, what };
            fault.resolve(target, &mut chance, &mut faults).map_err(refused)?;
        }
        if faults.len() > MOST_FAULTS {
            let what = format!(
                "{} faults, each place at random counted as one; at most {MOST_FAULTS}",
                faults.len()
            );
            return Err(FaultPlanError::Plan(what));
        }
        let recovery = Span::from_ms(self.recovery_ms).filter(|_| self.recovery_ms <= LONGEST_MS);
        let recovery = recovery.ok_or_else(|| {
            let what = format!("recovery_ms = {}: is 0 to {LONGEST_MS}", self.recovery_ms);
            FaultPlanError::Plan(what)
        })?;
        Ok(Faults::new(faults, recovery, self.seed))
    }
}

impl FaultOptions {
    fn resolve(
        &self,
        target: Target,
        chance: &mut ChaCha8Rng,
        faults: &mut Vec<DeviceFault>,
    ) -> Result<(), String> {
        let (kind, from_s, until_s) = match *self {
            Self::Unreadable { lba, sectors, count, from_s, until_s } => {
                let fault = within(from_s, until_s)?;
                let runs = target.places(lba, sectors, count, chance)?;
                let kind = |(lba, sectors)| FaultKind::Unreadable { lba, sectors };
                faults.extend(runs.into_iter().map(kind).map(fault));
                return Ok(());
            }
            Self::SlowSectors { lba, sectors, count, turns, from_s, until_s } => {
                let fault = within(from_s, until_s)?;
                let turns = Some(turns).filter(|turns| (1..=MOST_TURNS).contains(turns));
                let turns = turns.ok_or(format!("turns is 1 to {MOST_TURNS}"))?;
                let runs = target.places(lba, sectors, count, chance)?;
                let kind = |(lba, sectors)| FaultKind::SlowSectors { lba, sectors, turns };
                faults.extend(runs.into_iter().map(kind).map(fault));
                return Ok(());
            }
            Self::DeadHead { surface, from_s, until_s } => {
                if surface >= target.surfaces {
                    let last = target.surfaces.saturating_sub(1);
                    return Err(format!("surface {surface}: the drive has 0 to {last}"));
                }
                (FaultKind::DeadHead { surface }, from_s, until_s)
            }
            Self::FailSlow { factor, share, operation, from_s, until_s } => {
                let share = share.unwrap_or(1.0);
                if !(1.0..=1e3).contains(&factor) || !(0.0..=1.0).contains(&share) {
                    return Err("factor is 1 to 1000, and share 0 to 1".to_owned());
                }
                let thousandths = (factor * 1e3).round() as u64;
                let of_million = (share * 1e6).round() as u32;
                (FaultKind::FailSlow { operation, thousandths, of_million }, from_s, until_s)
            }
            Self::Hang { from_s, until_s } => (FaultKind::Hang, from_s, Some(until_s)),
            Self::Gone { from_s, until_s } => (FaultKind::Gone, from_s, until_s),
            Self::DeadBattery { .. } if !target.has_battery => {
                return Err(
                    "the drive has no battery: cache.written_memory says what it has".into()
                );
            }
            Self::DeadBattery { from_s, until_s } => (FaultKind::DeadBattery, from_s, until_s),
        };
        faults.push(within(from_s, until_s)?(kind));
        Ok(())
    }
}

impl Target {
    /// The runs of the media's sectors that a fault is in.
    fn places(
        self,
        lba: Option<u64>,
        sectors: Option<u64>,
        count: Option<u32>,
        chance: &mut ChaCha8Rng,
    ) -> Result<Vec<(u64, u64)>, String> {
        let sectors = sectors.unwrap_or(1);
        if sectors == 0 || sectors > self.sectors {
            return Err(format!("sectors = {sectors}: is 1 to the drive's {}", self.sectors));
        }
        let last = self.sectors - sectors;
        let firsts = match (lba, count) {
            (Some(lba), None) if lba <= last => vec![lba],
            (Some(lba), None) => {
                return Err(format!(
                    "lba = {lba}: with {sectors} sectors the last that fits is {last}"
                ));
            }
            (None, Some(count)) if (1..=MOST_FAULTS as u32).contains(&count) => {
                (0..count).map(|_| below(chance, last + 1)).collect()
            }
            (None, Some(_)) => return Err(format!("count is 1 to {MOST_FAULTS}")),
            _ => return Err("needs lba, or count for places at random, one of them".to_owned()),
        };
        let run = |first: u64| {
            let lba = first / self.each;
            (lba, (first + sectors).div_ceil(self.each) - lba)
        };
        Ok(firsts.into_iter().map(run).collect())
    }
}

/// A number below `end`.
fn below(chance: &mut ChaCha8Rng, end: u64) -> u64 {
    ((u128::from(chance.next_u64()) * u128::from(end)) >> 64) as u64
}

/// A fault of some kind in its time.
fn within(from_s: f64, until_s: Option<f64>) -> Result<impl Fn(FaultKind) -> DeviceFault, String> {
    let until_s = until_s.unwrap_or(LATEST_S);
    if !(0.0..LATEST_S).contains(&from_s)
        || !(0.0..=LATEST_S).contains(&until_s)
        || until_s <= from_s
    {
        return Err(format!("from_s and until_s are 0 to {LATEST_S}, and the second the later"));
    }
    let stamp = |s: f64| Stamp::from_ps((s * 1e12).round() as u128);
    let (from, until) = (stamp(from_s), stamp(until_s));
    Ok(move |kind| DeviceFault { kind, from, until })
}
