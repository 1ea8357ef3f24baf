"""Checks of a bundle or an archive before it is given to others: every problem at its place."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from platterlab import __version__, documents
from platterlab._core import InputError, Profile
from platterlab.documents import Json
from platterlab.measure.archive import (
    ATTRIBUTES,
    Archive,
    Entry,
    claims_to_be_complete,
    entry_of,
)
from platterlab.measure.bundle import MANIFEST, PROFILE, SAMPLES, TRACKS, Bundle
from platterlab.measure.differences import differences
from platterlab.measure.personal import personal
from platterlab.measure.run import read_again
from platterlab.measure.tracks import as_csv

Kind = Literal["damaged", "values", "personal", "stray", "name"]

_LARGE_BYTES = 50 << 20
"""Of a file: what GitHub warns of; it refuses twice as much."""
_LEFT_ALONE = {ATTRIBUTES, ".git", ".gitignore", ".github", "README.md", "LICENSE"}
"""Files that may lie in an archive with its bundles."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        kind: `damaged` files, `values` that the samples do not say, `personal` data, `stray` files,
            or a `name` that is not the id.
        where: the file or folder.
        what: a sentence.
    """

    kind: Kind
    where: str
    what: str

    def to_json(self) -> dict[str, str]:
        """The problem as one JSON object."""
        return {"kind": self.kind, "where": self.where, "what": self.what}


@dataclass(frozen=True)
class Checked:
    """What was found of one bundle.

    Attributes:
        folder: the bundle's.
        entry: its line; None where it cannot be read.
        problems: nothing of a good contribution.
        notes: what to know, and no fault.
        duplicates: ids of other bundles of the same drive.
        values: whether the samples say the same again; None where that was not looked at.
    """

    folder: Path
    entry: Entry | None
    problems: list[Problem]
    notes: list[str]
    duplicates: list[str]
    values: bool | None

    def to_json(self) -> Json:
        """The same as one JSON object."""
        entry = self.entry
        return {
            "bundle": entry.id if entry else None,
            "folder": str(self.folder),
            "model": entry.model if entry else None,
            "serial_hash": entry.serial_hash if entry else None,
            "ok": not self.problems,
            "problems": [one.to_json() for one in self.problems],
            "notes": self.notes,
            "duplicates": self.duplicates,
            "values_agree": self.values,
        }


def check_bundle(
    folder: Path, others: Sequence[Entry], *, values: bool, is_kept: bool = False
) -> Checked:
    """Everything that can be wrong with one bundle.

    Args:
        folder: the bundle's.
        others: bundles that it may be of the same drive as.
        values: whether to read every value off the samples again, which takes some seconds.
        is_kept: whether it is in the archive, so that what was measured before is no news.
    """
    bundle = Bundle(folder)
    problems = list(_damage(bundle))
    if problems:
        return Checked(folder, None, problems, [], [], None)
    entry = entry_of(bundle)
    problems += _strays(bundle)
    for one in personal(bundle):
        problems.append(Problem("personal", str(folder / one.file), f"{one.place}: {one.why}"))
    notes = list(_large(bundle))
    if not is_kept:
        notes += _before(bundle, entry, others)
    agree = None
    if values:
        wrong, said = _values(bundle)
        problems += wrong
        notes += said
        agree = not wrong and not said
    return Checked(folder, entry, problems, notes, entry.same_drive(others), agree)


def check_archive(folder: Path, *, values: bool) -> Iterator[Checked]:
    """Every bundle of an archive, one after the other.

    Raises:
        InputError: the archive is not a folder.
    """
    archive = Archive(folder)
    entries, _ = archive.entries()
    for path in archive.folders():
        checked = check_bundle(path, entries, values=values, is_kept=True)
        if checked.entry is not None and checked.entry.id != path.name:
            said = f"the bundle is {checked.entry.id}; its folder has to have that name"
            checked.problems.append(Problem("name", str(path), said))
        yield checked


def strays(folder: Path) -> list[Problem]:
    """Entries of an archive that are neither a bundle nor a file that belongs there."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_ALONE:
            continue
        if path.is_symlink():
            found.append(Problem("stray", str(path), "is a link; an archive holds its bundles"))
        elif not path.is_dir():
            found.append(Problem("stray", str(path), "is not a bundle; remove it"))
        elif path.name.startswith("."):
            found.append(Problem("stray", str(path), "is left of an `add` that died; remove it"))
        elif not claims_to_be_complete(path):
            said = f"is a folder without {MANIFEST}: no bundle, or one that is not complete"
            found.append(Problem("stray", str(path), said))
    return found


