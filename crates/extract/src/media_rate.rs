//! Whether bandwidth is the media's: held against what the geometry says passes under the heads.

use crate::bandwidth::{Rate, inside, mib_s};
use crate::campaign::READS_PER_PLACE;
use crate::extraction::Slowed;
use crate::pass_ends::PassEnds;
use crate::rates_over_zones::{OverZones, SAME};
use crate::stats::median;
use crate::zones::Zone;
use crate::{Estimate, Extraction};

/// A share of the geometry's rate that no skews explain, where these are not known.
const NO_SKEWS: f64 = 0.5;
/// What the turns lost at one place may be off from a whole number.
const OFF: f64 = 0.15;
/// The share of places that lose whole turns where turns are what is lost: others cross another skew.
const MOST: f64 = 0.6;
/// Turns that a read without read-ahead loses at least, but for what is not known to the last digit.
const A_TURN: f64 = 0.95;

/// What passes under the heads; sectors are the mean over surfaces.
#[derive(Clone, Copy, Debug)]
struct Media {
    sectors_per_track: f64,
    rotation_ms: f64,
    /// A track's time with its share of the skews; a turn alone where they are not known.
    track_ms: f64,
    has_skews: bool,
    /// Whether the skews are sure.
    is_sure: bool,
}

/// Why a read may lose more than a turn.
const CAUSES: &str = "as without read-ahead, and where reads are split, heads switch late or the \
                      interface lets the buffer fill";

/// Says of bandwidths that are not the media's what they are.
pub(crate) fn labelled(mut found: Extraction, ends: PassEnds, sector_bytes: u32) -> Extraction {
    let outer = outer(&found, ends);
    let filled = |index: usize| if index == 0 { ends.filled(&found) } else { 1.0 };
    let zones: Vec<Option<Media>> = (found.zones.iter().enumerate())
        .map(|(index, zone)| {
            let own = media(&found, ends, length(&zone.sectors_per_track, Some(zone)), Some(zone))?;
            Some(own.filled(filled(index)).borne_out_by(&zone.mib_s, sector_bytes))
        })
        .collect();
    let slow = found.zones.iter().zip(&zones).filter_map(|(zone, media)| {
        let (media, rate) = ((*media)?, zone.mib_s.value.filter(|rate| *rate > 0.0)?);
        let slow = rate < (1.0 - SAME) * media.mib_s(sector_bytes);
        slow.then_some((media.sectors_per_track, rate))
    });
    let over_zones = OverZones::of(&slow.collect::<Vec<_>>());
    let about = |rate: &Estimate, media: &Option<Media>, index: usize| {
        let places = places(&found.rates, &found.zones, index);
        media.and_then(|media| media.about(rate, places, sector_bytes, over_zones))
    };
    let label = |rate: &mut Estimate, said: &Option<About>| {
        if let Some(said) = said.as_ref().filter(|_| rate.note.is_empty()) {
            match said.slowed_by {
                Some(_) => rate.note.clone_from(&said.note),
                None => rate.doubt(&said.note),
            }
        }
    };
    let of_outer = about(&found.outer_mib_s, &outer, 0);
    let last = zones.len().saturating_sub(1);
    let of_inner = zones.last().and_then(|inner| about(&found.inner_mib_s, inner, last));
    let of_zones: Vec<Option<About>> = (found.zones.iter().zip(&zones).enumerate())
        .map(|(index, (zone, media))| about(&zone.mib_s, media, index))
        .collect();
    label(&mut found.outer_mib_s, &of_outer);
    label(&mut found.inner_mib_s, &of_inner);
    for (zone, said) in found.zones.iter_mut().zip(&of_zones) {
        label(&mut zone.mib_s, said);
    }
    let mut rates = vec![&mut found.outer_mib_s, &mut found.inner_mib_s];
    let slow = of_zones.iter().flatten().filter(|said| said.slowed_by.is_some()).count();
    if 2 * slow > of_zones.len() {
        // What slows most zones by a little more than rates may differ slows the others by a little less.
        rates.extend(found.zones.iter_mut().map(|zone| &mut zone.mib_s));
        for rate in rates.into_iter().filter(|rate| rate.note.is_empty()) {
            rate.doubt("most zones are slower than their media");
        }
    }
    let open = |media: &Option<Media>| media.is_none_or(|media| !media.has_skews);
    let inner = zones.last().is_none_or(open);
    let zones = found.zones.iter_mut().zip(&zones).filter(|(_, media)| open(media));
    let both = [(&mut found.outer_mib_s, open(&outer)), (&mut found.inner_mib_s, inner)];
    let both = both.into_iter().filter(|(_, open)| *open).map(|(rate, _)| rate);
    for rate in zones.map(|(zone, _)| &mut zone.mib_s).chain(both) {
        if rate.note.is_empty() {
            rate.doubt("without tracks and skews it is not known whether it is the media's");
        }
    }
    found.lost_turns = of_outer.as_ref().and_then(|said| said.lost);
    found.slowed_by = of_outer.and_then(|said| said.slowed_by);
    found.predicted_outer_mib_s = predicted(&found, ends, sector_bytes);
    found
}

