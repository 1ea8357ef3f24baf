//! Whether bandwidth is the media's: held against what the geometry says passes under the heads.

use crate::bandwidth::mib_s;
use crate::campaign::{READS_PER_PLACE, tracks_per_read};
use crate::{Estimate, Extraction};

/// Rates that differ by less, in parts of each other, are the same.
const SAME: f64 = 0.03;
/// A share of the geometry's rate that no skews explain, where these are not known.
const NO_SKEWS: f64 = 0.5;
/// What the turns lost at one place may be off from a whole number, with what the rate may be off.
const OFF: f64 = 0.15;
/// Turns that a read without read-ahead loses at least, but for what is not known to the last digit.
const A_TURN: f64 = 0.95;

/// What passes under the heads.
#[derive(Clone, Copy, Debug)]
struct Media {
    sectors_per_track: f64,
    rotation_ms: f64,
    /// A track's time with its share of the skews; a turn alone where they are not known.
    track_ms: f64,
    has_skews: bool,
}

/// Why a read may lose more than a turn.
const CAUSES: &str = "as without read-ahead, and where reads are split, heads switch late or the \
                      interface lets the buffer fill";

/// Says of bandwidths that are not the media's what they are.
pub(crate) fn labelled(mut found: Extraction, sector_bytes: u32) -> Extraction {
    let one_rate = is_one_rate(&found);
    let outer = media(&found, &found.sectors_per_track, None);
    let zones: Vec<Option<Media>> = (found.zones.iter())
        .map(|zone| {
            let skews = (&zone.track_skew_ms, &zone.cylinder_skew_ms);
            media(&found, &zone.sectors_per_track, Some(skews))
        })
        .collect();
    let tracks = tracks_per_read(found.surfaces.ok().map(|count| count as u64));
    let about = |rate: &Estimate, media: &Option<Media>| {
        media.and_then(|media| media.about(rate, (tracks, sector_bytes), one_rate))
    };
    let label = |rate: &mut Estimate, said: &Option<About>| {
        if let Some(said) = said.as_ref().filter(|_| rate.note.is_empty()) {
            rate.note.clone_from(&said.note);
        }
    };
    let said = about(&found.outer_mib_s, &outer);
    label(&mut found.outer_mib_s, &said);
    found.lost_turns = said.and_then(|said| said.lost);
    if let Some(inner) = zones.last() {
        let said = about(&found.inner_mib_s, inner);
        label(&mut found.inner_mib_s, &said);
    }
    for (zone, media) in found.zones.iter_mut().zip(&zones) {
        let said = about(&zone.mib_s, media);
        label(&mut zone.mib_s, &said);
    }
    let open = |media: &Option<Media>| media.is_some_and(|media| !media.has_skews);
    let inner = zones.last().is_none_or(|inner| inner.is_none_or(|media| !media.has_skews));
    let zones = found.zones.iter_mut().zip(&zones).filter(|(_, media)| open(media));
    let ends = [(&mut found.outer_mib_s, open(&outer)), (&mut found.inner_mib_s, inner)];
    let ends = ends.into_iter().filter(|(_, open)| *open).map(|(rate, _)| rate);
    for rate in zones.map(|(zone, _)| &mut zone.mib_s).chain(ends) {
        if rate.note.is_empty() {
            rate.doubt("without skews it is not known whether it is the media's");
        }
    }
    found
}

/// What there is to say of a rate.
struct About {
    /// Turns that each read loses, where it is that.
    lost: Option<f64>,
    note: String,
}

impl Media {
    fn mib_s(self, sector_bytes: u32) -> f64 {
        mib_s(self.sectors_per_track / self.track_ms, sector_bytes)
    }

    fn about(
        self,
        rate: &Estimate,
        (tracks, sector_bytes): (f64, u32),
        one_rate: bool,
    ) -> Option<About> {
        let (value, media) = (rate.ok()?, self.mib_s(sector_bytes));
        let share = value / media;
        if !self.has_skews {
            let note = format!(
                "not the media's, which is up to {media:.1}: each read loses turns, or something \
                 else limits it"
            );
            return (share < NO_SKEWS).then_some(About { lost: None, note });
        }
        if (share - 1.0).abs() <= SAME {
            return None;
        }
        if share > 1.0 {
            let note = format!("faster than the geometry has it, {media:.1}: one of them is wrong");
            return Some(About { lost: None, note });
        }
        let read_ms = tracks * self.track_ms;
        let turns = read_ms * (1.0 / share - 1.0) / self.rotation_ms;
        let error = read_ms / share / self.rotation_ms * rate.half_width() / value;
        let here = turns * f64::from(READS_PER_PLACE);
        // Where the rate is not known well enough, any number would be near a whole one.
        let whole = (here - here.round()).abs() + error * f64::from(READS_PER_PLACE) <= OFF;
        if !one_rate && turns >= A_TURN && (whole || error > OFF) {
            let kib = tracks * self.sectors_per_track * f64::from(sector_bytes) / 1024.0;
            let (lost, cause) = if turns < 1.05 {
                ("a turn".to_owned(), "as without read-ahead")
            } else {
                (format!("{turns:.1} turns"), CAUSES)
            };
            let note = format!(
                "not the media's, which is {media:.1}: each read, of {kib:.0} KiB, loses {lost}, \
                 {cause}"
            );
            return Some(About { lost: Some(turns), note });
        }
        let note =
            format!("not the media's, which is {media:.1}: the interface, or the host, limits it");
        Some(About { lost: None, note })
    }
}

