"""Defects: sectors remapped to spares of their own track, as model 3 can, or elsewhere."""

from fractions import Fraction

import numpy as np

from platterlab._core import Profile
from platterlab.av import place
from platterlab.av.play import Serving, Stream, play
from platterlab.studies.criteria import EXACT
from platterlab.studies.gim import priors, setting
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request

IOS = 512
TRACK_SECTORS = 1024
OUTERMOST = Fraction(1)
ELSEWHERE = 49_639
"""A cylinder near the innermost, with spares: a drive that keeps them in one place."""

NO_SEEK = "spares in every track need no seek: a disk with defects performs better (section 6)"
GROUP = "Section 6: defects, model 3 of Disk1"


def run(request: Request) -> Outcome:
    """One HDTV stream over tracks of which some have a defect each."""
    request.progress("defects", 0.95)
    aligned = setting.models(request).aligned[3]
    share = request.constant(priors.DEFECT_SHARE)
    spared = {
        "none": aligned,
        "same-track": _with_defects(aligned, share, request.seed, same_track=True),
        "elsewhere": _with_defects(aligned, share, request.seed, same_track=False),
    }
    response = {name: _response_ms(profile, request) for name, profile in spared.items()}
    told = [
        Row(f"defects/{name}_ms", f"mean response, defects spared: {name}", None, took_ms, "ms",
            group=GROUP)
        for name, took_ms in response.items()
    ]  # fmt: skip
    gain = Row(
        "defects/gain",
        f"spares in the track against elsewhere, {100 * share:g} % of tracks with a defect",
        None,
        100.0 * (response["elsewhere"] / response["same-track"] - 1.0),
        "%",
        target=0.0,
        bound="at-least",
        criterion=EXACT,
        evidence="by construction",
        used="that other drives keep their spares a seek away is assumed, and decides the sign",
        claim=NO_SEEK,
        group=GROUP,
    )
    return Outcome([*told, gain])


def _with_defects(profile: Profile, share: float, seed: int, *, same_track: bool) -> Profile:
    """A sector remapped in each of a share of the tracks that are played."""
    generator = np.random.default_rng([seed, IOS])
    cylinders = generator.choice(IOS, round(share * IOS), replace=False)
    sectors = generator.integers(0, TRACK_SECTORS, len(cylinders))
    defects = [
        {
            "kind": "remapped",
            "from": [int(cylinder), 0, int(sector)],
            "to": [int(cylinder), 0, TRACK_SECTORS]
            if same_track
            else [ELSEWHERE - number // 20, 0, TRACK_SECTORS + number % 20],
        }
        for number, (cylinder, sector) in enumerate(zip(sorted(cylinders), sectors, strict=True))
    ]
    return profile.with_overrides({"defect": defects})


def _response_ms(profile: Profile, request: Request) -> float:
    spot = place.spots(profile, (OUTERMOST,), IOS * TRACK_SECTORS)[0]
    stream = Stream(spot.lba, setting.HDTV_BIT_S, TRACK_SECTORS)
    spread_ms = place.rotation_ms(profile) * request.constant(priors.HOST_SPREAD_TURNS)
    serving = Serving(ios=IOS, host_spread_ms=spread_ms, seed=request.seed)
    return play(profile, [stream], serving).response_ms
