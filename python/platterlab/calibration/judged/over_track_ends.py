"""What only requests over a track's end tell: where zones begin to a sector, and switches there.

Either is hidden by the other: under a switch that is too short such a request is off by a turn
wherever its zone begins. So zones are asked for again once switches are known.
"""

from typing import Any

from platterlab._core import Profile
from platterlab.calibration.judged.switches import switches_within
from platterlab.calibration.judged.zone_spares import moved_zones
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.reading import Reading


def over_track_ends(
    profile: Profile, reading: Reading, overrides: dict[str, Any], angles: Angles
) -> dict[str, Any]:
    """Zones moved on and switches within a request, as far as they are sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
        angles: where tracks begin.
    """
    found = moved_zones(profile, reading, overrides)
    profile = profile.with_overrides(found)
    switches = switches_within(profile, reading, overrides | found, angles)
    if not switches:
        return found
    found = found | switches
    profile = profile.with_overrides(switches)
    return found | moved_zones(profile, reading, overrides | found)