/// The media where tracks have so many sectors; skews of its own or those where SKIPPY ran.
fn media(
    found: &Extraction,
    sectors_per_track: &Estimate,
    own: Option<(&Estimate, &Estimate)>,
) -> Option<Media> {
    let (sectors_per_track, rotation_ms) = (sectors_per_track.ok()?, found.rotation_ms.ok()?);
    let skew = |own: Option<&Estimate>, all: &Estimate| own.and_then(Estimate::ok).or(all.ok());
    let track = skew(own.map(|own| own.0), &found.track_skew_ms);
    let cylinder = skew(own.map(|own| own.1), &found.cylinder_skew_ms);
    let skews = found.surfaces.ok().zip(track).zip(cylinder);
    let skew_ms =
        skews.map(|((surfaces, track), cylinder)| ((surfaces - 1.0) * track + cylinder) / surfaces);
    Some(Media {
        sectors_per_track,
        rotation_ms,
        track_ms: rotation_ms + skew_ms.unwrap_or(0.0),
        has_skews: skew_ms.is_some(),
    })
}

/// Whether zones of other track lengths have the same rate: then it is no turn that they lose.
fn is_one_rate(found: &Extraction) -> bool {
    let known = found.zones.iter().filter_map(|zone| {
        Some((zone.sectors_per_track.value?, zone.mib_s.value.filter(|rate| *rate > 0.0)?))
    });
    let (mut lengths, mut rates): (Vec<f64>, Vec<f64>) = known.unzip();
    let spread = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.first().zip(values.last()).map_or(1.0, |(least, most)| most / least)
    };
    let (lengths, rates) = (spread(&mut lengths), spread(&mut rates));
    lengths > 1.0 + 2.0 * SAME && rates - 1.0 < (lengths - 1.0) / 4.0
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
    };

    fn about(media: Media, mib_s: f64, one_rate: bool) -> Option<About> {
        media.about(&Estimate::new(mib_s, 1e-4 * mib_s, ""), (8.0, 512), one_rate)
    }

    /// What reads of eight tracks come to that lose so many turns each.
    fn losing(turns: f64) -> f64 {
        8.0 / (8.0 * MEDIA.track_ms + turns * MEDIA.rotation_ms) * 1000.0
    }

    #[test]
    fn the_medias_own_rate_needs_no_word() {
        assert!((MEDIA.mib_s(512) - losing(0.0)).abs() < 1e-9);
        assert!(about(MEDIA, losing(0.0), false).is_none());
        assert!(about(MEDIA, 0.98 * losing(0.0), false).is_none());
    }

    #[test]
    fn lost_turns_are_counted() {
        for (turns, says) in [
            (1.0, "loses a turn, as without"),
            (1.4, "loses 1.4 turns, as"),
            (24.0, "loses 24.0 turns, as"),
        ] {
            let said = about(MEDIA, losing(turns), false).unwrap();
            assert!((said.lost.unwrap() - turns).abs() < 1e-9);
            assert!(said.note.contains(says), "{}", said.note);
            assert!(said.note.contains("not the media's, which is 109.1"), "{}", said.note);
            assert!(said.note.contains("of 8192 KiB"), "{}", said.note);
        }
    }

    #[test]
    fn what_else_limits_it_is_no_turn() {
        for (mib_s, one_rate) in [(losing(1.5), false), (losing(1.0), true), (losing(0.4), false)] {
            let said = about(MEDIA, mib_s, one_rate).unwrap();
            assert_eq!(said.lost, None);
            assert!(said.note.contains("the interface, or the host, limits it"), "{}", said.note);
        }
        let said = about(MEDIA, 150.0, false).unwrap();
        assert!(said.lost.is_none() && said.note.contains("faster than the geometry"));
    }

    #[test]
    fn without_skews_only_much_is_said() {
        let media = Media { track_ms: MEDIA.rotation_ms, has_skews: false, ..MEDIA };
        assert!(about(media, 100.0, false).is_none());
        let said = about(media, 32.0, false).unwrap();
        assert!(said.lost.is_none() && said.note.contains("up to 120.0"), "{}", said.note);
    }
}
