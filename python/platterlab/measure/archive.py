"""The archive: a folder of bundles, each under its id, and their values beside each other."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platterlab._core import InputError
from platterlab.measure.advice import QUANTITIES, quantity
from platterlab.measure.bundle import MANIFEST, Bundle


@dataclass(frozen=True)
class Entry:
    """One bundle of the archive, in a line."""

    bundle: Bundle
    id: str
    device: str
    kind: str
    started: str
    status: str
    rotation_ms: float | None
    sectors_per_track: float | None
    surfaces: float | None
    capacity_bytes: int

    def to_json(self) -> dict[str, Any]:
        """The entry as one JSON object."""
        values = {key: value for key, value in vars(self).items() if key not in ("bundle", "id")}
        return {"bundle": self.id, "folder": str(self.bundle.folder), **values}


@dataclass(frozen=True)
class Pair:
    """One value of two bundles. `differs` is whether their intervals have nothing in common."""

    key: str
    name: str
    unit: str
    first: dict[str, Any]
    second: dict[str, Any]

    @property
    def difference_pct(self) -> float | None:
        """How far the second is from the first, in percent."""
        one, other = self.first["value"], self.second["value"]
        if not one or other is None:
            return None
        return float(100.0 * (other / one - 1.0))

    @property
    def differs(self) -> bool | None:
        """None where one of the two was not found."""
        if {self.first["status"], self.second["status"]} != {"ok"}:
            return None
        (low, high), (other_low, other_high) = self.first["ci95"], self.second["ci95"]
        return bool(high < other_low or other_high < low)


class Archive:
    """A folder of bundles."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, source: Path) -> Bundle:
        """Copies a bundle in, after checking it.

        Raises:
            InputError: it is no complete bundle, was changed, or is in the archive already.
        """
        bundle = Bundle(source)
        if problems := bundle.check():
            raise InputError("\n".join(problems))
        target = self.folder / bundle.id
        if target.exists():
            raise InputError(f"{source}: is in the archive already, as {target}")
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f".{bundle.id}.{os.getpid()}.partial"
        try:
            shutil.copytree(source, partial)
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return Bundle(target)

    def entries(self) -> list[Entry]:
        """Every bundle, by device and then by date. Raises InputError when one is damaged."""
        if not self.folder.is_dir():
            return []
        folders = [path.parent for path in self.folder.glob(f"*/{MANIFEST}")]
        found = [_entry(Bundle(folder)) for folder in folders if folder.name[0] != "."]
        return sorted(found, key=lambda entry: (entry.device, entry.started, entry.id))

    def find(self, name: str) -> Bundle:
        """A bundle by the beginning of its id, or by its folder.

        Raises:
            InputError: there is none, or more than one.
        """
        if "/" in name or Path(name).is_dir():
            bundle = Bundle(Path(name))
            if not bundle.is_complete:
                raise InputError(f"{name}: is no complete bundle")
            return bundle
        hits = [entry.bundle for entry in self.entries() if entry.id.startswith(name)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise InputError(f"{name}: {len(hits)} bundles begin so; write more of the id")
        raise InputError(
            f"{name}: no bundle of {self.folder} begins so, and there is no such folder"
        )


def default_folder() -> Path:
    """`$XDG_DATA_HOME/platterlab/archive`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "platterlab" / "archive"


def compare(first: Bundle, second: Bundle) -> list[Pair]:
    """Every value of two bundles. Raises InputError when one cannot be read."""
    one, other = first.extraction(), second.extraction()
    pairs = [
        Pair(key, name, unit, quantity(one, key), quantity(other, key))
        for key, name, _, unit, _ in QUANTITIES
    ]
    most = max(len(one["zones"]), len(other["zones"]))
    for index in range(most):
        both = [_zone(found["zones"], index) for found in (one, other)]
        name = f"zone {index + 1}, sectors per track"
        pairs.append(Pair(f"zone[{index}].sectors_per_track", name, "", both[0], both[1]))
    return pairs


def _zone(zones: list[dict[str, Any]], index: int) -> dict[str, Any]:
    if index < len(zones):
        found: dict[str, Any] = zones[index]["sectors_per_track"]
        return found
    return {"value": None, "ci95": None, "status": "unsupported", "note": "no such zone"}


def _entry(bundle: Bundle) -> Entry:
    found, made_by = bundle.extraction(), bundle.environment()
    device = made_by["device"]
    manifest = json.loads(bundle.path(MANIFEST).read_text(encoding="utf-8"))
    return Entry(
        bundle=bundle,
        id=bundle.id,
        device=device["name"],
        kind=made_by["options"]["kind"],
        started=made_by["started"],
        status=manifest["status"],
        rotation_ms=found["rotation_ms"]["value"],
        sectors_per_track=found["sectors_per_track"]["value"],
        surfaces=found["surfaces"]["value"],
        capacity_bytes=device["capacity_sectors"] * device["logical_sector_bytes"],
    )
