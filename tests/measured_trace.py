"""What a drive did, as a trace that DIXtrac would have left of it."""

from pathlib import Path
from typing import Any

import numpy as np

NOISE_MS = 0.02
"""Of each service time, on the average; never so much that the next request would have begun."""


def written(rows: dict[str, Any], path: Path, sector_bytes: int = 512) -> Path:
    """The rows of a closed replay with a little noise: the gap before each, whole microseconds."""
    exact, issue = rows["service_ms"], rows["issue_ms"]
    idle = np.append(np.diff(issue) - exact[:-1], 1.0)
    noise = NOISE_MS * np.random.default_rng(5).exponential(size=len(exact))
    service = np.round(1e3 * (exact + np.minimum(noise, np.maximum(idle, 0.0))))
    gap = np.diff(np.round(1e3 * issue), prepend=0.0)
    gap[1:] -= service[:-1]
    lines = [
        f"{'W' if write else 'R'} Hit {lba * sector_bytes // 512} {sectors * sector_bytes // 512} "
        f"{took:.0f} {max(wait, 0):.0f}"
        for write, lba, sectors, took, wait in zip(
            rows["operation"], rows["lba"], rows["sectors"], service, gap, strict=True
        )
    ]
    path.write_text("\n".join(lines) + "\n")
    return path
