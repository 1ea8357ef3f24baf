"""What each value that `characterize --json` prints as `ok` is compared with, by its key."""

_LEAST = "of reads, or where it was written of writes; what the host adds, also"
_SKEW = "to a sector or 2 %"

VALUES: dict[str, str] = {
    "rotation_ms": "the rotation period, to 0.01 %",
    "sectors_per_track": "sectors with an address around a track of the first zone",
    "surfaces": "surfaces",
    "mtm_ms": f"the drive's controller and bus, {_LEAST}; to 5 % and 0.03 ms",
    "overhead_ms": f"the drive's controller and bus, {_LEAST}; to 5 % and 0.03 ms",
    "access_ms": f"the same and a sector, {_LEAST}; to 5 % and 0.03 ms",
    "stm_sectors": "sectors that pass in the minimum time to media, and one; to two sectors and "
    "its interval",
    "sector_ms": "the rotation period over sectors around a track of the first zone, spares "
    "counted in or not; to 0.03 %",
    "track_skew_ms": "the track skew of the first zone; where cylinders come first, that from "
    f"cylinder to cylinder; with one surface there is none; {_SKEW}",
    "cylinder_skew_ms": f"the cylinder skew of the first zone; {_SKEW}",
    "head_switch_ms": "the switch of heads, of reads; to 5 % and 0.03 ms",
    "spikes_head_switch_ms": "the switch of heads, of reads or where it was written of writes, to "
    "two sectors more",
    "cylinder_switch_ms": "the seek over one cylinder, of reads; to 5 % and 0.03 ms",
    "outer_mib_s": "sectors of a cylinder over its turns and skews, in the first zone, to 3 %; not "
    "what is labelled `not the media's`",
    "predicted_outer_mib_s": "the same",
    "inner_mib_s": "the same of the last zone",
    "seek_min_ms": "the seek over one cylinder, with what a write settles or without; to 5 %",
    "seek_max_ms": "the seek over all cylinders, the same way",
    "seek_scatter_ms": "nothing: no drive of the study has one",
    "jitter_ms": "the host's jitter: at least half of it, at most twice or that with all late "
    "completions, and what the clock counts in and interrupts are gathered over",
}
"""Under `values`."""

ZONES: dict[str, str] = {
    "first_lba": "the first sector of a zone",
    "sectors_per_track": "sectors with an address around a track of the zone",
    "surface_sectors_per_track": "sectors around the tracks of its surfaces, in any order",
    "skippy_sectors_per_track": "sectors around a track of the zone, to 1 % or its interval",
    "track_skew_ms": "as under `values`, in the zone",
    "cylinder_skew_ms": "as under `values`, in the zone",
    "mib_s": "as `outer_mib_s`, in the zone",
}
"""Of each zone, under `zones`."""

MAP: dict[str, str] = {
    "rotation_ms": "the rotation period, to 0.01 %",
    "tracks": "tracks with an address, where the status is `complete`",
    "track_switch_ms": "as `track_skew_ms`, in any zone; with one surface the cylinder skew",
    "track_switch_pct": "the same, as a share of a revolution",
    "other_switch_ms": "with heads first the cylinder skew, with cylinders first that from pass "
    f"to pass, in any zone; with one surface there is none; {_SKEW}",
    "layout": "the class, the order of tracks, the surfaces and the cylinders of a pass",
}
"""With `--tracks`, under `map`."""
