"""The engines: the processors of this machine, or a cluster. One interface to both."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from platterlab.documents import Json
from platterlab.sweeps import cluster, local
from platterlab.sweeps.work import Call, Done, Work


def run(works: Sequence[Work], done: Done, *, workers: int | None, dask: str | None) -> None:
    """Runs all works.

    Args:
        works: no two of one name.
        done: hears of each that is finished, in any order.
        workers: processes at a time; None for one per processor.
        dask: a scheduler's address, or `local`; None for no cluster.

    Raises:
        InputError: something is wrong with one of them, or with the cluster.
    """
    if dask is not None:
        cluster.run(works, done, dask, workers)
    else:
        local.run(works, done, workers)


def answers(
    calls: Sequence[Call],
    *,
    workers: int | None = None,
    dask: str | None = None,
    progress: Callable[[float], None] = lambda _share: None,
) -> list[Any]:
    """What each call gives, in their order.

    Raises:
        InputError: as `run`.
    """
    found: Json = {}
    unique = {call.name: call for call in calls}

    def done(call: Call, told: str, _where: str) -> None:
        found[call.name] = json.loads(told)
        progress(len(found) / len(unique))

    run(list(unique.values()), done, workers=workers, dask=dask)
    return [found[call.name] for call in calls]
