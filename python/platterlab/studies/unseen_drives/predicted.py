"""Predictions of a measured drive's profile, against the drive itself."""

from dataclasses import dataclass

import numpy as np

from platterlab._core import InputError, Profile, Requests
from platterlab.measure import profile as measured_profile

from . import drive as drives
from . import profile, trial

REQUESTS = 1_000
NEAR_SECTORS = 4_000
"""Half of the requests lie no farther from the one before."""
WITHIN_MS = 0.25
"""Service times that differ by no more are the same."""


@dataclass(frozen=True)
class Predicted:
    """A measured drive, and what its profile says of requests that nobody measured.

    Attributes:
        seed: of the drive.
        within: the share of requests whose service time the profile has.
        says_so: whether it says that all its angles and the overhead of reads are measured.
    """

    seed: int
    within: float
    says_so: bool


def predict(seed: int) -> Predicted | None:
    """Measures the drive of a seed, and has its profile foresee other requests in a closed loop.

    Returns:
        None where too little was found for a profile, or there is no such drive.
    """
    try:
        built = Profile.parse(profile.text(drives.draw(seed)), f"unseen {seed}")
    except InputError:
        # There is no such drive: `trial.measure` says so.
        return None
    measurement = trial.measured(built, seed, writes=seed % 2 == 0, tracks=None, time_s=900.0)
    found = measurement.extraction()
    text = measured_profile.draft(found, measurement.info(), f"seed {seed}", str(seed))
    if text is None:
        return None
    made = Profile.parse(text, f"unseen {seed}, measured")
    zones = found["model"]["zones"] if found["model"] else []
    agree = [zone["skews_agree"] and zone["first_track_agrees"] for zone in zones]
    overhead = made.stated()["provenance"]["controller.read_ms"]["kind"] == "measured"
    says_so = overhead and bool(zones) and all(agree)
    return Predicted(seed, within(built, made, seed), says_so)


def within(built: Profile, made: Profile, seed: int) -> float:
    """The share of random reads of which both drives take the same time."""
    generator = np.random.default_rng(seed)
    last = min(built.capacity_sectors, made.capacity_sectors) - 1
    lba = generator.integers(0, last, REQUESTS)
    near = generator.integers(-NEAR_SECTORS, NEAR_SECTORS, REQUESTS)
    lba[1::2] = np.clip(lba[0:-1:2] + near[1::2], 0, last)
    requests = Requests.reads(built, [(int(first), 1) for first in lba])
    drive_ms, profile_ms = requests.service_ms([built, made], timing="closed")
    return float(np.mean(np.abs(profile_ms - drive_ms) <= WITHIN_MS))
