//! A cache for DiskSim: the rules that DiskSim's own answers show, or none.

use platterlab_drive::{
    CacheParams, DriveParams, OnHit, Overwritten, ReadAhead, ReadAheadAfter, ReadAheadEnds,
    WriteReport,
};
use platterlab_units::Span;

/// The parameters of the cache; what DiskSim's cache does otherwise goes to `lost`.
pub(super) fn lines(params: &DriveParams, lost: &mut Vec<String>) -> Vec<String> {
    let cache = &params.cache;
    if cache.segments == 0 {
        if cache.write_report != WriteReport::Media {
            lost.push("cache.write_report: DiskSim reports early only with segments".to_owned());
        }
        return vec!["   Enable caching in buffer = 0,".to_owned()];
    }
    lost.extend(differences(params).into_iter().map(str::to_owned));
    let flag = u32::from;
    let kind = match cache.read_ahead {
        ReadAhead::None => 0,
        ReadAhead::TrackOrNext => 4,
        ReadAhead::Track if cache.read_ahead_next_track => 4,
        ReadAhead::Track => 1,
        ReadAhead::Cylinder => 2,
        _ => 3,
    };
    let stated = [
        ("Enable caching in buffer", 1),
        ("Number of buffer segments", cache.segments),
        ("Segment size (in blks)", cache.segment_sectors),
        (
            "Maximum number of write segments",
            cache.write_segments.map_or(cache.segments, |most| most.min(cache.segments)),
        ),
        ("Use separate write segment", flag(cache.separate_write_segments)),
        ("Fast write level", if cache.write_report == WriteReport::BufferInTurn { 2 } else { 0 }),
        ("Buffer continuous read", kind),
        ("Minimum read-ahead (blks)", cache.read_ahead_least_sectors),
        (
            "Maximum read-ahead (blks)",
            cache.read_ahead_most_sectors.unwrap_or(cache.segment_sectors),
        ),
        ("Read-ahead on idle hit", flag(cache.read_ahead_on_hit == OnHit::Start)),
        ("Stop prefetch in sector", flag(cache.read_ahead_stops_in_sector)),
        ("Immediate buffer read", 0),
        ("Immediate buffer write", 0),
        ("Allow almost read hits", flag(cache.almost_hits)),
        ("Allow read hits on write data", flag(cache.hits_on_written)),
        ("Immed transfer partial hit", flag(cache.partial_hits_at_once)),
        ("Write hit stop prefetch", 1),
        ("Read directly to buffer", 1),
    ];
    let over = if cache.read_ahead_over_requested { 1 } else { -1 };
    let stated = stated.iter().map(|(name, value)| format!("   {name} = {value},"));
    stated.chain([format!("   Read-ahead over requested = {over},")]).collect()
}

/// Each rule that DiskSim's cache does not have.
fn differences(params: &DriveParams) -> Vec<&'static str> {
    let cache = &params.cache;
    let CacheParams { read_ahead, read_ahead_on_hit, .. } = cache;
    let zones = &params.layout.zones;
    let track = zones.iter().map(|zone| zone.sectors_per_track).max().unwrap_or(0);
    let furthest = match read_ahead {
        ReadAhead::TrackOrNext => track.saturating_mul(2),
        ReadAhead::Track if cache.read_ahead_next_track => track.saturating_mul(2),
        ReadAhead::Track => track,
        ReadAhead::Cylinder => track.saturating_mul(params.layout.surfaces),
        _ => 0,
    };
    let most = cache.read_ahead_most_sectors.unwrap_or(cache.segment_sectors);
    let reads_on = *read_ahead != ReadAhead::None;
    let rules = [
        (cache.overwritten == Overwritten::Dropped, "cache.overwritten: DiskSim drops segments"),
        (!cache.combine_writes, "cache.combine_writes: DiskSim's writes combine only as they wait"),
        (cache.keep_after_hit, "cache.keep_after_hit: DiskSim keeps data"),
        (cache.keep_after_miss, "cache.keep_after_miss: DiskSim keeps data"),
        (cache.partial_hits, "cache.partial_hits: DiskSim uses them"),
        (cache.hits_in_flight, "cache.hits_in_flight: DiskSim waits for what is passing"),
        (cache.write_back.is_none(), "cache.write_back: DiskSim writes at once"),
        (
            matches!(cache.write_report, WriteReport::Media | WriteReport::BufferInTurn),
            "cache.write_report: DiskSim's fast writes go by other rules",
        ),
        (
            !matches!(read_ahead, ReadAhead::WholeTrack | ReadAhead::OnArrival),
            "cache.read_ahead: DiskSim has nothing that was before the request",
        ),
        (
            cache.read_ahead_after == ReadAheadAfter::AnyRead || !reads_on,
            "cache.read_ahead_after: DiskSim reads on after any read",
        ),
        (
            !cache.read_ahead_next_track || *read_ahead == ReadAhead::Track,
            "cache.read_ahead_next_track: in DiskSim only together with the rest of the track",
        ),
        (cache.read_ahead_abandoned == 0, "cache.read_ahead_abandoned: DiskSim always reads on"),
        (
            matches!(read_ahead_on_hit, OnHit::Continue | OnHit::Start) || !reads_on,
            "cache.read_ahead_on_hit: DiskSim continues or starts again",
        ),
        (
            !cache.hits_on_later_tracks,
            "cache.hits_on_later_tracks: DiskSim waits for what is on this track",
        ),
        (cache.read_ahead_hold == Span::ZERO, "cache.read_ahead_hold_ms: DiskSim's ends at once"),
        (
            cache.read_ahead_ends == ReadAheadEnds::OtherCommand || !reads_on,
            "cache.read_ahead_ends: DiskSim ends it as another command arrives",
        ),
        (
            !cache.zero_latency_write,
            "cache.zero_latency_write: DiskSim's writes begin at the first sector",
        ),
        (
            most >= furthest,
            "cache.read_ahead_most: DiskSim continues to the end of track or cylinder",
        ),
        (
            !cache.zero_latency_read,
            "cache.zero_latency_read: DiskSim's reads keep the order of addresses",
        ),
    ];
    rules.into_iter().filter(|(same, _)| !same).map(|(_, what)| what).collect()
}
