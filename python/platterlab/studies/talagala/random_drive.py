"""Random drives as profiles, each from one seed."""

import math
import random

from platterlab._core import Profile

ORDERS = ("traditional", "cylinder-serpentine")


def random_drive(seed: int) -> Profile:
    """A drive of 2 to 24 surfaces, 1 to 60 zones, 3,600 to 15,000 rpm and 40 to 2,000 sectors.

    Track skew is up to nearly half a revolution and cylinder skew up to nine tenths; MTM runs from
    0.6 ms to three quarters of one; the order of tracks is traditional or serpentine by cylinder.
    The interface is faster than the media.
    """
    dice = random.Random(seed)  # noqa: S311
    rotation_ms = 60_000 / dice.uniform(3_600, 15_000)
    surfaces = dice.randint(2, 24)
    order = dice.choice(ORDERS)
    counts = _counts(dice)
    track = dice.uniform(0.03, 0.45)
    cylinder = track + dice.uniform(0.03, 0.45)
    zones, cylinders = [], 0
    for count in counts:
        many = dice.randint(3_000, 9_000) // len(counts) + 20
        zones.append(
            f"[[zone]]\ncylinders = [{cylinders}, {cylinders + many - 1}]\n"
            f'sectors_per_track = {count}\norder = "{order}"\n'
            f"track_skew_sectors = {math.ceil(track * count)}\n"
            f"cylinder_skew_sectors = {math.ceil(cylinder * count) + 1}\n"
        )
        cylinders += many
    text = (
        f'id = "random-{seed}"\nname = "Random drive {seed}"\n\n'
        f'[source]\nkind = "assumed"\nfrom = "seed {seed}"\n\n'
        f"[geometry]\nsurfaces = {surfaces}\ncylinders = {cylinders}\n\n"
        + "\n".join(zones)
        + _spindle(dice, rotation_ms)
        + _mechanism(dice, cylinders, cylinder * rotation_ms, track * rotation_ms)
        + _electronics(dice, rotation_ms, counts[0])
    )
    return Profile.parse(text, f"random-{seed}.toml")


def _counts(dice: random.Random) -> list[int]:
    outer = round(math.exp(dice.uniform(math.log(40), math.log(2_000))))
    inner = outer * dice.uniform(0.5, 0.9)
    zones = dice.randint(1, 60)
    counts = [round(outer + (inner - outer) * i / max(zones - 1, 1)) for i in range(zones)]
    return list(dict.fromkeys(counts))


def _spindle(dice: random.Random, rotation_ms: float) -> str:
    return f"\n[spindle]\nrotation_ms = {rotation_ms:.9f}\nphase_turns = {dice.random():.6f}\n"


def _mechanism(dice: random.Random, cylinders: int, cylinder_ms: float, track_ms: float) -> str:
    single = min(max(cylinder_ms * dice.uniform(0.3, 1.1), 0.4), 4.0)
    full = dice.uniform(12.0, 28.0)
    boundary = max(cylinders // dice.randint(4, 8), 1)
    slope = (full - single) * 0.6 / cylinders
    offset = full - slope * cylinders
    # One at distance 1 and the long piece at the boundary.
    root = (offset + slope * boundary - single) / (math.sqrt(boundary) - 1)
    return (
        '\n[seek]\nkind = "two-piece"\n'
        f"short_ms = [{single - root:.6f}, {root:.6f}]\nlong_ms = [{offset:.6f}, {slope:.9f}]\n"
        f"boundary_cylinders = {boundary}\n"
        f"\n[switch]\nhead_ms = {track_ms * dice.uniform(0.1, 1.0):.6f}\n"
        f"track_ms = {min(single, 0.95 * cylinder_ms):.6f}\n"
        f"settle_write_ms = {dice.uniform(0.0, 0.6):.6f}\n"
    )


def _electronics(dice: random.Random, rotation_ms: float, outer: int) -> str:
    # The buffer has to hold what passes while a command is decoded, or reads do not stream.
    mtm_ms = dice.uniform(0.6, min(0.75 * rotation_ms, 4.5))
    # The interface is faster than the media.
    bus_ms = rotation_ms / outer * dice.uniform(0.2, 0.9)
    rate = 512 / (bus_ms * 1e-3) / 1e6
    return (
        f"\n[controller]\nwrite_ms = {(mtm_ms - bus_ms) * 0.8:.6f}\n"
        f"read_ms = {(mtm_ms - bus_ms) * 0.8:.6f}\n"
        f"write_completion_ms = {(mtm_ms - bus_ms) * 0.2:.6f}\n"
        f"read_completion_ms = {(mtm_ms - bus_ms) * 0.2:.6f}\n"
        '\n[cache]\nsegments = 1\nsegment = "2m"\nread_ahead = "aggressive"\n'
        'read_fence = 512\nbuffer = "2m"\n'
        f'\n[bus]\nkind = "rate"\nread_mb_s = {rate:.9f}\nwrite_mb_s = {rate:.9f}\n'
    )
