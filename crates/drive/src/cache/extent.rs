//! How far a drive reads beyond a request: one answer for each way to read ahead.

use crate::layout::Layout;
use crate::{CacheParams, ReadAhead, ReadAheadAfter};

/// The first address read-ahead leaves alone, after a read of `lba..end`; `sequential` says whether
/// it began where the last command, a read, ended.
pub(crate) fn limit(
    cache: &CacheParams,
    layout: &Layout,
    (lba, end): (u64, u64),
    sequential: bool,
) -> u64 {
    let wanted = match cache.read_ahead {
        ReadAhead::None => return end,
        _ if cache.read_ahead_after == ReadAheadAfter::SequentialReads && !sequential => {
            return end;
        }
        ReadAhead::Aggressive => end + u64::from(cache.segment_sectors),
        ReadAhead::Cylinder => end_of_cylinder(layout, end - 1),
        ReadAhead::TrackOrNext => {
            let track = end_of_track(layout, lba);
            if end < track { track } else { end_of_track_at(layout, end_of_track_at(layout, end)) }
        }
        ReadAhead::Track | ReadAhead::WholeTrack | ReadAhead::OnArrival => {
            let track = end_of_track(layout, end - 1);
            let next = cache.read_ahead_next_track && sequential;
            if next { end_of_track_at(layout, track) } else { track }
        }
    };
    let least = end + u64::from(cache.read_ahead_least_sectors);
    let most = cache.read_ahead_most_sectors.unwrap_or(cache.segment_sectors);
    let limit = wanted.max(least).min(end + u64::from(most)).min(layout.capacity());
    if cache.read_ahead_over_requested {
        limit
    } else {
        limit.min(lba + u64::from(cache.segment_sectors)).max(end)
    }
}

/// The first address on the track of `lba` from which all sectors up to it pass one after the other.
pub(crate) fn start_of_track(layout: &Layout, lba: u64) -> u64 {
    let passes = |before: u32| match lba.checked_sub(u64::from(before)) {
        Some(first) => layout.run(first, before + 1).sectors == before + 1,
        None => false,
    };
    let (mut known, mut beyond) = (0, layout.run(lba, 1).sector + 1);
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
pub(crate) fn end_of_track(layout: &Layout, lba: u64) -> u64 {
    let at = layout.run(lba, 1);
    let mut run = at;
    let mut end = lba;
    loop {
        run = layout.run(end, at.sectors_per_track - run.sector);
        if (run.cylinder, run.surface) != (at.cylinder, at.surface) || run.sector < at.sector {
            return end;
        }
        end += u64::from(run.sectors);
        if run.sector + run.sectors == at.sectors_per_track || end == layout.capacity() {
            return end;
        }
    }
}

/// The same; the end of the drive has no track behind it.
fn end_of_track_at(layout: &Layout, lba: u64) -> u64 {
    if lba < layout.capacity() { end_of_track(layout, lba) } else { lba }
}

fn end_of_cylinder(layout: &Layout, lba: u64) -> u64 {
    let cylinder = layout.run(lba, 1).cylinder;
    let mut end = end_of_track(layout, lba);
    while end < layout.capacity() && layout.run(end, 1).cylinder == cylinder {
        end = end_of_track(layout, end);
    }
    end
}
