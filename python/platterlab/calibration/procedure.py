"""The whole calibration: from a trace and a profile to a better profile.

The stages (`stages`) see the first part of the trace; `outcome.findings` judges on the rest. What
they found is kept as far as it is no worse than the start on some of the first part, unseen: which
stage, and which pieces of it (`judged`).
"""

from dataclasses import replace

from threadpoolctl import threadpool_limits

from platterlab._core import InputError
from platterlab.calibration.buffer.policies import CHOICES
from platterlab.calibration.buffer.slow_fence import find_slow_fence
from platterlab.calibration.job import STAGES, Calibration, Job, Progress
from platterlab.calibration.judged.pieces import (
    ALL,
    BUFFER,
    PLATTER,
    POSITIONING,
    Choice,
    Kept,
    assembled,
)
from platterlab.calibration.judged.refined import off_ms
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.platter.seek_scatter import find_scatter, likeliest, scatter_override
from platterlab.calibration.platter.slipped_layout import TAIL, near_share
from platterlab.calibration.platter.track_ends import find_track_ends
from platterlab.calibration.platter.track_order import in_order_of_runs, with_likelier_order
from platterlab.calibration.stages import calibrated
from platterlab.calibration.trace.observed import stated_of
from platterlab.calibration.trace.reading import Reading, read_trace
from platterlab.documents import Overrides

MET = 0.9
"""Of the requests, so many near the lattice: the order of tracks is the drive's."""

SURELY_MET, RUNS_MET = 0.6, 0.3
"""Of a zone's requests, so many agree by runs of tracks of another order: it is the drive's, or
what is found in it is held against what is found in the profile's."""

HELD_BACK = 0.2
"""Of the first part of the trace: what stages are judged on before all of it is fitted on."""


def calibrate(job: Job, progress: Progress = lambda _what, _share: None) -> Calibration:
    """Fits the profile to the first part of the trace.

    Raises:
        InputError: trace or profile are wrong, or not of the same drive.
    """
    if not 0 < job.share <= 1:
        raise InputError(f"a share of {job.share} to fit on; it must be above 0 and at most 1")
    job, own = _without_scatter(job)
    # Linear algebra on several threads adds in an order that depends on how many there are.
    with threadpool_limits(limits=1, user_api="blas"):
        found = replace(_never_worse(job, progress), own_scatter=own)
    progress("done", 1.0)
    return found


def _without_scatter(job: Job) -> tuple[Job, tuple[Overrides, Overrides]]:
    """The same from a start whose seeks are likeliest; how far they scatter, and whence."""
    stated, key = job.profile.stated(), "seek_scatter"
    if key not in stated:
        return job, ({}, {})
    origin = stated.get("provenance", {}).get(key, stated["source"])
    return replace(job, profile=likeliest(job.profile)), ({key: stated[key]}, {key: origin})


def _never_worse(job: Job, progress: Progress) -> Calibration:
    """What is found, as far as it is no worse than the start on requests that it did not see."""
    folder = job.resume / "held-back" if job.resume is not None else None
    tried = replace(job, share=job.share * (1 - HELD_BACK), resume=folder)
    progress("reading the trace", 0.0)
    try:
        held = _readings(tried)
    except InputError:
        # Too few to hold some of them back, or nothing can be done with the trace.
        found = _best(job, _readings(job), progress)
        part = Part(found.reading, slice(0, found.fitted))
        return found if part.best(job.profile, [found.profile]) == 0 else _started(found)
    start = job.profile
    if (other := in_order_of_runs(start, held[0], SURELY_MET)) is not None:
        job, tried = (replace(one, profile=other) for one in (job, tried))
        held = _readings(tried)
    before = _best(tried, held, lambda what, share: progress(what, 0.5 * share))
    before = replace(before, start=start)
    requests = before.reading.requests
    part = Part(before.reading, slice(before.fitted, int(len(requests) * job.share)))
    job, before = _without_slips(*_in_likelier_order(job, before, part), part)
    kept = _kept(part, before)
    if kept is None:
        return _started(before)
    # Where the gaps lie is known by now.
    readings = [*_readings(job, held[0].gap)[:1], *held[1:]]
    found = _best(
        job, readings, lambda what, share: progress(what, 0.5 + 0.5 * share), before
    )  # fmt: skip
    found = replace(found, start=start)
    chosen = _with_searched_cache(part, _up_to(found, kept))
    if part.best(start, [chosen.profile]) is None:
        return _started(found)
    return _with_scatter(part, _with_chance(part, chosen))


