"""Equations 1 to 10 of Gim et al. 2009, as printed.

Lengths are in bytes, times in seconds, rates in bytes per second. `b` is the size of a file-system
block, `n` a session's blocks per period, `r` its rate, `T` the period, `O` the seeks and latencies
of a period, `B` the media rate, `t_s` the size of a track and `delta` the time of a track switch.
"""

from collections.abc import Sequence
from math import floor, inf


def keeps_up(b: float, n: float, r: float, period: float) -> bool:
    """Equation 1: a period's data lasts for the period."""
    return b * n >= r * period


def fits_period(period: float, transfers: Sequence[float], overhead: float) -> bool:
    """Equation 2: a period is long enough for its transfers and overhead."""
    return period >= sum(transfers) + overhead


def transfer(bn: float, rate: float, epsilon: float) -> float:
    """Equation 3: transfer time with an overhead `epsilon`."""
    return bn / rate + epsilon


def transfer_original(bn: float, rate: float, track: float, delta: float) -> float:
    """Equation 4: a track switch as often as a boundary is met on average."""
    return bn / rate + bn / track * delta


def transfer_aligned(bn: float, rate: float, track: float, delta: float) -> float:
    """Equation 5: only whole tracks cost a switch."""
    return bn / rate + floor(bn / track) * delta


def transfer_switches(bn: float, rate: float, switches: float, delta: float) -> float:
    """Equation 6: a known number of track switches."""
    return delta * switches + bn / rate


def period(
    overhead: float, sizes: Sequence[float], rate: float, switches: Sequence[float], delta: float
) -> float:
    """Equations 7 and 8: the shortest period for I/Os of `sizes` bytes."""
    pairs = zip(sizes, switches, strict=True)
    return overhead + sum(transfer_switches(bn, rate, q, delta) for bn, q in pairs)


def blocks(
    overhead: float,
    rates: Sequence[float],
    rate: float,
    switches: Sequence[float],
    delta: float,
    block: float,
) -> list[float]:
    """Equation 9: blocks of each session in the shortest period that keeps up, infinite if none."""
    total = sum(rates)
    if total >= rate:
        return [inf] * len(rates)
    shortest = (overhead + delta * sum(switches)) / (1.0 - total / rate)
    return [shortest * r / block for r in rates]


def blocks_together(
    overhead: float,
    rates: Sequence[float],
    rate: float,
    switches: Sequence[float],
    delta: float,
    block: float,
) -> float:
    """Equation 10: blocks of all sessions together; infinite if the media cannot keep up."""
    total = sum(rates)
    if total >= rate:
        return inf
    return (overhead + delta * sum(switches)) * total / (block / rate * (rate - total))


def buffer_original(
    overhead: float, rates: Sequence[float], rate: float, track: float, delta: float
) -> float:
    """Equation 10 with the switches of Equation 4, in bytes.

    A session's switches grow with its I/O, which adds `rate * delta / track` times the sessions'
    rate to what is taken from the denominator: the drive is full earlier.
    """
    total = sum(rates)
    effective = 1.0 / (1.0 / rate + delta / track)
    if total >= effective:
        return inf
    return overhead * total / (1.0 - total / effective)
