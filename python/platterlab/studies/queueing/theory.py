"""Queueing theory of small systems, in closed form or by a short recursion."""

from scipy.optimize import brentq


def two_mirrored_writes_ms(service_ms: float, load: float) -> float:
    """Mean response of a fork into two exponential servers that joins again, Poisson arrivals.

    Flatto and Hahn 1984; Nelson and Tantawi 1988, Equation 8. `load` is that of each server.
    """
    return (12.0 - load) / 8.0 * service_ms / (1.0 - load)


def m_m_1_ms(service_ms: float, load: float) -> float:
    """Mean response of one exponential server under Poisson arrivals."""
    return service_ms / (1.0 - load)


def m_m_c_ms(service_ms: float, load: float, servers: int) -> float:
    """Mean response of exponential servers with one queue (Erlang's second formula)."""
    offered = servers * load
    busy = 1.0
    for server in range(1, servers + 1):
        busy = offered * busy / (server + offered * busy)
    waits = busy / (1.0 - load * (1.0 - busy))
    return service_ms * (1.0 + waits / (servers * (1.0 - load)))


def every_cth_ms(service_ms: float, load: float, servers: int) -> float:
    """Mean response of an exponential server that gets every c-th of Poisson arrivals: E_c/M/1.

    The root of GI/M/1: a busy server is found by a share s of arrivals, s = A(mu (1 - s)).
    """
    rate = load * servers / service_ms

    def excess(share: float) -> float:
        return float((rate / (rate + (1.0 - share) / service_ms)) ** servers - share)

    share = float(brentq(excess, 0.0, 1.0 - 1e-9))
    return service_ms / (1.0 - share)


def waits_for_bus_ms(rate_per_ms: float, holds_ms: tuple[float, ...]) -> float:
    """What all visits of a request to a bus wait together, each visit an M/G/1 arrival.

    Pollaczek and Khinchine, with `holds_ms` what each visit of a request takes.
    """
    load = rate_per_ms * sum(holds_ms)
    second = rate_per_ms * sum(hold * hold for hold in holds_ms)
    return len(holds_ms) * second / (2.0 * (1.0 - load))


def mean_value_ms(access_ms: float, hold_ms: float, drives: int) -> float:
    """Mean response of drives that always have one command, whose data goes over one bus.

    Mean value analysis (Reiser and Lavenberg 1980): accesses overlap and so are a delay, the bus
    is an exponential server.
    """
    at_bus, response_ms = 0.0, 0.0
    for population in range(1, drives + 1):
        response_ms = hold_ms * (1.0 + at_bus)
        at_bus = population * response_ms / (access_ms + response_ms)
    return access_ms + response_ms


def small_write_ms(service_ms: float) -> float:
    """Mean response of a small write to an idle parity array with exponential drives.

    Old data and old parity are read; data is written once it has been read, parity once both have
    been. The phases make a Markov chain, in units of the service: both reads (1/2 until one is
    done); then, if that was the data's, its write alongside the parity's read (1/2, then either the
    rest of the parity's way, 2, or both writes, 3/2); if the parity's, the data's read (1), then
    both writes.
    """
    both_writes = 1.5
    data_first = 0.5 + 0.5 * 2.0 + 0.5 * both_writes
    parity_first = 1.0 + both_writes
    return service_ms * (0.5 + 0.5 * data_first + 0.5 * parity_first)