def _in_likelier_order(job: Job, before: Calibration, part: Part) -> tuple[Job, Calibration]:
    """What is found in an order of tracks that distances speak for, where it is surely nearer.

    With the profile to go on from, of which that is no value found: the start stays what it was.
    """
    profile, reading, angles = job.profile, before.reading, before.angles
    other = with_likelier_order(profile, reading)
    if other is None and (angles is None or near_share(reading, angles) < MET):
        other = in_order_of_runs(profile, reading, RUNS_MET)
    if other is None:
        return job, before
    laid = replace(job, profile=other)
    tried = replace(laid, share=job.share * (1 - HELD_BACK), resume=None)
    found = _best(tried, _readings(tried, before.reading.gap), lambda _what, _share: None)
    found = replace(found, start=before.start)
    nearer = part.is_surely_better(part.served(found.profile), part.served(before.profile))
    return (laid, found) if nearer and "zone" in found.overrides else (job, before)


def _without_slips(job: Job, before: Calibration, part: Part) -> tuple[Job, Calibration]:
    """What is found if nothing slips, where that is surely nearer than with what seemed to.

    What is late at the ends of tracks looks as if tracks ended some sectors earlier. Slips leave
    next to nothing off the lattice, if they are there.
    """
    angles, reading = before.angles, before.reading
    if "defect" not in before.overrides or angles is None or near_share(reading, angles) > 1 - TAIL:
        return job, before
    plain = replace(job, slips=False)
    tried = replace(plain, share=job.share * (1 - HELD_BACK), resume=None)
    found = _best(tried, _readings(tried, reading.gap), lambda _what, _share: None)
    found = replace(found, start=before.start)
    nearer = part.is_surely_better(part.served(found.profile), part.served(before.profile))
    return (plain, found) if nearer else (job, before)


def _with_searched_cache(part: Part, found: Calibration) -> Calibration:
    """The same with the policies that a search found, where times speak for them.

    Which reads the buffer answers did not surely tell them from those of the start. Requests are to
    be nearer by them among those that were held back, and all in all.
    """
    cache, kept = found.cache, found.kept
    if not (cache and cache.searched and kept and BUFFER in kept.pieces):
        return found
    stated = found.profile.stated()["cache"]
    table = {name: word for name, word in stated.items() if name not in CHOICES}
    # When writes are reported the whole model may have told since.
    policies = {key: word for key, word in cache.searched.items() if key != "cache.write_report"}
    searched = {key.removeprefix("cache."): word for key, word in policies.items()}
    profile = found.profile.with_overrides({"cache": table | searched})
    own, other = part.served(found.profile), part.served(profile)
    whole = Part(part.reading, slice(0, part.rows.stop))
    if any(one.cost(other) >= one.cost(own) for one in (part, whole)):
        return found
    gone = {f"cache.{name}" for name in CHOICES}
    rest = {key: word for key, word in found.overrides.items() if key not in gone}
    return replace(found, profile=profile, overrides=rest | policies)


def _with_chance(part: Part, found: Calibration) -> Calibration:
    """The same with read-ahead that is given up by chance, where the distribution gains by it.

    What is drawn is right of no single request, so that it is judged by itself.
    """
    if (
        not (found.cache and found.cache.abandoned and found.kept)
        or BUFFER not in found.kept.pieces
    ):
        return found
    more = {"cache.read_ahead_abandoned": found.cache.abandoned}
    profile = found.profile.with_overrides(more)
    drawn, plain, start = map(part.served, (profile, found.profile, found.start))
    if not (part.is_no_worse(drawn, start) and part.is_nearer_in_all(drawn, plain)):
        return found
    return replace(found, profile=profile, overrides=found.overrides | more)


