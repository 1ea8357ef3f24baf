"""What a trace says of a drive, beside where the requests lie on it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile, Requests, runs, track_orders
from platterlab.documents import Json

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


_ORDERS = {word: seeks for word, seeks in track_orders().items() if word != "listed"}

HEADS_FIRST = tuple(word for word, seeks_first in _ORDERS.items() if not seeks_first)
"""Orders in which skews from head to head and from cylinder to cylinder say where tracks begin."""

PASSES = tuple(word for word, seeks_first in _ORDERS.items() if seeks_first)
"""Orders in which skews along a pass and from pass to pass do."""


OWN_LENGTHS = ("surface_sectors_per_track", "surface_data_sectors")
"""Keys of a zone under which tracks of its surfaces differ in how much they hold.

A track that is longer is still one turn: lengths alone turn no track against the next one.
"""


FAR_STEPS = 100
"""Tracks of two listed passes are farther apart than anything that counts as near."""


@dataclass(frozen=True)
class Places:
    """The tracks on which requests begin (or end), one entry a request.

    Attributes:
        zone: number of the zone.
        cylinder, surface: of the track, over the whole drive.
        head: steps from the cylinder's first track, in the order of addresses; where angles of
            passes are looked for, passes from the zone's first, or groups of listed ones.
        step: cylinder steps from the zone's first track; there, from the first track of the pass.
        near: cylinders from the zone's first, as steps count them.
        leg: number of the pass in its group, where angles of listed passes are looked for; else 0.
        track: the track's number in the zone.
        sector: of the first sector there, counted from the track's logical sector zero.
        per_track: sectors around the track.
        turns: angle of that sector under the profile's own skews.
        own_turns: of the track's logical sector zero, where skews by head and cylinder do not say
            it and the profile's stand as they are; else 0. `head` and `step` are 0 there.
    """

    zone: Whole
    cylinder: Whole
    surface: Whole
    head: Whole
    step: Whole
    near: Whole
    leg: Whole
    track: Whole
    sector: Whole
    per_track: Whole
    turns: Floats
    own_turns: Floats

    @property
    def from_zero(self) -> Floats:
        """The angle of the sector, with the profile's skews only where they stand."""
        return np.asarray(self.sector / self.per_track + self.own_turns)

    def by_range(self, stated: Json) -> "Places | None":
        """The same with no two sparing ranges near each other; None where there are none.

        From one to the next there may be a turn that no skew by head and cylinder has.
        """
        sparing = [zone.get("sparing", {}) for zone in stated["zone"]]
        widths = np.array([
            one["cylinders"] if one.get("kind") == "cylinders" else 0 for one in sparing
        ])  # fmt: skip
        width = widths[self.zone]
        if not (width > 1).any():
            return None
        apart = np.where(width > 1, self.step // np.maximum(width, 1) * FAR_STEPS, 0)
        return replace(self, near=self.near + apart)


@dataclass(frozen=True)
class OwnAngles:
    """Where something else than steps of head and cylinder says where tracks begin.

    Attributes:
        zones: by zone, whether it is so.
        passes: by zone, cylinders of a pass whose angles are looked for; 0 where there are none.
        legs: passes of a group whose angles are looked for one by one; 0 where there are none.
        surface_turns: by surface, how far the profile has it turned.
    """

    zones: Flags
    passes: Whole
    legs: int
    surface_turns: Floats

    @property
    def free(self) -> bool:
        """Whether angles of passes are looked for."""
        return bool(self.passes.any())


@dataclass(frozen=True)
class Observed:
    """A trace of one drive, request by request, in the order in which the drive got them.

    Times are in milliseconds on the trace's clock.

    Attributes:
        requests: the same for the core.
        lba, sectors: the extent.
        write: whether it is a write.
        issue_ms, service_ms, gap_ms: when the drive got it, how long it took, and how long the
            drive had been idle.
        first, last: where the request's first run of sectors lies, and its last one.
        on_last: sectors in the last run.
        pieces: runs the request is cut into.
        surfaces, zones: of the drive.
        own: where the profile's own skews stand.
    """

    requests: Requests
    lba: Whole
    sectors: Whole
    write: Flags
    issue_ms: Floats
    service_ms: Floats
    gap_ms: Floats
    first: Places
    last: Places
    on_last: Whole
    pieces: Whole
    surfaces: int
    zones: int
    own: OwnAngles

    def __len__(self) -> int:
        return len(self.lba)

    @property
    def end_ms(self) -> Floats:
        """When each request was complete."""
        return self.issue_ms + self.service_ms

    @property
    def after_write(self) -> Flags:
        """Whether the request before was a write."""
        return np.concatenate([[False], self.write[:-1]])

    @property
    def sequential(self) -> Flags:
        """Whether the request begins where the one before ended."""
        end = self.lba + self.sectors
        return np.concatenate([[False], self.lba[1:] == end[:-1]])

    @property
    def seek_cylinders(self) -> Whole:
        """Cylinders from the end of the request before, signed."""
        return np.concatenate([[0], self.first.cylinder[1:] - self.last.cylinder[:-1]])

    @property
    def same_surface(self) -> Flags:
        """Whether the request begins under the head that the one before ended under."""
        return np.concatenate([[True], self.first.surface[1:] == self.last.surface[:-1]])


def observe(
    profile: Profile, requests: Requests, surfaces: int, free_passes: bool = False
) -> Observed:
    """A trace set beside a profile's layout.

    Args:
        profile: with the layout.
        requests: the trace.
        surfaces: of the drive.
        free_passes: whether the angles of passes are to be found, where orders seek first.

    Raises:
        InputError: a request lies beyond the drive, which then is not the trace's.
    """
    columns = requests.columns()
    queued = np.nan_to_num(columns["queued_ms"])
    table = runs(profile, columns["lba"], columns["sectors"])
    pieces = np.bincount(table["request"], minlength=len(requests))
    end = np.cumsum(pieces)
    issue = columns["arrival_ms"] + queued
    own = own_angles(profile, surfaces, free_passes)
    done = issue + columns["service_ms"]
    return Observed(
        requests=requests,
        lba=columns["lba"].astype(np.int64),
        sectors=columns["sectors"].astype(np.int64),
        write=columns["operation"] == 1,
        issue_ms=issue,
        service_ms=columns["service_ms"],
        gap_ms=np.concatenate([[0.0], issue[1:] - done[:-1]]),
        first=places_in(table, end - pieces, surfaces, own),
        last=places_in(table, end - 1, surfaces, own),
        on_last=table["sectors"][end - 1],
        pieces=pieces,
        surfaces=surfaces,
        own=own,
        zones=int(table["zone"].max()) + 1,
    )


def stated_of(profile: Profile) -> Json:
    """What a profile states; that a zone has no spares is what one says that states none."""
    stated = profile.stated()
    for zone in stated["zone"]:
        if zone.get("sparing", {}).get("kind") == "none":
            del zone["sparing"]
    return stated


def own_angles(profile: Profile, surfaces: int, free_passes: bool = False) -> OwnAngles:
    """Where the profile's own skews stand."""
    stated = stated_of(profile)
    stands, passes = [], []
    legs = _legs(stated["zone"]) if free_passes else 0
    for zone in stated["zone"]:
        order = zone.get("order", "traditional")
        # From where its data ends, which skews then count from, each track turns by its own spares.
        by_data = zone.get("skew_from_data_end", False)
        first, last = zone["cylinders"]
        free = free_passes and order in PASSES and not by_data
        width = zone.get("serpentine_cylinders", last - first + 1) if free else 0
        passes.append(zone["group_cylinders"] if legs else width)
        stands.append(not legs and not free and (order not in HEADS_FIRST or by_data))
    turns = stated["geometry"].get("surface_offset_turns") or [0.0] * surfaces
    turned = np.array(turns, dtype=np.float64)
    return OwnAngles(np.array(stands), np.array(passes), legs, turned)


def _legs(zones: list[Json]) -> int:
    """How many passes a group has, if in all zones each goes over all of it, under one head each.

    The same heads in the same order everywhere; 0 where it is not so.
    """
    heads = []
    for zone in zones:
        passes, width = zone.get("pass", []), zone.get("group_cylinders", 0)
        whole = all(abs(one["cylinders"][1] - one["cylinders"][0]) + 1 == width for one in passes)
        heads.append([one["surface"] for one in passes] if whole else [])
    alike = all(one == heads[0] and len(set(one)) == len(one) for one in heads)
    return len(heads[0]) if alike else 0


def places_of(profile: Profile, lba: Whole, surfaces: int, own: OwnAngles) -> Places:
    """Where single sectors lie on a profile's layout; `own` is `own_angles` of it."""
    table = runs(profile, lba.astype(np.uint64), np.ones(len(lba), dtype=np.uint64))
    return places_in(table, np.arange(len(lba)), surfaces, own)


def places_in(
    table: dict[str, NDArray[np.int64]], at: Whole, surfaces: int, own: OwnAngles
) -> Places:
    """Where some of the runs of a table, of those that `runs` gives, lie on a layout."""
    zone, track, step = table["zone"][at], table["track"][at], table["cylinder_steps"][at]
    sector, per_track = table["sector"][at], table["sectors_per_track"][at]
    turns, stands = np.asarray(table["angle_turns"][at], dtype=np.float64), own.zones[zone]
    surface, width = table["surface"][at], own.passes[zone]
    passes = track - step
    along = np.where(width > 0, track % np.maximum(width, 1), step)
    head = np.where(stands, 0, np.where(width > 0, passes, track - step * surfaces))
    near = np.where(stands, 0, passes // surfaces * width + along)
    if own.legs:
        # Nothing is known of how one pass lies to another.
        passes = track // width
        head, near = passes // own.legs, passes * (width + FAR_STEPS) + along
    return Places(
        zone=zone,
        cylinder=table["cylinder"][at],
        surface=surface,
        head=head,
        step=np.where(stands, 0, along),
        near=near,
        leg=passes % own.legs if own.legs else np.zeros(len(zone), dtype=np.int64),
        track=track,
        sector=sector,
        per_track=per_track,
        turns=turns,
        own_turns=np.where(stands, turns - sector / per_track - own.surface_turns[surface], 0.0),
    )
