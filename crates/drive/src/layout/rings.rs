//! Tracks of a zone that are not all alike: surfaces of different density, with data of different
//! length, or passes that are listed with both.

use super::order::Sequence;
use crate::{Listed, Pass, Sparing, ZoneParams};
use platterlab_units::Angle;

/// Successive tracks on one surface.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Tracks, sectors and data sectors before it, and the rotation of what is before it.
    tracks: u64,
    raw: u64,
    data: u64,
    turned: Angle,
    /// Of each of its tracks.
    per_track: u32,
    data_per_track: u32,
    turn: Angle,
}

/// A sector of a track, found from a count of sectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RingSector {
    pub(crate) track: u64,
    pub(crate) sector: u32,
    /// Sectors around the track, and those that hold data.
    pub(crate) per_track: u32,
    pub(crate) data_per_track: u32,
}

/// All tracks of a zone, as stretches in the order of their addresses.
#[derive(Clone, Debug)]
pub(crate) struct Rings {
    /// One cycle of the order, closed by what follows it.
    cycle: Vec<Stretch>,
    /// The same for what is left after the last whole cycle.
    rest: Vec<Stretch>,
    cycles: u64,
}

impl Rings {
    /// The rings of a zone whose tracks differ; `None` where they are all alike.
    pub(crate) fn of(zone: &ZoneParams, sequence: &Sequence, tracks: u64) -> Option<Self> {
        let cycle = sequence.cycle_tracks().clamp(1, tracks);
        let cycles = tracks / cycle;
        if let Some(order) = zone.listed() {
            let rest = vec![end(0, 0, 0, Angle::ZERO)];
            return Some(Self { cycle: listed(order), rest, cycles });
        }
        let scattered =
            zone.order.seeks_first() && matches!(zone.sparing, Sparing::Cylinder { .. });
        let even = zone.surface_sectors.is_empty() && zone.surface_data_sectors.is_empty();
        if even && !scattered && !zone.skew_from_data_end {
            return None;
        }
        Some(Self {
            cycle: stretches(zone, sequence, 0, cycle),
            rest: stretches(zone, sequence, cycles * cycle, tracks),
            cycles,
        })
    }

    /// Stretches and the number of cycles before them, for the one that `count` is in.
    fn split(&self, count: u64, of: impl Fn(&Stretch) -> u64) -> (&[Stretch], u64, u64) {
        let whole = self.cycle.last().map_or(0, &of);
        let cycles = count.checked_div(whole).map_or(0, |cycles| cycles.min(self.cycles));
        let part = if cycles < self.cycles { &self.cycle } else { &self.rest };
        (part, cycles, count - cycles * whole)
    }

    /// Where the `count`-th sector is: of all, or of those that hold data.
    fn find(
        &self,
        count: u64,
        of: impl Fn(&Stretch) -> u64,
        per_track: impl Fn(&Stretch) -> u32,
    ) -> RingSector {
        let (part, cycles, left) = self.split(count, &of);
        let at = part.partition_point(|stretch| of(stretch) <= left).saturating_sub(1);
        // Stretches without data begin where the next one does: that is the one found.
        let stretch = part[at];
        let (track, sector) = super::divide(left - of(&stretch), per_track(&stretch).max(1));
        RingSector {
            track: cycles * self.cycle_tracks() + stretch.tracks + track,
            sector,
            per_track: stretch.per_track,
            data_per_track: stretch.data_per_track,
        }
    }

    fn cycle_tracks(&self) -> u64 {
        self.cycle.last().map_or(0, |end| end.tracks)
    }

    /// The raw sector number `count` of the zone.
    pub(crate) fn raw(&self, count: u64) -> RingSector {
        self.find(count, |stretch| stretch.raw, |stretch| stretch.per_track)
    }

    /// The data sector number `count` of the zone.
    pub(crate) fn data(&self, count: u64) -> RingSector {
        self.find(count, |stretch| stretch.data, |stretch| stretch.data_per_track)
    }