def _with_scatter(part: Part, found: Calibration) -> Calibration:
    """The same with how far seeks scatter, where that is sure and drawing it is not worse."""
    times, angles, kept = found.positioning, found.angles, found.kept
    if times is None or angles is None or kept is None or POSITIONING not in kept.pieces:
        return found
    scatter = tuple(find_scatter(times, angles, found.reading.seen))
    if not (more := scatter_override(scatter)):
        return found
    drawn = part.served(found.profile.with_overrides(more))
    worse = not part.is_no_worse(drawn, part.served(found.start))
    return found if worse else replace(found, scatter=scatter)


def _kept(part: Part, found: Calibration) -> Kept | None:
    """Which stage and which pieces of it help on requests held back; None where none do."""
    stages = list(found.stages)
    at = part.best(found.start, [profile for profile, _ in found.stages.values()])
    stage = stages[-1 if at is None else at]
    choice = Choice(part, found.start, found.stages[stage])
    pieces = choice.best(frozenset() if at is None else ALL)
    # A start may be right in all but one piece, and with all that was found be nearly as near.
    # Where the platter is followed, requests do not tell its rotation from another.
    if at is not None and (few := choice.best(frozenset())):
        few |= pieces & {PLATTER}
        pieces = few if choice.is_nearer(few, pieces) else pieces
    return Kept(stage, pieces) if pieces else None


def _up_to(found: Calibration, kept: Kept) -> Calibration:
    """What was found up to a stage, or the last one before it that there was, by pieces."""
    names = [name for name in STAGES[: STAGES.index(kept.stage) + 1] if name in found.stages]
    profile, overrides = assembled(found.start, found.stages[names[-1]], kept.pieces)
    kept = replace(kept, stage=names[-1])
    chosen = replace(found, profile=profile, overrides=overrides, kept=kept)
    return chosen if kept.pieces == ALL else _found_again(chosen)


def _found_again(found: Calibration) -> Calibration:
    """The same with what goes by the rest of the model found under the rest that is kept."""
    profile, overrides, reading = found.profile, found.overrides, found.reading
    if "cache.write_fence_slow" in overrides and (slow := find_slow_fence(profile, reading)):
        overrides = overrides | {"cache.write_fence_slow": slow.table()}
        profile = profile.with_overrides({"cache.write_fence_slow": slow.table()})
    controller = overrides["controller"]
    if "track_end" in controller:
        bare = {key: value for key, value in controller.items() if key != "track_end"}
        profile = profile.with_overrides({"controller": bare})
        busy = find_track_ends(profile, reading, bare)
        controller = bare | ({"track_end": busy.table()} if busy else {})
        overrides = overrides | {"controller": controller}
        profile = profile.with_overrides({"controller": controller})
    return replace(found, profile=profile, overrides=overrides)


def _started(found: Calibration) -> Calibration:
    """The start, with all that was found out about it and does not help."""
    return replace(found, profile=found.start, overrides={}, kept=None)


def _readings(job: Job, gap: str | None = None) -> list[Reading]:
    """The trace under each reading that it leaves open, or with its gaps where they are known."""
    options = job.options | ({"gap": gap} if gap else {})
    stated = stated_of(job.profile)
    return read_trace(
        job.trace, job.profile, stated, trace_format=job.trace_format, options=options,
        device=job.device, share=job.share, rough=job.rough,
    )  # fmt: skip


def _best(
    job: Job, readings: list[Reading], progress: Progress, before: Calibration | None = None
) -> Calibration:
    """What is found under the way of reading the trace that leaves the smaller errors.

    What was found of fewer requests before tells how writes are reported. What of the whole model
    was not there is not looked for again: it could not be held to those that were held back.
    """
    stated = stated_of(job.profile)
    found = []
    ways = readings[0].ways()
    if before is not None:
        report = before.reading.write_report
        ways = [way for way in ways if way.write_report == report] or ways
    idle = before.idle if before is not None else frozenset[str]()
    for number, way in enumerate(ways):

        def within(what: str, share: float, number: int = number) -> None:
            progress(what, (number + share) / len(ways))

        found.append(calibrated(job, stated, [way, *readings[1:]], within, idle))
    return min(found, key=_off_ms) if len(found) > 1 else found[0]


def _off_ms(found: Calibration) -> float:
    follow = found.angles is not None and found.angles.tracked
    return float(off_ms([found.profile], found.reading, follow)[0])
