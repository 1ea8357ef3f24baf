//! Tracks made over to hold whole extents.

use crate::common::SMALL;
use platterlab_drive::{Drive, Sparing};
use platterlab_profile::{AlignModel, Aligned, Alignment, LIBRARY, OriginKind, Profile};

fn small() -> Profile {
    Profile::parse(SMALL, "p.toml").expect("a right profile")
}

fn aligned(profile: &Profile, extent_bytes: u64, model: AlignModel) -> Aligned {
    let how = Alignment { extent_bytes, model, most_per_track: None };
    profile.aligned(&how).expect("the extents fit")
}

fn refusal(extent_bytes: u64, model: AlignModel) -> String {
    let how = Alignment { extent_bytes, model, most_per_track: None };
    small().aligned(&how).expect_err("the extents do not fit").to_string()
}

/// Zones of 20 sectors, and of 9 and a spare: extents of 4 leave 20 and 8.
#[test]
fn what_remains_of_a_track_becomes_spares() {
    let made = aligned(&small(), 2_048, AlignModel::Spares);
    let zones = &made.profile.params().layout.zones;
    assert_eq!(zones[0].sparing, Sparing::None);
    assert_eq!(zones[1].sparing, Sparing::Track { sectors: 2 });
    assert_eq!((made.capacity_before_sectors, made.capacity_sectors), (290, 280));
    assert_eq!(made.spares_gained_sectors, 10);
    assert_eq!(made.profile.options().id, "small-aligned-2");
}

#[test]
fn the_first_model_lowers_the_frequency() {
    let made = aligned(&small(), 3_072, AlignModel::ZoneMap);
    let zones = &made.profile.params().layout.zones;
    assert_eq!(zones.iter().map(|zone| zone.sectors_per_track).collect::<Vec<_>>(), [18, 7]);
    assert_eq!(zones[1].sparing, Sparing::Track { sectors: 1 });
    let before = small();
    let angle = |profile: &Profile| match profile.params().layout.zones[0].track_skew {
        platterlab_drive::Skew::Sectors(sectors) => {
            platterlab_units::Angle::of_slots(u64::from(sectors), 20)
        }
        platterlab_drive::Skew::Turn(angle) => angle,
    };
    let drift = angle(&made.profile).raw().abs_diff(angle(&before).raw());
    assert!(drift < 1 << 12, "the skew takes the time it took");
}

/// After 18 sectors of data a skew of 3 lies 1 sector beyond the index: 2 spares are not waited for.
#[test]
fn the_third_model_begins_where_the_data_ends() {
    let made = aligned(&small(), 3_072, AlignModel::SkewCorrected);
    let zone = &made.profile.params().layout.zones[0];
    assert_eq!(zone.sparing, Sparing::Track { sectors: 2 });
    assert_eq!(zone.track_skew, platterlab_drive::Skew::Sectors(1));
    assert_eq!(zone.cylinder_skew, platterlab_drive::Skew::Sectors(18));
    let origin = made.profile.provenance("zone[0].sparing").unwrap();
    assert_eq!(origin.kind, OriginKind::Assumed);
    assert!(origin.from.contains("model 3"), "{}", origin.from);
}

#[test]
fn a_new_profile_reads_back_as_itself() {
    for model in AlignModel::ALL {
        let made = aligned(&small(), 2_048, model).profile;
        let read = Profile::parse(&made.to_toml(), "made.toml").unwrap();
        assert_eq!(read.params(), made.params());
    }
}

#[test]
fn extents_that_cannot_be_are_refused_by_how_much() {
    assert_eq!(
        refusal(1_000, AlignModel::Spares),
        "p.toml, extent: 1000 bytes are not a whole number of sectors of 512 bytes; write 512 or \
         1024"
    );
    assert_eq!(
        refusal(5_120, AlignModel::Spares),
        "p.toml, line 15, zone[1].sectors_per_track: an extent of 10 sectors is 1 more than the 9 \
         of a track here; use extents of at most 9 sectors"
    );
    assert!(refusal(0, AlignModel::ZoneMap).contains("not a whole number of sectors"));
}

