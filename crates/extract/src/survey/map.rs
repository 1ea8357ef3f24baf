//! The result of a survey.

use super::Survey;
use super::continued::continued;
use super::density::Scatter;
use super::layout::{Finding, LayoutGuess, guess};
use super::other_zones::OtherZones;
use super::pass_width::pass_width;
use super::pieces::{Piece, SEVERAL, come_back, track_of};
use super::stretches::{FirstTrack, two_in_one};
use super::switches::{METHOD, doubt_other, first_switches, share, switches};
use super::two_skews::Within;
use super::whole_groups::leaves_passes;
use crate::pattern::{METHOD as STEPS, MIXED, NOT_TO_THE_SECTOR, enough_ms, mixed_ms};
use crate::stats::median;
use crate::{Estimate, Status};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The least time to a track so many tracks away.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TrackSeek {
    /// Tracks by address, from the middle of the region on.
    pub distance_tracks: u64,
    /// From one completion to the next, without latency: seek, overhead and one sector.
    pub time_ms: f64,
    /// Half the width of its interval.
    pub half_width_ms: f64,
}

/// Everything that a survey found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TrackMap {
    /// Whether there is a map; `note` says why not.
    pub status: Status,
    /// What a reader should know; empty where all is well.
    pub note: String,
    /// One revolution, in milliseconds.
    pub rotation_ms: Estimate,
    /// Tracks found.
    pub tracks: u64,
    /// Boundaries that do not show and were taken from the sectors of a turn.
    pub hidden_boundaries: u64,
    /// Tracks both ends of which were looked at; the others lie between such.
    pub seen_tracks: u64,
    /// Tracks that differ from those around them and lie where none was looked at: at most so many percent of all,
    /// with 95 %, if they are spread evenly (the rule of three, over those looked at among others).
    pub most_missed_pct: f64,
    /// The tracks, alike ones in one piece.
    pub pieces: Vec<Piece>,
    /// What a second track costs on top of its revolution (Gim 2009, Table 2): the usual skew.
    pub track_switch_ms: Estimate,
    /// The same as a share of a revolution.
    pub track_switch_pct: Estimate,
    /// The skew every few tracks, from cylinder to cylinder with heads first and from pass to pass with cylinders
    /// first; none where all are alike.
    pub other_switch_ms: Estimate,
    /// Both skews among the first tracks, where the others are of longer or shorter ones.
    #[serde(skip)]
    pub(crate) first_switches_ms: Option<[Estimate; 2]>,
    /// What completions are gathered over.
    #[serde(skip)]
    pub(crate) gathered_ms: f64,
    /// The same of interrupts that the clock is too coarse to follow.
    #[serde(skip)]
    pub(crate) unfollowed_ticks_ms: f64,
    /// What completions scatter by, as far as a turn shows.
    #[serde(skip)]
    pub(crate) jitter_ms: Option<f64>,
    /// The part of a turn that the sectors of a track take, of most tracks; none where no track is
    /// known.
    #[serde(skip)]
    pub(crate) turn_share: Option<f64>,
    /// Milliseconds a sector on tracks of each length.
    #[serde(skip)]
    pub(crate) paces: Vec<(u64, f64)>,
    /// First tracks of zones that are told from last ones of the zone before, by their first sectors.
    #[serde(skip)]
    pub(crate) first_tracks: BTreeMap<u64, FirstTrack>,
    /// First sectors of zones before which the last track was looked at, and is as the pieces have it.
    #[serde(skip)]
    pub(crate) last_known: BTreeSet<u64>,
    /// The layout as far as it shows.
    pub layout: LayoutGuess,
    /// The seek profile.
    pub seeks: Vec<TrackSeek>,
}

impl Survey {
    /// Everything learnt so far, for one who holds zones against more than the lengths of tracks.
    pub(crate) fn tracks(&self) -> TrackMap {
        of(self)
    }

