"""The drives of Table 3 and their host, with a run's values of what the paper does not print."""

from platterlab import library
from platterlab._core import Profile
from platterlab.studies.study import Request
from platterlab.studies.talagala import priors
from platterlab.studies.talagala.published import Published

ASSUMED_ZONES = ("hawk", "barracuda", "micropolis", "9zx")
"""Drives whose zones the paper draws and does not print."""


def drive(published: Published, request: Request) -> Profile:
    """A drive of the library, its assumed zones bent as the run wants them."""
    profile = library.load(published.profile)
    share = request.constant(priors.PARABOLA)
    if share == priors.PARABOLA.value or published.key not in ASSUMED_ZONES:
        return profile
    zones = profile.stated()["zone"]
    outer, inner = (zones[end]["sectors_per_track"] for end in (0, -1))
    for index, zone in enumerate(zones):
        before = zone["sectors_per_track"]
        line = outer + (inner - outer) * index / (len(zones) - 1)
        zone["sectors_per_track"] = round(share * before + (1.0 - share) * line)
        for skew in ("track_skew_sectors", "cylinder_skew_sectors"):
            zone[skew] = round(zone[skew] * zone["sectors_per_track"] / before)
    return profile.with_overrides({"zone": zones})


def host(request: Request) -> dict[str, float] | None:
    """Parts of the typical host that are otherwise in this run."""
    stated = {
        "jitter_us": priors.JITTER_US,
        "tail_share": priors.TAIL_SHARE,
        "stall_share": priors.STALL_SHARE,
    }
    return request.changed(stated) or None
