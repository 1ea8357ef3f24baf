//! An extraction with one value put wrong on purpose, for trials of the self-check.

use crate::{Estimate, Extraction};

impl Extraction {
    /// The same with another value under `name`, such as `surfaces` or `zones[2].first_lba`; `None`
    /// where there is no such value, or it is not sure anyhow.
    #[must_use]
    pub fn falsified(mut self, name: &str, value: f64) -> Option<Self> {
        let estimate = self.sure(name)?;
        let off = value - estimate.value?;
        estimate.value = Some(value);
        estimate.ci95 = estimate.ci95.map(|bounds| bounds.map(|bound| bound + off));
        Some(self)
    }

    fn sure(&mut self, name: &str) -> Option<&mut Estimate> {
        let estimate = match name {
            "rotation_ms" => &mut self.rotation_ms,
            "sectors_per_track" => &mut self.sectors_per_track,
            "surfaces" => &mut self.surfaces,
            "track_skew_ms" => &mut self.track_skew_ms,
            "cylinder_skew_ms" => &mut self.cylinder_skew_ms,
            "seek_min_ms" => &mut self.seek_min_ms,
            "seek_max_ms" => &mut self.seek_max_ms,
            _ => {
                let (index, key) = name.strip_prefix("zones[")?.split_once("].")?;
                let zone = self.zones.get_mut(index.parse::<usize>().ok()?)?;
                match key {
                    "first_lba" => &mut zone.first_lba,
                    "sectors_per_track" => &mut zone.sectors_per_track,
                    _ => return None,
                }
            }
        };
        estimate.ok().is_some().then_some(estimate)
    }
}
