//! The extent of read-ahead beyond a request: one answer for each way to read ahead.

use crate::layout::Tracks;
use crate::{CacheParams, ReadAhead, ReadAheadAfter};
use std::ops::Range;

/// The first address read-ahead leaves alone, after a `read`; `sequential` says whether
/// it goes on from the last command.
pub(crate) fn limit(
    cache: &CacheParams,
    tracks: &mut Tracks<'_>,
    read: Range<u64>,
    sequential: bool,
) -> u64 {
    let Range { start: lba, end } = read;
    let wanted = match cache.read_ahead {
        ReadAhead::None => return end,
        _ if cache.read_ahead_after != ReadAheadAfter::AnyRead && !sequential => return end,
        ReadAhead::Aggressive => end + u64::from(cache.segment_sectors),
        ReadAhead::Cylinder => end_of_cylinder(tracks, end - 1),
        ReadAhead::TrackOrNext => {
            let track = end_of_track(tracks, lba);
            if end < track {
                track
            } else {
                let next = end_of_track_at(tracks, end);
                end_of_track_at(tracks, next)
            }
        }
        ReadAhead::Track | ReadAhead::WholeTrack | ReadAhead::OnArrival => {
            let track = end_of_track(tracks, end - 1);
            let next = cache.read_ahead_next_track && sequential;
            if next { end_of_track_at(tracks, track) } else { track }
        }
    };
    let least = end + u64::from(cache.read_ahead_least_sectors);
    let most = cache.read_ahead_most_sectors.unwrap_or(cache.segment_sectors);
    let limit = wanted.max(least).min(end + u64::from(most)).min(tracks.capacity());
    if cache.read_ahead_over_requested {
        limit
    } else {
        limit.min(lba + u64::from(cache.segment_sectors)).max(end)
    }
}

/// The first address on the track of `lba` from which all sectors up to it pass one after the other.
pub(crate) fn start_of_track(tracks: &mut Tracks<'_>, lba: u64) -> u64 {
    let (mut known, mut beyond) = (0, tracks.run(lba, 1).sector + 1);
    let mut passes = |before: u32| match lba.checked_sub(u64::from(before)) {
        Some(first) => tracks.run(first, before + 1).sectors == before + 1,
        None => false,
    };
    // Mostly nothing but data comes before it: then the first question is the last one.
    let mut before = beyond - 1;
    while beyond - known > 1 {
        if passes(before) {
            known = before;
        } else {
            beyond = before;
        }
        before = known + (beyond - known) / 2;
    }
    lba - u64::from(known)
}

/// The first address after `lba` that is not on the same track behind it. Sectors without data do not
/// end a track.
pub(crate) fn end_of_track(tracks: &mut Tracks<'_>, lba: u64) -> u64 {
    let mut run = tracks.run(lba, u32::MAX);
    let mut end = lba + u64::from(run.sectors);
    while run.sector + run.sectors < run.sectors_per_track && end < tracks.capacity() {
        let next = tracks.run(end, u32::MAX);
        if (next.cylinder, next.surface) != (run.cylinder, run.surface) || next.sector < run.sector
        {
            break;
        }
        run = next;
        end += u64::from(run.sectors);
    }
    end
}

/// The same; the end of the drive has no track behind it.
fn end_of_track_at(tracks: &mut Tracks<'_>, lba: u64) -> u64 {
    if lba < tracks.capacity() { end_of_track(tracks, lba) } else { lba }
}

fn end_of_cylinder(tracks: &mut Tracks<'_>, lba: u64) -> u64 {
    let cylinder = tracks.run(lba, 1).cylinder;
    let mut end = end_of_track(tracks, lba);
    while end < tracks.capacity() && tracks.run(end, 1).cylinder == cylinder {
        end = end_of_track(tracks, end);
    }
    end
}
