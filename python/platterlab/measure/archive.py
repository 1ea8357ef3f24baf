"""The archive: a folder of bundles, each under its id, and their values beside each other."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platterlab._core import InputError
from platterlab.measure.advice import QUANTITIES
from platterlab.measure.bundle import MANIFEST, Bundle
from platterlab.measure.documents import NOT_LOOKED_FOR, Estimate, Zone
from platterlab.output import declare_folder


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
class Bad:
    """A folder of the archive that holds no sound bundle, and why."""

    folder: Path
    problem: str

    def to_json(self) -> dict[str, str]:
        """The same as one JSON object."""
        return {"folder": str(self.folder), "problem": self.problem}


@dataclass(frozen=True)
class Pair:
    """One value of two bundles. `differs` is whether their intervals have nothing in common."""

    key: str
    name: str
    unit: str
    first: Estimate
    second: Estimate

    @property
    def difference_pct(self) -> float | None:
        """How far the second is from the first, in percent."""
        one, other = self.first.value, self.second.value
        if not one or other is None:
            return None
        return 100.0 * (other / one - 1.0)

    @property
    def differs(self) -> bool | None:
        """None where one of the two was not found."""
        one, other = self.first, self.second
        if {one.status, other.status} != {"ok"} or one.ci95 is None or other.ci95 is None:
            return None
        return one.ci95[1] < other.ci95[0] or other.ci95[1] < one.ci95[0]


class Archive:
    """A folder of bundles."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, source: Path) -> Bundle:
        """Copies a bundle in and checks the copy: what is kept is what was looked at.

        Only the files that its manifest names are copied, and only regular ones.

        Raises:
            InputError: it is no complete bundle, was changed, or is in the archive already.
        """
        declare_folder("--archive", self.folder, (source,))
        bundle = Bundle(source)
        if problems := bundle.check():
            raise InputError("\n".join(problems))
        manifest = bundle.manifest()
        target = self.folder / manifest.bundle
        if target.exists():
            raise InputError(f"{source}: is in the archive already, as {target}")
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f".{manifest.bundle}.{os.getpid()}.partial"
        try:
            partial.mkdir()
            for name in (*manifest.files, MANIFEST):
                _copy(source / name, partial / name)
            if Bundle(partial).check() or Bundle(partial).id != manifest.bundle:
                raise InputError(f"{source}: changed while it was copied; add it again")
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return Bundle(target)

    def entries(self) -> tuple[list[Entry], list[Bad]]:
        """Every bundle, by device and then by date; and what is in the archive and is none.

        Raises:
            InputError: the archive is a file.
        """
        if not self.folder.exists():
            return [], []
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: is a file; an archive is a folder")
        found, bad = [], []
        folders = (path.parent for path in self.folder.glob(f"*/{MANIFEST}"))
        for folder in sorted(one for one in folders if not one.name.startswith(".")):
            try:
                found.append(_entry(Bundle(folder)))
            except InputError as error:
                bad.append(Bad(folder, str(error)))
        return sorted(found, key=lambda entry: (entry.device, entry.started, entry.id)), bad

    def find(self, name: str) -> Bundle:
        """A bundle by the beginning of its id, or by its folder.

        Raises:
            InputError: there is none, or more than one, or it is bad.
        """
        if "/" in name or Path(name).is_dir():
            bundle = Bundle(Path(name))
            if not bundle.is_complete:
                raise InputError(f"{name}: is no complete bundle")
            return bundle
        found, bad = self.entries()
        hits = [entry.bundle for entry in found if entry.id.startswith(name)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise InputError(f"{name}: {len(hits)} bundles begin so; write more of the id")
        for one in bad:
            if one.folder.name.startswith(name):
                raise InputError(one.problem)
        raise InputError(
            f"{name}: no bundle of {self.folder} begins so, and there is no such folder"
        )


def _copy(source: Path, target: Path) -> None:
    """A regular file; what became a link since it was looked at is not followed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with os.fdopen(os.open(source, flags), "rb") as file, target.open("xb") as copy:
            shutil.copyfileobj(file, copy)
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, os.strerror(error.errno or 0), str(target)) from error
        raise


def default_folder() -> Path:
    """`$XDG_DATA_HOME/platterlab/archive`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "platterlab" / "archive"


def compare(first: Bundle, second: Bundle) -> list[Pair]:
    """Every value of two bundles. Raises InputError when one cannot be read."""
    one, other = first.values(), second.values()
    pairs = [Pair(key, name, unit, one[key], other[key]) for key, name, _, unit, _ in QUANTITIES]
    for index in range(max(len(one.zones), len(other.zones))):
        both = [_zone(found.zones, index) for found in (one, other)]
        name = f"zone {index + 1}, sectors per track"
        pairs.append(Pair(f"zone[{index}].sectors_per_track", name, "", both[0], both[1]))
    return pairs


def _zone(zones: list[Zone], index: int) -> Estimate:
    return zones[index].sectors_per_track if index < len(zones) else NOT_LOOKED_FOR


def _entry(bundle: Bundle) -> Entry:
    manifest, made_by, found = bundle.manifest(), bundle.described(), bundle.values()
    if manifest.bundle != bundle.folder.name:
        raise InputError(f"{bundle.folder}: calls itself {manifest.bundle}")
    device = made_by.device
    return Entry(
        bundle=bundle,
        id=manifest.bundle,
        device=device.name,
        kind=made_by.kind,
        started=made_by.started,
        status=manifest.status,
        rotation_ms=found["rotation_ms"].value,
        sectors_per_track=found["sectors_per_track"].value,
        surfaces=found["surfaces"].value,
        capacity_bytes=device.capacity_sectors * device.logical_sector_bytes,
    )
