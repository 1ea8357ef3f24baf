"""The archive: a folder of bundles, each under its id, and their values side by side.

It can be kept in git and shared: names are those of the content, nothing in it says whose drive or
machine it was, and `.gitattributes` has git change no line ending, as every file has its checksum.
"""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from platterlab._core import InputError
from platterlab.documents import Json
from platterlab.measure.advice import QUANTITIES
from platterlab.measure.bundle import MANIFEST, REPORT, SAMPLES, Bundle
from platterlab.measure.documents import NOT_LOOKED_FOR, Estimate, Zone
from platterlab.measure.identity import cleaned, is_simulated, model, serial_hash
from platterlab.measure.personal import Personal, leave_out, personal
from platterlab.output import declare_folder, write_text
from platterlab.wrong_file import in_file

ATTRIBUTES = ".gitattributes"
_ATTRIBUTES = f"""\
# Bundles of `platterlab characterize`. Every file has its checksum: no line ending may change.
* -text
# The samples, a row per request, as Parquet: up to some MB of numbers that nothing makes smaller.
{SAMPLES} binary
# Drawn from the samples; a comparison of two is of no use.
{REPORT} -diff linguist-generated
"""


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
    model: str | None
    simulated: bool
    serial_hash: str | None

    @property
    def title(self) -> str:
        """The model for people; a model that is not known by what was measured."""
        if self.model is None:
            return f"model not known: {cleaned(self.device) or 'no name'}"
        return f"{self.model} (simulated)" if self.simulated else self.model

    def same_drive(self, others: Iterable["Entry"]) -> list[str]:
        """Others of this very drive: none where there is no serial number."""
        if self.serial_hash is None:
            return []
        return [
            one.id for one in others if one.serial_hash == self.serial_hash and one.id != self.id
        ]

    def to_json(self) -> Json:
        """The entry as one JSON object."""
        values = {key: value for key, value in vars(self).items() if key not in ("bundle", "id")}
        return {"bundle": self.id, "folder": str(self.bundle.folder), **values}


@dataclass(frozen=True)
class Model:
    """All measurements of drives of one model."""

    title: str
    entries: tuple[Entry, ...]

    @property
    def drives(self) -> int:
        """The number of distinct drives, by their serial numbers."""
        return len({one.serial_hash for one in self.entries if one.serial_hash})

    @property
    def not_recognised(self) -> int:
        """Number of measurements of a drive without a serial number."""
        return sum(one.serial_hash is None for one in self.entries)

    def to_json(self) -> Json:
        """The model as one JSON object."""
        return {
            "model": self.entries[0].model,
            "simulated": self.entries[0].simulated,
            "drives": self.drives,
            "measurements": len(self.entries),
            "not_recognised": self.not_recognised,
            "bundles": [one.id for one in self.entries],
        }


