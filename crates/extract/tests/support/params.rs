//! The drive crate's parameters of a [`Spec`].

use super::{Spec, ms};
use platterlab_drive::*;
use platterlab_units::{Angle, Span};

impl Spec {
    fn zone_params(&self) -> Vec<ZoneParams> {
        let mut first = 0;
        self.zones
            .iter()
            .map(|zone| {
                let cylinders = [first, first + zone.cylinders - 1];
                first += zone.cylinders;
                ZoneParams {
                    cylinders,
                    sectors_per_track: zone.sectors_per_track,
                    surface_sectors: vec![],
                    surface_data_sectors: vec![],
                    skew_from_data_end: false,
                    serpentine_cylinders: None,
                    passes: Default::default(),
                    order: self.order,
                    track_skew: Skew::Sectors(zone.track_skew_sectors),
                    cylinder_skew: Skew::Sectors(zone.cylinder_skew_sectors),
                    serpentine_skew: Skew::Sectors(0),
                    first_track_skew: Skew::Sectors(0),
                    range_skew: Skew::Sectors(0),
                    sparing: Sparing::None,
                    skip_first_sectors: 0,
                    skip_last_sectors: 0,
                }
            })
            .collect()
    }

    pub(crate) fn params(&self) -> DriveParams {
        let zones = self.zone_params();
        let cylinders = zones.last().map_or(0, |zone| zone.cylinders[1] + 1);
        let overhead = ms(self.overhead_ms);
        DriveParams {
            layout: LayoutParams {
                sector_bytes: 512,
                logical_sector_bytes: 512,
                surfaces: self.surfaces,
                cylinders,
                zones,
                spare_regions: vec![],
                defects: vec![],
                surface_offsets: vec![],
            },
            mechanism: MechanismParams {
                rotation: ms(self.rotation_ms),
                phase: Angle::of_turns(self.phase),
                sector_lag: Span::ZERO,
                drift: None,
                recalibration: None,
                latency: Latency::Tracked,
                seek: self.seek.clone(),
                seek_back: None,
                seek_scatter: None,
                resettle: [Span::ZERO; 2],
                head_switch: [ms(self.head_switch_ms); 2],
                track_switch: self.track_switch_ms.map(ms),
                settle: [Span::ZERO, ms(self.settle_write_ms)],
                media_transfer: true,
            },
            controller: ControllerParams {
                overhead: [[[overhead; 2]; 2]; 2],
                completion: [ms(self.completion_ms); 2],
                ..ControllerParams::default()
            },
            cache: CacheParams {
                buffer_sectors: Some(self.read_ahead_sectors.max(1_024)),
                read_fence_sectors: 1,
                read_fence_share: 0,
                write_fence_sectors: 1,
                segments: u32::from(self.read_ahead_sectors > 0),
                segment_sectors: self.read_ahead_sectors,
                read_ahead: if self.read_ahead_sectors > 0 {
                    ReadAhead::Aggressive
                } else {
                    ReadAhead::None
                },
                keep_after_hit: false,
                partial_hits: true,
                write_report: WriteReport::Media,
                hits_on_written: false,
                ..CacheParams::default()
            },
            bus: BusParams {
                read_sector: ms(self.bus_sector_ms),
                write_sector: ms(self.bus_sector_ms),
                ..BusParams::default()
            },
        }
    }
}