    /// Milliseconds a sector on tracks of each length.
    pub(crate) fn paces(&self) -> Vec<(u64, f64)> {
        let mut lengths: Vec<u64> =
            self.walk.pieces.list.iter().flat_map(|piece| piece.sectors.clone()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.into_iter().filter_map(|it| Some((it, self.walk.slope(it)?))).collect()
    }
}

impl TrackMap {
    /// How many tracks of the first cylinder are shorter than its longest.
    pub(crate) fn shorter_tracks(&self) -> usize {
        let surfaces = self.layout.surfaces.ok().unwrap_or(0.0) as u64;
        let lengths = (0..surfaces).filter_map(|track| Some(track_of(&self.pieces, track)?.1));
        let lengths: Vec<u64> = lengths.collect();
        let most = lengths.iter().max();
        lengths.iter().filter(|length| Some(*length) != most).count()
    }

    /// With a doubt of how many tracks there are where one may be two, and of skews that no one else looks at.
    pub(super) fn counted(mut self) -> Self {
        self.doubt_skews();
        let surfaces = self.layout.surfaces.ok().map_or(1, |count| count as u64);
        let two = two_in_one(&self.pieces, &self.first_tracks, &self.last_known, surfaces);
        if let Some(lba) = two.filter(|_| self.status == Status::Ok) {
            self.status = Status::Ambiguous;
            self.note = format!(
                "the track before sector {lba} may be one short of spares and the next zone's"
            );
        }
        self
    }

