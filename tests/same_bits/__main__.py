"""`make same-bits OLD=REF`: records this tree and an earlier commit, and compares.

OLD may also be a recording, as `--out` writes it. An earlier commit is built in a worktree under
`target/same-bits`, which stays there: the next build of another commit is quick.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from platterlab import data
from same_bits.compare import compare, renamed
from same_bits.record import Tree, record

ROOT = Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / "target" / "same-bits"
SHOWN = 40
Wanted = Callable[[str], bool]


def main() -> int:
    """Gives 0 where every old value is there and equal, 1 where not, 2 for a wrong OLD."""
    asked = _arguments()

    def wanted(name: str) -> bool:
        return name.startswith(tuple(asked.only or [""])) and not name.startswith(
            tuple(asked.without)
        )

    if asked.out is not None:
        old = _of_commit(asked.old, wanted) if asked.old else _record(ROOT, wanted)
        asked.out.write_text(json.dumps(old, indent=1) + "\n", encoding="utf-8")
        return 0
    if Path(asked.old).is_file():
        old = json.loads(Path(asked.old).read_text(encoding="utf-8"))
    else:
        old = _of_commit(asked.old, wanted)
    old = {name: told for name, told in old.items() if wanted(name)}
    return _show(old, _record(ROOT, wanted))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="same-bits", description=__doc__)
    parser.add_argument("--old", help="a commit, or a recording")
    parser.add_argument("--only", nargs="*", help="parts that begin so: `study`, `drive hp`")
    parser.add_argument("--without", nargs="*", default=[], help="parts to leave out")
    parser.add_argument("--out", type=Path, help="only record, into this file: OLD, or this tree")
    asked = parser.parse_args()
    if asked.old is None and asked.out is None:
        parser.error("say --old, or --out")
    return asked


def _show(old: dict[str, Any], new: dict[str, Any]) -> int:
    found = compare(old, new, renamed())
    for title, lines in (
        ("different", found.different),
        ("other words", found.reworded),
        ("added", found.added),
    ):
        if lines:
            print(f"\n{len(lines)} {title}:", *lines[:SHOWN], sep="\n  ")
            print(f"  and {len(lines) - SHOWN} more" if len(lines) > SHOWN else "", end="")
    print(
        f"\n{found.equal} values are equal, {len(found.different)} are not, "
        f"{len(found.added)} are new"
    )
    return 0 if found.same else 1


def _of_commit(ref: str, wanted: Wanted) -> dict[str, Any]:
    """The recording of an earlier commit."""
    commit = _git("rev-parse", "--verify", f"{ref}^{{commit}}")
    tree = PLACE / "old"
    if not (tree / ".git").exists():
        shutil.rmtree(tree, ignore_errors=True)
        _git("worktree", "prune")
        PLACE.mkdir(parents=True, exist_ok=True)
        _git("worktree", "add", "--detach", str(tree), commit)
    _git("-C", str(tree), "checkout", "--quiet", "--force", "--detach", commit)
    build(tree, PLACE / "target")
    return _record(tree, wanted)


def _git(*arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        print(f"same-bits: {ran.stderr.strip()}", file=sys.stderr)
        sys.exit(2)
    return ran.stdout.strip()


def build(tree: Path, target: Path) -> None:
    """Builds the core beside the Python package, in a target folder of its own."""
    print(f"building {tree}", file=sys.stderr)
    # This tree's profile, for commits that have none of this name.
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    profile = _settings("profile.checked", manifest["profile"]["checked"])
    cargo = ["cargo", "build", "--quiet", "--profile", "checked", *profile, "--locked"]
    subprocess.run(
        [*cargo, "--package", "platterlab-python", "--target-dir", str(target)],
        cwd=tree,
        env=os.environ | {"PYO3_PYTHON": sys.executable},
        check=True,
    )
    built = target / "checked" / "lib_core.so"
    shutil.copyfile(built, tree / "python" / "platterlab" / "_core.abi3.so")


def _settings(key: str, value: Any) -> list[str]:
    """A table as options of cargo, one for each value in it."""
    if not isinstance(value, dict):
        return [f"--config={key}={json.dumps(value)}"]
    return [one for name in value for one in _settings(f"{key}.{json.dumps(name)}", value[name])]


def _record(tree: Path, wanted: Wanted) -> dict[str, Any]:
    begin_s = time.monotonic()

    def say(name: str) -> None:
        print(f"{time.monotonic() - begin_s:6.0f} s  {tree.name}: {name}", file=sys.stderr)

    return record(Tree(tree, data.folder()), wanted, say)


if __name__ == "__main__":
    sys.exit(main())