/// Streaming over whole cylinders: `H * SPT / (H * rotation + (H - 1) * track + cylinder skew)`; one step of each pass
/// has the skew of its end.
pub(crate) fn predicted(found: &Extraction, ends: PassEnds, sector_bytes: u32) -> Estimate {
    let method = "geometry: whole cylinders and their skews";
    let told = outer(found, ends).filter(|media| media.has_skews && ends.lengths_known(found));
    let Some(media) = told else {
        let needed = [
            ("surfaces", &found.surfaces),
            ("sectors per track", &found.sectors_per_track),
            ("the rotation", &found.rotation_ms),
            ("the track skew", &from_track_to_track(found, &found.track_skew_ms)),
            ("the cylinder skew", &found.cylinder_skew_ms),
        ];
        let lacks = needed.iter().filter(|(_, estimate)| estimate.ok().is_none());
        let mut names: Vec<&str> = lacks.map(|(name, _)| *name).collect();
        names.extend((!ends.lengths_known(found)).then_some("the tracks of each surface"));
        names.extend((!ends.are_known()).then_some("the skew where passes end"));
        return Estimate::unsupported(method, format!("not known: {}", names.join(", ")));
    };
    let open_ms = found.track_skew_ms.half_width() + found.rotation_ms.half_width();
    let (value, open) = (media.mib_s(sector_bytes), open_ms / media.rotation_ms);
    Estimate::new(value, value * (open + ends.open_turns()), method)
}

/// What there is to say of a rate.
struct About {
    slowed_by: Option<Slowed>,
    /// Turns that each read loses, where it is that.
    lost: Option<f64>,
    note: String,
}

impl Media {
    /// The same where so large a share of the sectors is there.
    fn filled(self, share: f64) -> Self {
        Self { sectors_per_track: share * self.sectors_per_track, ..self }
    }

    fn mib_s(self, sector_bytes: u32) -> f64 {
        mib_s(self.sectors_per_track / self.track_ms, sector_bytes)
    }

    /// The same without skews that are not sure, unless a rate is what it is by them: both are open by half.
    fn borne_out_by(self, rate: &Estimate, sector_bytes: u32) -> Self {
        let media = self.mib_s(sector_bytes);
        let same = rate.ok().is_some_and(|value| (value / media - 1.0).abs() <= SAME / 2.0);
        if self.is_sure || same {
            return self;
        }
        Self { track_ms: self.rotation_ms, has_skews: false, ..self }
    }

    /// Turns that are lost at a place.
    fn lost(self, place: &Rate) -> f64 {
        let sectors = place.sectors as f64;
        let media_ms = sectors / self.sectors_per_track * self.track_ms;
        (sectors / place.sectors_per_ms - media_ms) / self.rotation_ms
    }

