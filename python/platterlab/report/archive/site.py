"""Writes the archive as a static site: files in one folder, and no others."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from platterlab import documents
from platterlab._core import InputError
from platterlab.documents import Json
from platterlab.measure.archive import Archive, Bad, Entry, Model, models
from platterlab.measure.bundle import REPORT
from platterlab.output import declare_folder, write_text
from platterlab.report import page
from platterlab.report.archive import pages
from platterlab.report.archive.measured import Measured, measured
from platterlab.wrong_file import in_file

MARKER = "platterlab-site.json"
"""Which files are the site's: only these are ever replaced or removed."""
_OURS = re.compile(r"(?:index|(?:model|report)-[a-z0-9-]+)\.html")
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)
"""Of a report, which is a page that somebody else made: it reaches no network."""


@dataclass(frozen=True)
class _Marker:
    """What the marker says."""

    files: list[str]


@dataclass(frozen=True)
class Site:
    """A site on disk.

    Attributes:
        folder: of it.
        models: how many there are a page of.
        drives: the number of distinct ones.
        measurements: how many it shows.
        files: by name, all of them.
        bad: what of the archive was left out.
    """

    folder: Path
    models: int
    drives: int
    measurements: int
    files: list[str]
    bad: list[Bad]

    @property
    def index(self) -> Path:
        """The page to open."""
        return self.folder / pages.INDEX

    @property
    def said(self) -> str:
        """What is in it, in words."""
        many = ((self.models, "model"), (self.measurements, "measurement"))
        return ", ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in many)

    def to_json(self) -> Json:
        """The same as one JSON object."""
        return {
            "folder": str(self.folder),
            "index": str(self.index),
            "models": self.models,
            "drives": self.drives,
            "measurements": self.measurements,
            "files": self.files,
            "bad": [one.to_json() for one in self.bad],
        }


def publish(
    archive: Archive, folder: Path, *, reports: bool, progress: Callable[[float], None]
) -> Site:
    """Makes the site of an archive, or makes it anew.

    Args:
        archive: to show.
        folder: empty, not there yet, or an earlier site.
        reports: whether each bundle's own report is copied and linked.
        progress: called with the share that is done.

    Raises:
        InputError: there is no archive, the folder holds something else, or lies in the archive.
    """
    if not archive.folder.exists():
        raise in_file(archive.folder, "there is no archive; `archive add` begins one")
    declare_folder("FOLDER", folder, (archive.folder,))
    before = _own_files(folder)
    found, bad = _read(archive)
    names = {model.title: _page_name(model) for model, _ in found}
    copied = {
        one.entry.id: f"report-{one.entry.id}.html"
        for _, some in found
        for one in some
        if reports and one.has_report
    }
    files = sorted([pages.INDEX, *names.values(), *copied.values()])
    _require_free(folder, files, before)
    folder.mkdir(parents=True, exist_ok=True)
    # First, and with what is there: broken off, the folder is known again.
    _mark(folder, sorted({*files, *before}))
    for at, (model, some) in enumerate(found):
        page.write(folder / names[model.title], model.title, pages.model_page(model, some, copied))
        for one in some:
            if one.entry.id in copied:
                write_text(folder / copied[one.entry.id], _report(one.entry))
        progress((at + 1) / (len(found) + 1))
    page.write(folder / pages.INDEX, "Measured drives", pages.index(found, bad, names))
    for name in set(before) - set(files):
        (folder / name).unlink(missing_ok=True)
    _mark(folder, files)
    every = [model for model, _ in found]
    return Site(
        folder=folder,
        models=len(found),
        drives=sum(model.drives for model in every),
        measurements=sum(len(model.entries) for model in every),
        files=files,
        bad=bad,
    )


def _read(archive: Archive) -> tuple[list[tuple[Model, list[Measured]]], list[Bad]]:
    """What can be shown, by model; and what cannot."""
    entries, bad = archive.entries()
    sound: dict[str, Measured] = {}
    for entry in entries:
        try:
            sound[entry.id] = measured(entry)
        except InputError as error:
            bad.append(Bad(entry.bundle.folder, str(error)))
        except OSError as error:
            bad.append(Bad(entry.bundle.folder, f"{error.filename}: {error.strerror}"))
    shown = models([entry for entry in entries if entry.id in sound])
    return [(model, [sound[one.id] for one in model.entries]) for model in shown], bad


def _page_name(model: Model) -> str:
    """A file's name that stays: the model in few letters, and a hash where those are not enough."""
    words = re.sub(r"[^a-z0-9]+", "-", model.title.lower()).strip("-")[:40].strip("-")
    told = hashlib.sha256(model.title.encode(errors="replace")).hexdigest()[:8]
    return f"model-{words}-{told}.html" if words else f"model-{told}.html"


def _own_files(folder: Path) -> list[str]:
    """The files of an earlier site.

    Raises:
        InputError: there is something in the folder, and it is not a site.
    """
    if not folder.exists():
        return []
    if (folder / MARKER).is_file():
        marked = documents.read(folder / MARKER, _Marker).files
        return [name for name in marked if _OURS.fullmatch(name)]
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise in_file(
            folder,
            "holds something else than a site of `archive publish`; "
            "name an empty folder or a new one",
        )
    return []


def _require_free(folder: Path, files: Sequence[str], before: Sequence[str]) -> None:
    for name in files:
        if name not in before and (folder / name).exists():
            raise in_file(folder / name, "is not of the site; move it away")


def _mark(folder: Path, files: Sequence[str]) -> None:
    text = json.dumps({"files": files, "schema_version": 1}, indent=2, sort_keys=True)
    write_text(folder / MARKER, text + "\n")


def _report(entry: Entry) -> str:
    """A bundle's report behind a policy that keeps it from the network."""
    text = documents.contents(entry.bundle.path(REPORT)).decode(errors="replace")
    head = '<!doctype html>\n<meta charset="utf-8">\n'
    return f'{head}<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n{text}'
