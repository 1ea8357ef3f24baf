"""Which rules of what the buffer's answers cost stand, with the mechanism known.

A read of what the drive is just reading ahead waits for the platter, the longer the sooner it
comes. By themselves such answers look like an overhead that goes by the pause, by the run of
commands or by whether the drive reads ahead. In the whole model they wait anyhow, and under such a
rule they do so twice.
"""

from typing import Any

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading

RULES = "controller.rules"


def lasting_rules(
    profile: Profile, reading: Reading, controller: dict[str, Any], answered: dict[str, Any]
) -> dict[str, Any]:
    """What answers cost, without the rules that surely leave most requests farther.

    Args:
        profile: as found so far.
        reading: the trace.
        controller: of the profile.
        answered: what the buffer's answers cost by themselves, rules among it.
    """
    kept: list[dict[str, Any]] = answered.get(RULES, [])
    others = [rule for rule in controller.get("rules", []) if rule not in kept]
    while kept:
        fewer = [[rule for rule in kept if rule is not one] for one in kept]
        if len(kept) > 1:
            fewer.append([])
        ways = [{"controller": controller | {"rules": [*rules, *others]}} for rules in fewer]
        tried = Tried(profile, reading.seen, reading.period.rotation_ms)
        best = tried.surely_best(ways, MOVED_TURNS)
        if best is None:
            break
        kept = fewer[best]
        profile = profile.with_overrides(ways[best])
    rest = {key: value for key, value in answered.items() if key != RULES}
    return rest | ({RULES: kept} if kept else {})
