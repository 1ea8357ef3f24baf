"""What was found, without what says no more than the profile does without it."""

from platterlab._core import Profile
from platterlab.calibration.judged.pieces import Found
from platterlab.documents import Overrides


def plainly(profile: Profile, overrides: Overrides, stated: Overrides) -> Found:
    """The same without overheads after a write that are those of all commands.

    Args:
        profile: as found.
        overrides: what made it of the start, with the controller as one table.
        stated: the start, as its file states it; what it says of them stays.
    """
    controller = overrides["controller"]
    plain = {name: controller.get(name) for name in ("read_ms", "write_ms")}
    if controller.get("after_write") != plain or "after_write" in stated.get("controller", {}):
        return profile, overrides
    kept = {key: value for key, value in controller.items() if key != "after_write"}
    return profile.with_overrides({"controller": kept}), overrides | {"controller": kept}