def _damage(bundle: Bundle) -> Iterator[Problem]:
    try:
        for path in (bundle.folder, bundle.path(MANIFEST)):
            if path.is_symlink():
                yield Problem("damaged", str(path), "is a link; a bundle holds its files")
                return
        problems = bundle.check()
        if not problems:
            entry_of(bundle)
            if (text := bundle.path(PROFILE)).is_file():
                Profile.parse(documents.text(text), str(text))
    except InputError as error:
        problems = [str(error)]
    except OSError as error:
        problems = [f"{error.filename or bundle.folder}: {error.strerror}"]
    for said in problems:
        where, _, what = said.partition(": ")
        yield Problem("damaged", where, what or said)


def _strays(bundle: Bundle) -> Iterator[Problem]:
    known = {*bundle.manifest().files, MANIFEST}
    for path in sorted(bundle.folder.iterdir()):
        if path.name not in known:
            what = "a link" if path.is_symlink() else "not named by the manifest"
            yield Problem("stray", str(path), f"is {what}; remove it")
        elif stat.S_IMODE(os.lstat(path).st_mode) & 0o111:
            yield Problem("stray", str(path), "is executable; `chmod a-x` it")


def _before(bundle: Bundle, entry: Entry, others: Sequence[Entry]) -> Iterator[str]:
    twins = [one for one in others if one.id == entry.id and not _is_same(one.bundle, bundle)]
    if twins:
        yield f"its samples are in the archive already, as {twins[0].bundle.folder}"
    if entry.serial_hash is None:
        yield "has no serial number: whether its drive was measured before cannot be recognised"
    elif same := entry.same_drive(others):
        yield f"the same drive was measured before: {_listed(same)}"
    alike = [one.id for one in others if one.title == entry.title and one.id != entry.id]
    if entry.model and alike:
        yield f"the same model was measured before: {_listed(alike)}"


def _large(bundle: Bundle) -> Iterator[str]:
    for name, noted in bundle.manifest().files.items():
        if noted.bytes > _LARGE_BYTES:
            yield f"{name} has {noted.bytes / 1e6:,.0f} MB; some servers of git refuse so much"


def _is_same(one: Bundle, other: Bundle) -> bool:
    return one.folder.resolve() == other.folder.resolve()


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - 4:,} more" if len(ids) > 4 else ""
    return ", ".join(ids[:4]) + more


def _values(bundle: Bundle) -> tuple[list[Problem], list[str]]:
    """What the samples say otherwise: problems, or notes where another version read them."""
    stored = bundle.extraction()
    try:
        found = read_again(bundle)
    except InputError as error:
        return [Problem("values", str(bundle.path(SAMPLES)), str(error))], []
    wrong = [Problem("values", str(bundle.folder), said) for said in differences(stored, found)]
    table = bundle.path(TRACKS)
    if not wrong and "pieces" in found and documents.text(table) != as_csv(found):
        wrong.append(
            Problem("values", str(table), "is not the table of the tracks that were found")
        )
    version = str(stored.get("platterlab", "another version"))
    return (wrong, []) if version == __version__ else ([], _by_another(version, wrong))


def _by_another(version: str, wrong: Iterable[Problem]) -> list[str]:
    return [f"read by {version}, and otherwise by {__version__}: {one.what}" for one in wrong]
