"""A bundle: the folder that a measurement leaves.

```
samples.parquet   every request, with the plans (while it runs: runs/0000.parquet, ...)
extraction.json   what was read off the samples
profile.toml      the drive, ready to simulate; absent where too little was found
tracks.csv        the tracks, where they were mapped (and no profile)
report.html       the same to look at
environment.json  device, host, versions, options
manifest.json     the bundle's id and the checksum of every file: it is complete
```
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platterlab import __version__, documents, output
from platterlab._core import InputError
from platterlab.measure import samples
from platterlab.measure.documents import (
    Curves,
    Environment,
    Extraction,
    Manifest,
    curves,
    extraction,
)
from platterlab.measure.environment import Described
from platterlab.measure.samples import Run
from platterlab.wrong_file import in_file

SAMPLES, EXTRACTION, PROFILE = "samples.parquet", "extraction.json", "profile.toml"
REPORT, ENVIRONMENT, MANIFEST = "report.html", "environment.json", "manifest.json"
TRACKS = "tracks.csv"
RUNS = "runs"


@dataclass(frozen=True)
class Bundle:
    """One folder."""

    folder: Path

    @property
    def is_complete(self) -> bool:
        """Whether the measurement came to its end."""
        return (self.folder / MANIFEST).is_file()

    @property
    def is_begun(self) -> bool:
        """Whether there is a measurement, complete or not."""
        return (self.folder / ENVIRONMENT).is_file()

    @property
    def id(self) -> str:
        """Its name for life. Raises InputError when it is not complete."""
        return self.manifest().bundle

    def path(self, name: str) -> Path:
        """Path of a file of it, there or not."""
        return self.folder / name

    def manifest(self) -> Manifest:
        """Its contents.

        Raises:
            InputError: it is not complete, or the manifest is wrong or of a later format.
        """
        path = self.folder / MANIFEST
        manifest = documents.decoded(self._bytes(MANIFEST), Manifest, path)
        if manifest.schema_version != output.SCHEMA_VERSION:
            raise in_file(
                path,
                f"schema_version {manifest.schema_version}: this version of platterlab reads "
                f"{output.SCHEMA_VERSION}",
            )
        return manifest

    def environment(self) -> Described:
        """Device, host, versions, options. Raises InputError when there is none, or it is wrong."""
        self.described()
        return documents.decoded(self._bytes(ENVIRONMENT), Described, self.folder / ENVIRONMENT)

    def described(self) -> Environment:
        """The part of the environment that distinguishes bundles. Raises InputError likewise."""
        return documents.decoded(self._bytes(ENVIRONMENT), Environment, self.folder / ENVIRONMENT)

    def extraction(self) -> documents.Json:
        """What was read off the samples. Raises InputError when there is none."""
        return documents.as_dict(self._bytes(EXTRACTION), self.folder / EXTRACTION)

    def values(self) -> Extraction:
        """The values in it. Raises InputError when there are none, or one is wrong."""
        return extraction(self._bytes(EXTRACTION), self.folder / EXTRACTION)

    def curves(self) -> Curves:
        """What of it is drawn over the drive. Raises InputError likewise."""
        return curves(self._bytes(EXTRACTION), self.folder / EXTRACTION)

    def begin(self, environment: Described) -> None:
        """Makes the folder.

        Raises:
            InputError: there is something in it already.
        """
        if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            way = "continue with --resume" if self.is_begun and not self.is_complete else "clear it"
            raise in_file(self.folder, f"exists; {way}, or name another folder with --out")
        (self.folder / RUNS).mkdir(parents=True)
        self.write_json(ENVIRONMENT, environment)

    def add(self, number: int, run: Run) -> None:
        """Keeps a run; one that did not end well is kept until its repetition replaces it.

        Raises:
            OSError: it could not be written; those before it are safe.
        """
        (self.folder / RUNS).mkdir(exist_ok=True)
        whole = self.folder / RUNS / f"{number:04}.parquet"
        partial = whole.with_suffix(".partial.parquet")
        samples.write(whole if run.end == "complete" else partial, [run])
        if run.end == "complete":
            partial.unlink(missing_ok=True)

    def runs(self) -> list[Run]:
        """The runs that ended well, in order. Raises InputError when they cannot be read."""
        if (self.folder / SAMPLES).is_file():
            return samples.read(self.folder / SAMPLES)
        found: list[Run] = []
        while (path := self.folder / RUNS / f"{len(found):04}.parquet").is_file():
            found += samples.read(path)
        return found

    def unfinished_requests(self) -> int:
        """Requests of runs that did not end well."""
        kept = sorted((self.folder / RUNS).glob("*.partial.parquet"))
        return sum(run.requests for path in kept for run in samples.read(path))

    def write_text(self, name: str, text: str) -> None:
        """Writes a file of it, whole or not at all."""
        output.write_text(self.folder / name, text)

    def write_json(self, name: str, document: Mapping[str, object]) -> None:
        """Writes a JSON file of it, its keys sorted, whole or not at all."""
        text = json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True)
        self.write_text(name, text + "\n")

    def seal(self, bundle_id: str, status: str) -> None:
        """Ends it: writes the manifest, and drops what only a resumption needs."""
        shutil.rmtree(self.folder / RUNS, ignore_errors=True)
        names = sorted(path.name for path in self.folder.iterdir() if path.is_file())
        files = {
            name: {"bytes": path.stat().st_size, "sha256": _sha256(path)}
            for name in names
            if name != MANIFEST and not name.startswith(".")
            for path in (self.folder / name,)
        }
        manifest = {
            "schema_version": output.SCHEMA_VERSION,
            "bundle": bundle_id,
            "status": status,
            "platterlab": __version__,
            "files": files,
        }
        self.write_json(MANIFEST, manifest)

    def check(self) -> list[str]:
        """Faults of it, a sentence each; nothing if it is as it was left."""
        if not self.is_complete:
            if not self.folder.exists():
                return [f"{self.folder}: there is no such folder; name a bundle"]
            if not self.folder.is_dir():
                return [f"{self.folder}: is a file; a bundle is a folder"]
            return [f"{self.folder}: holds no complete measurement"]
        try:
            manifest = self.manifest()
            self.described()
            self.values()
        except InputError as error:
            return [str(error)]
        if problems := self.changed(manifest):
            return problems
        try:
            runs = self.runs()
        except InputError as error:
            return [str(error)]
        if samples.fingerprint(runs) != manifest.bundle:
            return [f"{self.folder}: the samples are not those of bundle {manifest.bundle}"]
        return []

    def changed(self, manifest: Manifest) -> list[str]:
        """Which of its files are not as they were left, a sentence each."""
        if SAMPLES not in manifest.files:
            return [f"{self.folder / MANIFEST}: names no {SAMPLES}; a bundle has its samples"]
        problems = []
        for name, noted in manifest.files.items():
            path = self.folder / name
            if path.is_symlink() or (path.exists() and not path.is_file()):
                problems.append(f"{path}: is not a regular file")
            elif not path.is_file():
                problems.append(f"{path}: is missing")
            elif path.stat().st_size != noted.bytes or _sha256(path) != noted.sha256:
                problems.append(f"{path}: is not as it was left; its checksum differs")
        return problems

    def _bytes(self, name: str) -> bytes:
        path = self.folder / name
        if not path.is_file():
            raise in_file(self.folder, f"is not a bundle, it has no {name}")
        return documents.contents(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