    fn about(
        self,
        rate: &Estimate,
        places: &[Rate],
        sector_bytes: u32,
        over_zones: OverZones,
    ) -> Option<About> {
        let (value, media) = (rate.ok()?, self.mib_s(sector_bytes));
        let share = value / media;
        let (slowed_by, lost, why) = if !self.has_skews {
            if share >= NO_SKEWS {
                return None;
            }
            let note = format!(
                "not the media's, which is up to {media:.1} MiB/s: each read loses turns, or \
                 something else limits it"
            );
            return Some(About { slowed_by: Some(Slowed::Unknown), lost: None, note });
        } else if (share - 1.0).abs() <= SAME {
            return None;
        } else if share > 1.0 {
            let note = format!(
                "faster than turns and skews have it, {media:.1} MiB/s: reads take sectors as they \
                 pass, or one of them is wrong"
            );
            return Some(About { slowed_by: None, lost: None, note });
        } else if over_zones == OverZones::OneRate {
            let why = "the interface, or the host, limits it, as zones of other track lengths are \
                       as fast";
            (Slowed::Interface, None, why.to_owned())
        } else if let Some(turns) = self.turns(places, over_zones) {
            self.losing(turns, places, sector_bytes)
        } else {
            (Slowed::Unknown, None, "what limits it does not show".to_owned())
        };
        let note = format!("not the media's, which is {media:.1} MiB/s: {why}");
        Some(About { slowed_by: Some(slowed_by), lost, note })
    }

    /// Turns that a read loses, where turns are what most places lose.
    fn turns(self, places: &[Rate], over_zones: OverZones) -> Option<f64> {
        let lost: Vec<f64> = places.iter().map(|place| self.lost(place)).collect();
        let is_whole = |lost: f64| (lost - lost.round()).abs() <= OFF;
        let whole = lost.iter().filter(|lost| is_whole(**lost)).count() as f64;
        let turns = median(&lost)? / f64::from(READS_PER_PLACE);
        let counted = whole >= MOST * lost.len() as f64 || over_zones == OverZones::Proportional;
        (counted && turns >= A_TURN).then_some(turns)
    }

    fn losing(
        self,
        turns: f64,
        places: &[Rate],
        sector_bytes: u32,
    ) -> (Slowed, Option<f64>, String) {
        let sectors = places.first().map_or(0.0, |place| place.sectors as f64);
        let read = sectors / f64::from(READS_PER_PLACE);
        let tracks = read / self.sectors_per_track;
        let (slowed_by, lost, cause) = if turns < 1.05 {
            (Slowed::Read, "a turn".to_owned(), "as without read-ahead")
        } else if (A_TURN * tracks..=1.05 * tracks + 1.0).contains(&turns) {
            let cause = "about one at each track, as where heads switch later than the skew allows";
            (Slowed::Track, format!("{turns:.1} turns"), cause)
        } else {
            (Slowed::Turns, format!("{turns:.1} turns"), CAUSES)
        };
        let kib = read * f64::from(sector_bytes) / 1024.0;
        let why = format!("each read, of {kib:.0} KiB, loses {lost}, {cause}");
        (slowed_by, Some(turns), why)
    }
}

/// Sectors around a track; the mean over surfaces where these differ.
fn length(sectors_per_track: &Estimate, zone: Option<&Zone>) -> Option<f64> {
    let surfaces = zone.map_or(&[][..], |zone| &zone.surface_sectors_per_track);
    let count = sectors_per_track.ok()?;
    let mean = surfaces.iter().sum::<u64>() as f64 / surfaces.len().max(1) as f64;
    Some(if surfaces.is_empty() { count } else { mean })
}

fn outer(found: &Extraction, ends: PassEnds) -> Option<Media> {
    let media = media(found, ends, length(&found.sectors_per_track, found.zones.first()), None)?;
    Some(media.filled(ends.filled(found)))
}