    /// Skews are whole sectors: one that is not known so well is none, nor one of tracks whose ends did not show.
    fn doubt_skews(&mut self) {
        /// Of so many tracks one.
        const HIDDEN: u64 = 10;
        let turn_ms = self.rotation_ms.value.unwrap_or(f64::INFINITY);
        let longest = self.pieces.iter().flat_map(|piece| &piece.sectors).max();
        let sector_ms = turn_ms / *longest.unwrap_or(&1) as f64;
        for skew in [&mut self.track_switch_ms, &mut self.other_switch_ms] {
            // A whole turn is none.
            if skew.value.is_some_and(|it| turn_ms - it <= enough_ms(0.0, sector_ms)) {
                *skew = skew.clone().less(turn_ms);
            }
            // Of few steps, each has what completions are gathered over.
            let few = [STEPS, METHOD].contains(&skew.method);
            let open_ms = skew.half_width() + if few { self.gathered_ms } else { 0.0 };
            if open_ms > enough_ms(skew.value.unwrap_or(0.0), sector_ms) {
                skew.doubt(NOT_TO_THE_SECTOR);
            }
            if self.hidden_boundaries > self.tracks / HIDDEN {
                skew.doubt("the ends of too many tracks do not show");
            }
        }
        let head_first = self.layout.class.value == Some("head-first");
        let surfaces = self.layout.surfaces.ok().unwrap_or(1.0);
        let usual = &mut self.track_switch_ms;
        if head_first
            && self.other_switch_ms.value.is_none()
            && mixed_ms(self.gathered_ms, surfaces)
                > enough_ms(usual.value.unwrap_or(0.0), sector_ms)
        {
            usual.doubt(MIXED);
        }
        if head_first && self.shorter_tracks() > 1 {
            self.other_switch_ms.doubt("tracks of a cylinder are not alike");
        }
        self.track_switch_pct = share(&self.track_switch_ms, &self.rotation_ms);
    }
}

const NO_TIME: &str = "there was no time left";
const TOO_LONG: &str = "what makes the cache forget takes too long";
/// Skews that differ by less, in parts of what completions are gathered over, may be alike.
const GATHERINGS: f64 = 1.5;
/// Of a revolution, so much has sectors with addresses on any track: the others are spare.
const FILLED: f64 = 0.6;
/// Tracks of a pass over one surface of several, several times as many as any drive is known to have.
const WIDE: u64 = 2_000;

fn of(survey: &Survey) -> TrackMap {
    let mut rotation_ms = survey
        .widened_rotation()
        .unwrap_or_else(|| Estimate::unsupported("rotation", "not measured"));
    // Of several revolutions, or of what are no tracks, sectors fill a part.
    let turn_share = turn_share(survey);
    let filled = turn_share.is_none_or(|share| share > FILLED);
    if survey.walk.pieces.tracks() < SEVERAL || !filled {
        rotation_ms.doubt("no tracks confirm that it is one revolution, and not several");
    }
    let pieces = shown_pieces(survey);
    let tracks = pieces.last().map_or(0, |last| last.first_track + last.tracks());
    let (status, note) = status(survey);
    let mut layout = match (&survey.pattern, &survey.movements) {
        _ if survey.is_out_of_time() => none(NO_TIME),
        (Some(pattern), Some(movements)) => {
            guess(pattern, movements, &survey.walk.pieces, |length| survey.walk.slope(length))
        }
        _ => none("too few tracks"),
    };
    doubt_counts(&mut layout, status, &pieces);
    if busy(survey).is_some() {
        layout.doubt("the drive is busy near the ends of tracks: what was found is no tracks");
    }
    if survey.other_zones == OtherZones::Another {
        layout.doubt("movements in another zone contradict the order");
    }
    if status != Status::Ok && tracks < WIDE && layout.class.value == Some("one-surface") {
        for finding in [&mut layout.class, &mut layout.order, &mut layout.surface_order] {
            finding.doubt();
        }
        layout.class.alternatives.push("seek-first");
        layout.surfaces.doubt("a pass over one of several may be wider than what was seen");
    }
    let (mut track_switch_ms, mut other_switch_ms) = switches(survey, &layout);
    layout.within.settle(&mut track_switch_ms, &mut other_switch_ms);
    doubt_other(&mut other_switch_ms, status, &layout, rotation_ms.value);
    if layout.class.value.is_none() {
        track_switch_ms.doubt("no order of tracks confirms it");
    }
    if let (Some(track), Some(other)) = (track_switch_ms.value, other_switch_ms.value)
        && (track - other).abs() < GATHERINGS * survey.grain().gathered_ms()
    {
        other_switch_ms
            .doubt("skews that differ by no more than completions are gathered over look alike");
    }
    let track_switch_pct = share(&track_switch_ms, &rotation_ms);
    TrackMap {
        status,
        note,
        rotation_ms,
        tracks,
        hidden_boundaries: survey.walk.hidden,
        seen_tracks: survey.walk.looked_at.tracks().min(tracks),
        most_missed_pct: survey.walk.looked_at.most_missed_pct(tracks),
        pieces,
        track_switch_ms,
        track_switch_pct,
        other_switch_ms,
        first_switches_ms: first_switches(survey, layout.within),
        gathered_ms: survey.grain().gathered_ms(),
        unfollowed_ticks_ms: survey.grain().unfollowed_ticks_ms,
        jitter_ms: survey.turn.map(|turn| turn.jitter),
        turn_share,
        paces: survey.paces(),
        first_tracks: first_tracks(survey),
        last_known: survey.walk.mend.last_known.clone().unwrap_or_default(),
        layout,
        seeks: seeks(survey),
    }
}

/// Leaves surfaces and passes unsure where a map that is not certain, or passes without data, make others of them.
fn doubt_counts(layout: &mut LayoutGuess, status: Status, pieces: &[Piece]) {
    if status != Status::Ok && layout.serpentine_cylinders.ok().is_some() {
        // A track that was missed, or one too many, makes a pass another width.
        for count in [&mut layout.surfaces, &mut layout.serpentine_cylinders] {
            count.doubt("the map of the tracks is not certain");
        }
    }
    if leaves_passes(pieces, layout) {
        layout.surfaces.doubt(
            "zones end within groups of passes: some hold no data, or there are other surfaces",
        );
    }
}

/// Tracks as found; none where the walk failed before any length came again: its ends may be no tracks'.
fn shown_pieces(survey: &Survey) -> Vec<Piece> {
    let pieces = &survey.walk.pieces.list;
    let recurs = pieces.iter().any(|piece| piece.tracks() >= SEVERAL);
    if survey.walk.failed.is_some() && !recurs { Vec::new() } else { continued(pieces) }
}

fn first_tracks(survey: &Survey) -> BTreeMap<u64, FirstTrack> {
    let Some(turn) = survey.turn else { return BTreeMap::new() };
    let scatter = Scatter { jitter_ms: turn.jitter, gathered_ms: survey.grain.gathered_ms() };
    let densities = survey.walk.mend.densities.iter();
    densities.flat_map(|it| it.told(scatter, turn.period)).collect()
}

fn turn_share(survey: &Survey) -> Option<f64> {
    let period = survey.turn?.period;
    let shares: Vec<f64> =
        survey.paces().into_iter().map(|(length, pace)| length as f64 * pace / period).collect();
    median(&shares)
}

/// Whether there is a map, and why not.
pub(super) fn status(survey: &Survey) -> (Status, String) {
    let (walk, rotation_ms) = (&survey.walk, &survey.rotation_ms);
    let rotation = rotation_ms.as_ref().map_or(Status::Unsupported, |period| period.status);
    let pieces = &walk.pieces.list;
    match (&walk.failed, rotation) {
        (_, Status::Ambiguous | Status::Unsupported) => (
            Status::Unsupported,
            format!("no rotation shows: {}", rotation_ms.as_ref().map_or("", |it| &it.note)),
        ),
        (Some(why), _) => (Status::Ambiguous, why.clone()),
        (None, Status::Ok) => {
            let irregular = come_back(pieces) && pass_width(pieces).is_none();
            let notes = [
                survey.cut_at().map(|lba| {
                    let why = if survey.is_endless() { TOO_LONG } else { NO_TIME };
                    format!("{why} for the tracks from sector {lba} on")
                }),
                walk.mend
                    .unsure
                    .map(|lba| format!("the tracks from sector {lba} on are not certain")),
                irregular.then(|| {
                    "lengths of tracks come back, and not after passes of one width".into()
                }),
                busy(survey).map(|length| {
                    format!(
                        "sectors of tracks of {length} pass at another pace than those beside them: \
                         the drive is busy there, and its tracks are others"
                    )
                }),
                survey.is_out_of_time().then(|| format!("{NO_TIME} for the layout")),
            ];
            let notes: Vec<String> = notes.into_iter().flatten().collect();
            (if notes.is_empty() { Status::Ok } else { Status::Ambiguous }, notes.join("; "))
        }
    }
}

/// The length of tracks that recur beside others and have a pace that these cannot have: where requests wait for
/// the controller at a track's end, they are complete all at once, or farther apart than sectors are.
fn busy(survey: &Survey) -> Option<u64> {
    /// No surface of a cylinder is denser by so much.
    const DENSER: f64 = 1.5;
    let pace = |length: &u64| survey.walk.slope(*length);
    let cycles = survey.walk.pieces.list.iter().filter(|piece| piece.tracks() >= SEVERAL);
    cycles.filter(|piece| piece.sectors.len() > 1).find_map(|piece| {
        let longest = pace(piece.sectors.iter().max()?)?;
        let other = |length: &&u64| {
            pace(length).is_some_and(|pace| !(longest / DENSER..longest * DENSER).contains(&pace))
        };
        piece.sectors.iter().find(other).copied()
    })
}

fn none(why: &'static str) -> LayoutGuess {
    LayoutGuess {
        class: Finding::unsupported(why),
        order: Finding::unsupported(why),
        surface_order: Finding::unsupported(why),
        seek_direction: Finding::unsupported(why),
        surfaces: Estimate::unsupported(METHOD, why),
        serpentine_cylinders: Estimate::unsupported(METHOD, why),
        within: Within::default(),
    }
}

fn seeks(survey: &Survey) -> Vec<TrackSeek> {
    let Some(movements) = &survey.movements else { return Vec::new() };
    let seek = |(distance_tracks, time_ms, half_width_ms)| TrackSeek {
        distance_tracks,
        time_ms,
        half_width_ms,
    };
    movements.profile().map(seek).collect()
}
