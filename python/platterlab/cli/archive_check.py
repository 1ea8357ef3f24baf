"""Output of `platterlab archive check`: each bundle, and each problem at its place."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from platterlab.cli.console import emit, meter, stdout
from platterlab.measure.archive import Archive
from platterlab.measure.bundle import Bundle
from platterlab.measure.contribution import (
    Checked,
    Problem,
    check_archive,
    check_bundle,
    strays,
)
from platterlab.wrong_file import in_file


def run(folders: Sequence[Path], archive: Archive, values: bool | None, as_json: bool) -> int:
    """Checks what is named, or the archive; 0 if all of it is good and 1 if not."""
    for folder in folders:
        _require_folder(folder)
    found: list[Checked] = []
    stray: list[Problem] = []
    with meter("bundles") as progress:
        for one in _checked(folders, archive, values, stray):
            found.append(one)
            progress.rename(f"{len(found):,} bundles")
    is_good = not stray and not any(one.problems for one in found)
    if as_json:
        emit(
            {
                "ok": is_good,
                "checked": [one.to_json() for one in found],
                "stray": [one.to_json() for one in stray],
            }
        )
    else:
        _show(found, stray)
    return 0 if is_good else 1


def _require_folder(folder: Path) -> None:
    if not folder.exists():
        raise in_file(folder, "there is no such folder; name a bundle or an archive")
    if not folder.is_dir():
        raise in_file(folder, "is a file; a bundle is a folder, and so is an archive")


def _checked(
    folders: Sequence[Path], archive: Archive, values: bool | None, stray: list[Problem]
) -> Iterator[Checked]:
    if not folders and not archive.folder.exists():
        raise in_file(archive.folder, "there is no archive; name a bundle or an archive")
    others = archive.entries()[0] if folders else []
    for folder in folders or [archive.folder]:
        bundle = Bundle(folder)
        if bundle.is_begun or bundle.is_complete:
            yield check_bundle(folder, others, values=values is not False)
        else:
            yield from check_archive(folder, values=bool(values))
            stray += strays(folder)


def _show(found: Sequence[Checked], stray: Sequence[Problem]) -> None:
    console = stdout()
    for one in found:
        title = f"{one.entry.id}  {one.entry.title}" if one.entry else str(one.folder)
        word = "bad" if one.problems else "ok "
        console.print(f"{word}  {title}", markup=False, soft_wrap=True)
        for problem in one.problems:
            console.print(f"     {problem.where}: {problem.what}", markup=False, soft_wrap=True)
        if any(problem.kind == "personal" for problem in one.problems):
            console.print("     `archive add` leaves what says whose it is out", soft_wrap=True)
        for note in one.notes:
            console.print(f"     note: {note}", markup=False, soft_wrap=True)
    for problem in stray:
        console.print(f"bad  {problem.where}: {problem.what}", markup=False, soft_wrap=True)
    bad = sum(bool(one.problems) for one in found)
    unread = sum(one.values is None for one in found)
    told = f"{_count(len(found), 'bundle')}, {bad:,} bad"
    console.print(f"{told}, {_count(len(stray), 'stray file')}" if stray else told)
    if unread:
        console.print(
            f"values of {_count(unread, 'bundle')} were not compared with samples: use --values",
            soft_wrap=True,
        )


def _count(many: int, what: str) -> str:
    return f"{many:,} {what}{'' if many == 1 else 's'}"