@dataclass(frozen=True)
class Added:
    """A bundle that came into the archive.

    Attributes:
        entry: it, there.
        left_out: what said whose drive or machine it was, and stayed behind.
        same_drive: ids of the bundles of the same drive that were there before.
        same_model: ids of those of the same model, the same drive's included.
    """

    entry: Entry
    left_out: list[Personal]
    same_drive: list[str]
    same_model: list[str]

    def to_json(self) -> Json:
        """The same as one JSON object."""
        return {
            "bundle": self.entry.id,
            "folder": str(self.entry.bundle.folder),
            "model": self.entry.model,
            "serial_hash": self.entry.serial_hash,
            "duplicates": self.same_drive,
            "same_model": self.same_model,
            "left_out": [str(one) for one in self.left_out],
        }


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
        """Difference of the second from the first, in percent."""
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

    def add(self, source: Path) -> Added:
        """Copies a bundle in and checks the copy: what is kept is what was looked at.

        Only the files that its manifest names are copied, and only regular ones. What says whose
        drive or machine it was is left out of the copy, which keeps its samples and its id.

        Raises:
            InputError: it is not a complete bundle, was changed, or is in the archive already.
        """
        declare_folder("--archive", self.folder, (source,))
        bundle = Bundle(source)
        if problems := bundle.check():
            raise InputError("\n".join(problems))
        manifest = bundle.manifest()
        target = self.folder / manifest.bundle
        if target.exists():
            raise in_file(source, f"is in the archive already, as {target}")
        before, _ = self.entries()
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f".{manifest.bundle}.{os.getpid()}.partial"
        try:
            partial.mkdir()
            for name in (*manifest.files, MANIFEST):
                _copy(source / name, partial / name)
            if Bundle(partial).check() or Bundle(partial).id != manifest.bundle:
                raise in_file(source, "changed while it was copied; add it again")
            left_out = _without_owner(Bundle(partial), source)
            if not (self.folder / ATTRIBUTES).exists():
                write_text(self.folder / ATTRIBUTES, _ATTRIBUTES)
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        entry = entry_of(Bundle(target))
        alike = [one.id for one in before if one.model and _key(one) == _key(entry)]
        return Added(entry, left_out, entry.same_drive(before), alike)

    def entries(self) -> tuple[list[Entry], list[Bad]]:
        """Every bundle, by model, drive and date; and what is in the archive and is no sound one.

        Raises:
            InputError: the archive is a file, or a bundle.
        """
        if not self.folder.exists():
            return [], []
        if not self.folder.is_dir():
            raise in_file(self.folder, "is a file; an archive is a folder")
        if Bundle(self.folder).is_complete:
            raise in_file(self.folder, "is a bundle; an archive is a folder of bundles")
        found, bad = [], []
        for folder in self.folders():
            try:
                if folder.is_symlink():
                    raise in_file(folder, "is a link; an archive holds its bundles")
                bundle = Bundle(folder)
                entry = entry_of(bundle)
                if entry.id != folder.name:
                    raise in_file(folder, f"calls itself {entry.id}")
                if changed := bundle.changed(bundle.manifest()):
                    raise InputError(changed[0])
                found.append(entry)
            except InputError as error:
                bad.append(Bad(folder, str(error)))
            except OSError as error:
                bad.append(Bad(folder, f"{error.filename or folder}: {error.strerror}"))
        return sorted(found, key=_order), bad

    def folders(self) -> list[Path]:
        """Every folder of the archive that holds, or says that it holds, a complete bundle."""
        return sorted(
            one
            for one in self.folder.iterdir()
            if not one.name.startswith(".") and one.is_dir() and claims_to_be_complete(one)
        )

    def find(self, name: str) -> Bundle:
        """A bundle by the beginning of its id, or by its folder.

        Raises:
            InputError: there is none, or more than one, or it is bad.
        """
        if "/" in name or Path(name).is_dir():
            bundle = Bundle(Path(name))
            if not bundle.is_complete:
                raise InputError(f"{name}: is not a complete bundle")
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


def claims_to_be_complete(folder: Path) -> bool:
    """Whether a folder has a manifest, or may not be looked into, which is for others to report."""
    try:
        (folder / MANIFEST).lstat()
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def models(entries: Iterable[Entry]) -> list[Model]:
    """Entries, in their order, grouped by model; what is simulated by itself."""
    groups = [tuple(group) for _, group in groupby(entries, _key)]
    return [Model(group[0].title, group) for group in groups]


def _key(entry: Entry) -> str:
    """The same of one model, however a vendor or a bridge spells it, as for the serial's hash."""
    return entry.title.lower()


def _order(entry: Entry) -> tuple[bool, str, str, str, str]:
    return entry.model is None, _key(entry), entry.serial_hash or "", entry.started, entry.id


def _without_owner(copy: Bundle, source: Path) -> list[Personal]:
    left_out = leave_out(copy)
    if problems := [*copy.check(), *map(str, personal(copy))]:
        raise in_file(source, f"cannot be shared: {problems[0]}")
    return left_out


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


def entry_of(bundle: Bundle) -> Entry:
    """A bundle in a line. Raises InputError when it cannot be read."""
    manifest, made_by, found = bundle.manifest(), bundle.described(), bundle.values()
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
        model=model(device.name, device.facts),
        simulated=is_simulated(device.facts),
        serial_hash=serial_hash(device.name, device.facts),
    )