/// The media where tracks have so many sectors, with the skews of a zone, though these be unsure, or those where
/// SKIPPY ran.
fn media(
    found: &Extraction,
    ends: PassEnds,
    sectors_per_track: Option<f64>,
    own: Option<&Zone>,
) -> Option<Media> {
    let (sectors_per_track, rotation_ms) = (sectors_per_track?, found.rotation_ms.ok()?);
    let track = own.map_or(&found.track_skew_ms, |zone| &zone.track_skew_ms);
    let cylinder = own.map_or(&found.cylinder_skew_ms, |zone| &zone.cylinder_skew_ms);
    let track = from_track_to_track(found, track);
    let skews = found.surfaces.ok().zip(track.value).zip(cylinder.value);
    let skew_ms =
        skews.map(|((surfaces, track), cylinder)| ((surfaces - 1.0) * track + cylinder) / surfaces);
    let skew_ms = skew_ms.map(|skew_ms| ends.mean_ms(skew_ms));
    let is_sure = track.ok().is_some() && cylinder.ok().is_some() && ends.are_known();
    let skew_ms = skew_ms.filter(|_| is_sure || own.is_some());
    Some(Media {
        sectors_per_track,
        rotation_ms,
        track_ms: rotation_ms + skew_ms.unwrap_or(0.0),
        has_skews: skew_ms.is_some(),
        is_sure,
    })
}

/// The track skew; none on one surface, which has a cylinder skew alone.
fn from_track_to_track(found: &Extraction, skew: &Estimate) -> Estimate {
    match found.surfaces.ok() {
        Some(1.0) => Estimate::exact(0, "one surface"),
        _ => skew.clone(),
    }
}

