"""Seeks and switches of a measured drive, as a profile states them."""

from platterlab.answers import DriveModel, Extraction
from platterlab.datasheet import SKEW_USED
from platterlab.documents import Overrides
from platterlab.measure.origins import Origins, ok
from platterlab.measure.seek_table import SeekTable, seek_table

BY_READS = "least times of reads, those on the same track removed"


def seek(known: Origins, found: Extraction, model: DriveModel | None, bus_ms: float) -> Overrides:
    """The `seek` table: of reads where a simulated drive says how far they went."""
    table, how = seek_table(model["seeks"], 0.0) if model else SeekTable([]), BY_READS
    if len(table.points) < 2:
        table = seek_table(found["seeks"], max(bus_ms, _hidden_ms(found)))
        how = "least positioning times, MTM removed"
    if table.points:
        unsure = [it for it in (found["seek_min_ms"], found["seek_max_ms"]) if ok(it) is None]
        if unsure:
            reason = unsure[0]["note"] or "it was not measured"
            known.assumed("seek", f"{how}; not sure: {reason}. {table.note}")
        elif table.is_contradicted:
            known.assumed("seek", f"{how}, which contradict each other. {table.note}")
        else:
            known.measured("seek", how, None, table.note)
        return {"kind": "table", "points": [list(point) for point in table.points]}
    time_ms = ok(found["cylinder_switch_ms"])
    if time_ms is None:
        time_ms = ok(found["cylinder_skew_ms"]) or 0.0
    reason = found["seek_max_ms"]["note"] or "seeks were not measured"
    known.assumed("seek", f"not determined: {reason}; here the time to the next cylinder")
    return {"kind": "constant", "time_ms": max(time_ms, 0.0)}


def seek_scatter(known: Origins, found: Extraction) -> Overrides:
    """The `seek_scatter` table, where seeks take another time each time."""
    scatter = found["seek_scatter_ms"]
    time_ms = ok(scatter) if scatter else None
    if scatter is None or time_ms is None:
        return {}
    known.measured("seek_scatter", scatter["method"], scatter["ci95"])
    return {"seek_scatter": {"kind": "constant", "time_ms": time_ms}}


def _hidden_ms(found: Extraction) -> float:
    """What the least and the longest seek take more than the curve has at its ends.

    Of a write, that is the transfer over the interface while the arm moves.
    """
    curve = seek_table(found["seeks"], 0.0).points
    ends = [(found["seek_min_ms"], curve[0]), (found["seek_max_ms"], curve[-1])] if curve else []
    sure = [(ok(printed), time_ms) for printed, (_, time_ms) in ends]
    more_ms = [printed - time_ms for printed, time_ms in sure if printed is not None]
    return min(more_ms, default=0.0) if curve and curve[0][0] == 1 else 0.0


def switch(
    known: Origins,
    found: Extraction,
    model: DriveModel | None,
    bus_ms: float,
    *,
    streams: bool,
) -> dict[str, float]:
    """The `switch` table.

    Args:
        known: where the values come from is added to it.
        found: the extraction.
        model: the drive that the self-check simulated.
        bus_ms: what a sector takes over the interface, where that is slower than the media.
        streams: whether sequential reads are known to lose no time: switches take less than skews.
    """
    reads = _by_reads(model) if model else {}
    layout = found["layout"]
    # There heads change where passes end, of which the skew is another one.
    by_passes = layout is not None and layout["class"]["value"] == "seek-first"
    settle_ms = model["write_settle_ms"] if model else None
    table: dict[str, float] = {}
    for key, estimate, skew in (
        ("head_ms", found["head_switch_ms"], found["track_skew_ms"]),
        ("track_ms", found["cylinder_switch_ms"], found["cylinder_skew_ms"]),
    ):
        limit = ok(skew)
        value, how, ci95, note = ok(estimate), estimate["method"], estimate["ci95"], ""
        more_ms = bus_ms - max(settle_ms or 0.0, 0.0)
        unsure = value is None
        if key in reads:
            value, how, ci95, more_ms = reads[key], BY_READS, None, 0.0
        if value is None:
            # What is no skew may come out a little below none.
            table[key] = SKEW_USED * max(limit or 0.0, 0.0)
            reason = estimate["note"] or "it was not measured"
            known.assumed(
                f"switch.{key}", f"not determined: {reason}; here a little below the skew"
            )
            continue
        value += more_ms
        ci95 = [bound + more_ms for bound in ci95] if ci95 else None
        # A switch that is sure to be longer than the skew is stated as it was printed.
        sure = not unsure and ci95 is not None and limit is not None and ci95[0] > limit
        elsewhere = by_passes and key == "head_ms"
        if limit is not None and value > limit and streams and not sure and not elsewhere:
            value, ci95 = SKEW_USED * limit, None
            note = "Below the skew, as sequential reads lose no revolution at a boundary."
        table[key] = max(value, 0.0)
        if unsure:
            reason = estimate["note"] or "it was not measured"
            known.assumed(f"switch.{key}", f"{how}; not sure: {reason}")
        else:
            known.measured(f"switch.{key}", how, ci95, note)
    return table | _settles(known, settle_ms)


def _by_reads(model: DriveModel) -> dict[str, float]:
    """What reads tell of switches."""
    next_ms = [point["seek_ms"] for point in model["seeks"] if point["distance_cylinders"] == 1]
    told = {"head_ms": model["head_switch_ms"], "track_ms": next_ms[0] if next_ms else None}
    return {key: value for key, value in told.items() if value is not None}


def _settles(known: Origins, settle_ms: float | None) -> dict[str, float]:
    known.assumed("switch.settle_read_ms", "in the seek curve and the switch times")
    if settle_ms is None:
        known.assumed("switch.settle_write_ms", "in the seek curve and the switch times")
        return {"settle_read_ms": 0.0, "settle_write_ms": 0.0}
    note = "" if settle_ms >= 0 else "What the transfer hides is more."
    how = "what seeks by writes have more than those by reads"
    known.measured("switch.settle_write_ms", how, None, note)
    return {"settle_read_ms": 0.0, "settle_write_ms": max(settle_ms, 0.0)}