#[test]
fn defects_stay_where_their_track_has_spares() {
    let slipped = "[[defect]]\nkind = \"slipped\"\nat = [0, 0, 5]\n";
    let profile = Profile::parse(&format!("{SMALL}{slipped}"), "p.toml").unwrap();
    let how = |model| Alignment { extent_bytes: 3_072, model, most_per_track: None };
    let made = profile.aligned(&how(AlignModel::Spares)).unwrap();
    assert_eq!(made.capacity_sectors, 10 * 18 + 10 * 6);
    let message = profile.aligned(&how(AlignModel::ZoneMap)).unwrap_err().to_string();
    assert!(message.contains("model 1 does not keep"), "{message}");
}

/// Two surfaces of 20 and 13 sectors, in every order there is.
fn uneven(order: &str) -> Profile {
    let zone = format!("order = \"{order}\"\nsurface_sectors_per_track = [20, 13]\n");
    let text =
        SMALL.replacen("sectors_per_track = 20\n", &format!("sectors_per_track = 20\n{zone}"), 1);
    let text = if order.contains("serpentine") && !order.contains("cylinder") {
        text.replacen("track_skew_sectors", "serpentine_skew_sectors", 1)
    } else {
        text
    };
    Profile::parse(&text, "p.toml").expect("a right profile")
}

#[test]
fn surfaces_that_differ_are_aligned_each_for_itself() {
    for order in ["traditional", "cylinder-serpentine", "surface-serpentine", "hybrid-serpentine"] {
        let profile = uneven(order);
        let before = Drive::new(profile.params()).unwrap().layout().capacity();
        assert_eq!(before, 5 * (20 + 13) + 10 * 9, "{order}");
        for model in AlignModel::ALL {
            let made = aligned(&profile, 3_072, model);
            assert_eq!(made.capacity_sectors, 5 * (18 + 12) + 10 * 6, "{order} {model:?}");
            let layout = Drive::new(made.profile.params()).unwrap().layout().clone();
            let mut lba = 0;
            while let Some((first, sectors)) = layout.track_bounds(lba) {
                assert_eq!((first % 6, sectors % 6), (0, 0), "{order} {model:?}");
                lba = first + u64::from(sectors);
            }
            let spares = if model == AlignModel::ZoneMap { 0 } else { 5 * 3 + 10 * 3 };
            assert_eq!(made.spares_gained_sectors, spares, "{order} {model:?}");
            let read = Profile::parse(&made.profile.to_toml(), "made.toml").unwrap();
            assert_eq!(read.params(), made.profile.params());
        }
    }
}

/// With model 3 the next track begins a skew after the end of the data, whichever the surface.
#[test]
fn no_head_waits_over_spares_on_surfaces_that_differ() {
    let profile = uneven("hybrid-serpentine");
    let gap = |profile: &Profile, lba: u64| {
        let layout = Drive::new(profile.params()).unwrap().layout().clone();
        let (first, sectors) = layout.track_bounds(lba).unwrap();
        let end = layout.run(first + u64::from(sectors) - 1, 1).angle(1);
        (layout.run(first + u64::from(sectors), 1).angle(0) - end).as_turns()
    };
    let made = aligned(&profile, 3_072, AlignModel::SkewCorrected).profile;
    for (old, new) in [(0, 0), (20, 18), (5 * 20, 5 * 18), (5 * 20 + 13, 5 * 18 + 12)] {
        assert!((gap(&profile, old) - gap(&made, new)).abs() < 1e-9, "track at {old}");
    }
}

/// The paper's Disk1 with 512 KB on every track has the sectors of its extent model.
#[test]
fn disk1_has_the_sectors_of_the_paper() {
    let disk1 = Profile::from_library("samsung-120g-disk1").unwrap();
    assert!(disk1.params().layout.zones[0].order.seeks_first());
    for model in AlignModel::ALL {
        let how = Alignment { extent_bytes: 128 << 10, model, most_per_track: Some(4) };
        let made = disk1.aligned(&how).unwrap();
        assert_eq!(made.capacity_before_sectors, 261_934_392);
        assert_eq!(made.capacity_sectors, 216_879_104);
    }
}

#[test]
fn every_drive_of_the_library_can_be_aligned() {
    for file in LIBRARY {
        let profile = Profile::from_library(file.id).unwrap();
        if !profile.params().layout.defects.is_empty() {
            continue;
        }
        let extent_bytes = u64::from(profile.params().layout.sector_bytes) * 8;
        for model in AlignModel::ALL {
            let made = aligned(&profile, extent_bytes, model);
            assert!(made.capacity_sectors <= made.capacity_before_sectors, "{}", file.id);
            assert_eq!(made.capacity_sectors % 8, 0, "{}", file.id);
        }
    }
}