/// The places of ZONED all over the drive that lie in a zone.
fn places<'a>(rates: &'a [Rate], zones: &[Zone], index: usize) -> &'a [Rate] {
    let bound = |index: usize| {
        zones.get(index).map_or(u64::MAX, |zone| zone.first_lba.value.unwrap_or(0.0) as u64)
    };
    let from = if index == 0 { 0 } else { bound(index) };
    inside(rates, from, bound(index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A track of 1 MiB at 7200 rpm, and skews that make it 128 MiB/s less a tenth.
    const MEDIA: Media = Media {
        sectors_per_track: 2048.0,
        rotation_ms: 25.0 / 3.0,
        track_ms: 1.1 * 25.0 / 3.0,
        has_skews: true,
        is_sure: true,
    };

    /// Of places that lose so many turns each, read by read of eight tracks.
    fn about_places(media: Media, turns: &[f64], over_zones: OverZones) -> Option<About> {
        let place = |turns: &f64| {
            let took_ms = 40.0 * MEDIA.track_ms + 5.0 * turns * MEDIA.rotation_ms;
            Rate { lba: 0, sectors: 40 * 2048, sectors_per_ms: 40.0 * 2048.0 / took_ms }
        };
        let places: Vec<Rate> = turns.iter().map(place).collect();
        let rate = mib_s(places[0].sectors_per_ms, 512);
        media.about(&Estimate::new(rate, 1e-4 * rate, ""), &places, 512, over_zones)
    }

    fn about(turns: f64, over_zones: OverZones) -> Option<About> {
        about_places(MEDIA, &[turns; 9], over_zones)
    }

    #[test]
    fn the_medias_own_rate_needs_no_word() {
        assert!(about(0.0, OverZones::Open).is_none());
        assert!(about(0.1, OverZones::Open).is_none());
    }

    #[test]
    fn lost_turns_are_counted() {
        for (turns, slowed_by, says) in [
            (1.0, Slowed::Read, "loses a turn, as without"),
            (1.4, Slowed::Turns, "loses 1.4 turns, as"),
            (8.0, Slowed::Track, "loses 8.0 turns, about one at each track"),
            (9.0, Slowed::Track, "loses 9.0 turns, about one at each track"),
            (24.0, Slowed::Turns, "loses 24.0 turns, as"),
        ] {
            let said = about(turns, OverZones::Open).unwrap();
            assert!((said.lost.unwrap() - turns).abs() < 1e-9);
            assert_eq!(said.slowed_by, Some(slowed_by));
            assert!(said.note.contains(says), "{}", said.note);
            assert!(said.note.contains("not the media's, which is 109.1 MiB/s"), "{}", said.note);
            assert!(said.note.contains("of 8192 KiB"), "{}", said.note);
        }
    }

    #[test]
    fn places_that_cross_another_skew_hide_no_lost_turns() {
        let said = about_places(MEDIA, &[9.0, 9.0, 8.85, 9.0], OverZones::Open).unwrap();
        assert_eq!((said.slowed_by, said.lost), (Some(Slowed::Track), Some(9.0)));
    }

    #[test]
    fn the_interface_is_blamed_where_zones_show_it_alone() {
        let cases = [(1.0, OverZones::OneRate), (1.5, OverZones::OneRate)];
        for (turns, over_zones) in cases {
            let said = about(turns, over_zones).unwrap();
            assert_eq!((said.slowed_by, said.lost), (Some(Slowed::Interface), None));
            assert!(said.note.contains("the interface, or the host, limits it"), "{}", said.note);
        }
        for turns in [1.5, 0.4] {
            let said = about(turns, OverZones::Open).unwrap();
            assert_eq!((said.slowed_by, said.lost), (Some(Slowed::Unknown), None));
            assert!(said.note.ends_with("what limits it does not show"), "{}", said.note);
        }
        let said = about(1.5, OverZones::Proportional).unwrap();
        assert_eq!(said.slowed_by, Some(Slowed::Turns));
        let said = about(-2.0, OverZones::Open).unwrap();
        assert!(said.slowed_by.is_none() && said.note.contains("faster than turns and skews"));
    }

    #[test]
    fn skews_that_are_not_sure_count_where_the_rate_bears_them_out() {
        let unsure = Media { is_sure: false, ..MEDIA };
        let rate = |share: f64| Estimate::new(share * MEDIA.mib_s(512), 0.0, "");
        assert_eq!(unsure.borne_out_by(&rate(1.01), 512).track_ms, MEDIA.track_ms);
        assert!(!unsure.borne_out_by(&rate(0.9), 512).has_skews);
        assert!(MEDIA.borne_out_by(&rate(0.9), 512).has_skews);
    }

    #[test]
    fn without_skews_only_much_is_said() {
        let media = Media { track_ms: MEDIA.rotation_ms, has_skews: false, ..MEDIA };
        assert!(about_places(media, &[1.0; 9], OverZones::Open).is_none());
        let said = about_places(media, &[24.0; 9], OverZones::Open).unwrap();
        assert!(said.lost.is_none() && said.note.contains("up to 120.0 MiB/s"), "{}", said.note);
    }

    #[test]
    fn surfaces_that_differ_pass_their_mean() {
        let sectors = Estimate::exact(310, "");
        let zone = Zone {
            first_lba: Estimate::exact(0, ""),
            sectors_per_track: sectors.clone(),
            surface_sectors_per_track: vec![310, 300, 320],
            skippy_sectors_per_track: sectors.clone(),
            track_skew_ms: sectors.clone(),
            cylinder_skew_ms: sectors.clone(),
            mib_s: sectors.clone(),
        };
        assert_eq!(length(&sectors, Some(&zone)), Some(310.0));
        assert_eq!(length(&sectors, None), Some(310.0));
        let zone = Zone { surface_sectors_per_track: vec![310, 300, 322], ..zone };
        assert!((length(&sectors, Some(&zone)).unwrap() - 932.0 / 3.0).abs() < 1e-9);
    }
}