    /// Sectors, and data sectors, before a track.
    pub(crate) fn before(&self, track: u64) -> (u64, u64) {
        let (part, cycles, left) = self.split(track, |stretch| stretch.tracks);
        let whole = self.cycle.last().map_or((0, 0), |end| (end.raw, end.data));
        let at = part.partition_point(|stretch| stretch.tracks <= left).saturating_sub(1);
        let Some(stretch) = part.get(at) else { return (cycles * whole.0, cycles * whole.1) };
        let within = left - stretch.tracks;
        (
            cycles * whole.0 + stretch.raw + within * u64::from(stretch.per_track),
            cycles * whole.1 + stretch.data + within * u64::from(stretch.data_per_track),
        )
    }

    /// Sectors around a track.
    pub(crate) fn around(&self, track: u64) -> u32 {
        let (part, _, left) = self.split(track, |stretch| stretch.tracks);
        let at = part.partition_point(|stretch| stretch.tracks <= left).saturating_sub(1);
        part[at].per_track
    }

    /// How far a track is turned by what is before it: by the data of the tracks, where skews count
    /// from their ends, or as a listed order says.
    pub(crate) fn turned(&self, track: u64) -> Angle {
        let (part, cycles, left) = self.split(track, |stretch| stretch.tracks);
        let whole = self.cycle.last().map_or(Angle::ZERO, |end| end.turned);
        let at = part.partition_point(|stretch| stretch.tracks <= left).saturating_sub(1);
        let Some(stretch) = part.get(at) else { return whole.times(cycles) };
        whole.times(cycles) + stretch.turned + stretch.turn.times(left - stretch.tracks)
    }
}

/// What each pass of a listed order says of its tracks, and an end that closes a group's.
fn listed(order: &Listed) -> Vec<Stretch> {
    let mut list = Vec::with_capacity(order.passes.len() + 1);
    let (mut tracks, mut raw, mut data) = (0, 0, 0);
    for pass in &order.passes {
        let Pass { sectors_per_track, data_sectors, .. } = *pass;
        list.push(Stretch {
            tracks,
            raw,
            data,
            turned: pass.first_angle,
            per_track: sectors_per_track,
            data_per_track: data_sectors,
            turn: pass.skew,
        });
        let own = u64::from(pass.cylinders[0].abs_diff(pass.cylinders[1])) + 1;
        tracks += own;
        raw += own * u64::from(sectors_per_track);
        data += own * u64::from(data_sectors);
    }
    list.push(end(tracks, raw, data, order.group_skew));
    list
}

fn end(tracks: u64, raw: u64, data: u64, turned: Angle) -> Stretch {
    Stretch { tracks, raw, data, turned, per_track: 1, data_per_track: 1, turn: Angle::ZERO }
}

/// The tracks from one to another, and an end that closes them.
fn stretches(zone: &ZoneParams, sequence: &Sequence, from: u64, to: u64) -> Vec<Stretch> {
    let mut list = Vec::new();
    let (mut raw, mut data, mut turned) = (0, 0, Angle::ZERO);
    let mut track = from;
    while track < to {
        let (length, last) = sequence.stretch(track);
        let tracks = length.min(to - track);
        let surface = sequence.place(track).surface as usize;
        let per_track =
            zone.surface_sectors.get(surface).copied().unwrap_or(zone.sectors_per_track);
        let data_per_track = match zone.sparing {
            Sparing::Track { sectors } => per_track.saturating_sub(sectors),
            Sparing::Cylinder { sectors } if last => per_track.saturating_sub(sectors),
            _ => zone.surface_data_sectors.get(surface).copied().unwrap_or(per_track),
        };
        let turn = if zone.skew_from_data_end {
            Angle::of_slots(u64::from(data_per_track), u64::from(per_track))
        } else {
            Angle::ZERO
        };
        let tracks_before = track - from;
        list.push(Stretch {
            tracks: tracks_before,
            raw,
            data,
            turned,
            per_track,
            data_per_track,
            turn,
        });
        raw += tracks * u64::from(per_track);
        data += tracks * u64::from(data_per_track);
        turned = turned + turn.times(tracks);
        track += tracks;
    }
    list.push(end(to - from, raw, data, turned));
    list
}
