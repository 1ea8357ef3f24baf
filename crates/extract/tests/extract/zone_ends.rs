//! Surfaces with tracks of their own length, gone over in passes: what a zone ends with is no other zone.

use crate::whole::{characterized, params_of_passes, zones};
use platterlab_device::HostModel;
use platterlab_drive::{Drive, Sparing};

/// Cylinders and sectors around the longest tracks of each zone; passes are of 40 cylinders.
const ZONES: [(u32, u32); 3] = [(240, 150), (222, 140), (200, 130)];
const SHORTER: [u32; 3] = [0, 9, 4];

/// Whether zones begin where they do, with the tracks that they have; none where it is not known.
fn found(zones_of: &[(u32, u32)], sparing: Sparing) -> Option<bool> {
    let mut params = params_of_passes(3, zones_of, [0.2, 0.2], 40);
    for zone in &mut params.layout.zones {
        zone.surface_sectors = SHORTER.map(|less| zone.sectors_per_track - less).to_vec();
        zone.sparing = sparing;
    }
    let drive = Drive::new(&params).expect("a drive");
    let first_lbas = zones(&drive, zones_of);
    let found = characterized(drive, HostModel::typical());
    let all = found.zones.iter().map(|zone| Some((zone.first_lba.ok()? as u64, zone)));
    let all = all.collect::<Option<Vec<_>>>()?;
    let lengths = |most: u32| SHORTER.map(|less| u64::from(most - less));
    let truth = first_lbas.into_iter().zip(zones_of);
    let right = truth.zip(&all).all(|((first, (_, most)), (lba, zone))| {
        first == *lba && zone.surface_sectors_per_track == lengths(*most)
    });
    Some(right && all.len() == zones_of.len())
}

#[test]
fn zones_may_end_with_fewer_cylinders_and_short_of_tracks() {
    let whole = [(240, 150), (200, 140), (200, 130)];
    for (zones_of, sparing) in [
        (whole, Sparing::None),
        (whole, Sparing::Tracks { tracks: 17 }),
        (ZONES, Sparing::None),
        (ZONES, Sparing::Tracks { tracks: 5 }),
    ] {
        assert_eq!(found(&zones_of, sparing), Some(true), "{zones_of:?} {sparing:?}");
    }
}

#[test]
fn spares_of_whole_passes_leave_zones_open_or_right() {
    // A pass and more of each zone's last group has no data.
    assert_ne!(found(&ZONES, Sparing::Tracks { tracks: 50 }), Some(false));
}
