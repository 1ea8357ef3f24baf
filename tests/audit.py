"""`make audit`: asks servers what only they know of the crates and Python packages that are pinned.

Withdrawn versions are asked of the registries, through cargo and pip; known defects of OSV, which
has the advisories of RustSec and of PyPA. What cannot be asked from here is said to be unknown.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OSV = "https://api.osv.dev"
PATIENCE_S = 30
WITHDRAWN = re.compile(r"requirement `([\w-]+) = \"=(\S+)\"`.*?version \S+ is yanked", re.DOTALL)
YANKED = re.compile(r"yanked version: '([\w.-]+)' candidate \(version (\S+)")


@dataclass(frozen=True)
class Pin:
    """A version that everybody gets."""

    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class UnknownError(Exception):
    """Why something cannot be asked from here."""


def crates(lock: str) -> list[Pin]:
    """Those that a Cargo.lock takes from a registry."""
    found = tomllib.loads(lock)["package"]
    return [Pin("crates.io", one["name"], one["version"]) for one in found if "source" in one]


def packages(lock: str) -> list[Pin]:
    """Those that a requirements.lock names."""
    lines = [line.split("==") for line in lock.splitlines() if "==" in line]
    return [Pin("PyPI", name, version) for name, version in lines]


def withdrawn_crates(pins: Sequence[Pin]) -> list[Pin]:
    """Those of which cargo says so: it takes no withdrawn version that no lock file names."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "src").mkdir()
        (Path(folder) / "src" / "lib.rs").touch()
        found: list[Pin] = []
        while True:
            left = [pin for pin in pins if pin not in found]
            (Path(folder) / "Cargo.toml").write_text(_manifest(left))
            line = ["cargo", "generate-lockfile", "--quiet"]
            said = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
            if said.returncode == 0:
                return found
            named = WITHDRAWN.search(said.stderr)
            if named is None:
                raise UnknownError(_last(said.stderr))
            found.append(Pin("crates.io", named[1], named[2]))


def _manifest(pins: Iterable[Pin]) -> str:
    """A crate that depends on exactly these."""
    wanted = "".join(
        f'd{number} = {{ package = "{pin.name}", version = "={pin.version}", '
        "default-features = false }\n"
        for number, pin in enumerate(pins)
    )
    head = '[package]\nname = "audited"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n'
    return f"{head}[dependencies]\n{wanted}"


def withdrawn_packages(pins: Sequence[Pin]) -> list[Pin]:
    """Those of which pip warns."""
    line = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps"]
    line += ["--quiet", "--retries", "1", *(f"{pin.name}=={pin.version}" for pin in pins)]
    said = subprocess.run(line, capture_output=True, text=True, check=False)
    if said.returncode:
        raise UnknownError(_last(said.stderr))
    return [Pin("PyPI", name, version) for name, version in YANKED.findall(said.stderr)]


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it says nothing"])[-1].strip()


def defects(pins: Sequence[Pin], server: str) -> dict[Pin, list[str]]:
    """The advisories on each that has any."""
    asked = {
        "queries": [
            {"package": {"ecosystem": pin.ecosystem, "name": pin.name}, "version": pin.version}
            for pin in pins
        ]
    }
    request = urllib.request.Request(  # noqa: S310
        f"{server}/v1/querybatch",
        json.dumps(asked).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            told = json.load(answer)["results"]
    except (OSError, ValueError, KeyError) as error:
        raise UnknownError(f"{server}: {error}") from error
    if len(told) != len(pins):
        raise UnknownError(f"{server}: answers {len(told)} of {len(pins)} questions")
    found = zip(pins, told, strict=True)
    return {pin: [one["id"] for one in of["vulns"]] for pin, of in found if of.get("vulns")}


def audited(ask: Callable[[], Iterable[str]], what: str) -> bool | None:
    """Says what is found; whether all is well, None where that is unknown."""
    try:
        found = list(ask())
    except UnknownError as error:
        print(f"{what}: UNKNOWN, as it cannot be asked from here ({error})")
        return None
    print(f"{what}: {', '.join(found) or 'none'}")
    return not found


def main(arguments: Sequence[str] | None = None) -> int:
    """Gives 1 where something is found."""
    parser = argparse.ArgumentParser(prog="audit", description=__doc__)
    parser.add_argument("--osv", default=OSV, help="the server of known defects")
    given = parser.parse_args(arguments)
    rust = crates((ROOT / "Cargo.lock").read_text())
    python = packages((ROOT / "requirements.lock").read_text())

    def known() -> list[str]:
        of = defects([*rust, *python], given.osv)
        return [f"{pin} ({', '.join(advisories)})" for pin, advisories in of.items()]

    results = [
        audited(lambda: map(str, withdrawn_crates(rust)), f"withdrawn of {len(rust)} crates"),
        audited(
            lambda: map(str, withdrawn_packages(python)), f"withdrawn of {len(python)} packages"
        ),
        audited(known, f"known defects of {len(rust) + len(python)}"),
    ]
    return int(False in results)


if __name__ == "__main__":
    sys.exit(main())
