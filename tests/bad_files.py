"""Files wrong in every way: sound ones made by the program, and what may become of them."""

import contextlib
import gzip
import io
import lzma
import os
import random
import shutil
import socket
import stat
from pathlib import Path

from platterlab import cli, library

DRIVE = "hp-c2200a"
DISKSIM = Path(__file__).parent.parent / "crates/disksim/tests/files"
LONG = "n" * 240


def sound(folder: Path) -> list[Path]:
    """One file or folder of each kind that the program reads, made by its own commands."""
    trace = folder / "arrivals.trace"
    trace.write_text("".join(f"{40 * i} 0 {997 * i} 8 {i % 2}\n" for i in range(300)))
    measured = folder / "measured.trace"
    measured.write_text("".join(f"R Miss {1999 * i % 600_000} 8 12345 12000\n" for i in range(300)))
    profile = folder / "drive.toml"
    profile.write_text(library.drives()[DRIVE][1])
    experiment = folder / "experiment.toml"
    experiment.write_text(
        '[[drive]]\nprofile = "drive.toml"\n\n[[workload]]\nkind = "trace"\n'
        'file = "arrivals.trace"\n'
    )
    (folder / "sweep.toml").write_text(
        'experiment = "experiment.toml"\n[[vary]]\nkey = "drive[0].depth"\nvalues = [1, 2]\n'
    )
    (folder / "faults.toml").write_text('[[fault]]\nkind = "unreadable"\nlba = 7\nsectors = 8\n')
    for path in DISKSIM.glob("small.*"):
        shutil.copy(path, folder)
    again = ["simulate", "-p", profile, "-t", measured, "--timing", "closed", "--per-request"]
    for line in (
        ["characterize", "mock", "--quick", "--out", folder / "bundle"],
        [*again, folder / "rows.parquet"],
        [*again, folder / "rows.csv"],
        ["trace", "convert", trace, folder / "arrivals.blkreplay", "--to", "blkreplay"],
        ["task", "write", "compress", folder / "run.flow"],
    ):
        with contextlib.redirect_stdout(io.StringIO()):
            assert cli.run([str(word) for word in line]) == 0, line
    return sorted(folder.iterdir())


WORDS = b"null -1 1e999 [] {} 'x' 99999999999999999999 NaN 0 true \xff".split()


def mutated(content: bytes, chance: random.Random, words: list[bytes] = WORDS) -> bytes:
    """The same with a few bytes changed, cut out or doubled, or a word in another's place."""
    made = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            del made[at:]
        elif kind == 1:
            del made[at : at + chance.randint(1, 200)]
        elif kind == 2:
            made[at:at] = made[at : at + chance.randint(1, 200)]
        elif kind == 3:
            made[at : at + 1] = bytes([chance.randrange(256)])
        else:
            made[at : at + chance.randint(0, 8)] = chance.choice(words)
    return bytes(made)


def _damaged(path: Path, chance: random.Random) -> None:
    """Beside a sound file, the same damaged, packed, and under names that lie."""
    content, stem, kind = path.read_bytes(), path.stem, path.suffix
    half = content[: len(content) // 2]
    beside = {
        f"{stem}-half{kind}": half,
        f"{stem}-cut{kind}": content[:-1],
        f"{stem}-more{kind}": content + content[: len(content) // 3],
        f"{stem}-latin-1{kind}": content.replace(b"e", "é".encode("latin-1"), 3),
        f"{stem}-null{kind}": content[:40] + bytes(40) + content[40:],
        f"{stem}-dos{kind}": content.replace(b"\n", b"\r\n"),
        f"{stem}-marked{kind}": b"\xef\xbb\xbf" + content,
        f"{stem}{kind}.gz": gzip.compress(content, mtime=0),
        f"{stem}-cut{kind}.gz": gzip.compress(content, mtime=0)[:-20],
        f"{stem}{kind}.xz": lzma.compress(content),
        f"{stem}-cut{kind}.xz": lzma.compress(content)[:-20],
    }
    for number in range(4):
        beside[f"{stem}-{number}{kind}"] = mutated(content, chance)
    for other in (".toml", ".parquet", ".csv", ".trace", ".diskspecs", ".parv", ".flow"):
        if other != kind:
            beside[f"{stem}-as{other}"] = content
    for name, body in beside.items():
        path.with_name(name).write_bytes(body)


def _damaged_bundle(path: Path, chance: random.Random) -> None:
    """Beside a bundle, others with one file damaged or gone."""
    for number, file in enumerate(sorted(one for one in path.rglob("*") if one.is_file())):
        copy = path.with_name(f"bundle-{number}")
        shutil.copytree(path, copy)
        inner = copy / file.relative_to(path)
        content = inner.read_bytes()
        if chance.random() < 0.3:
            inner.unlink()
        else:
            inner.write_bytes(chance.choice([b"", b"{}", b"[]", mutated(content, chance)]))


def _no_files(folder: Path, chance: random.Random) -> None:
    """What stands in a folder and is not a file that anybody could read to its end."""
    for kind in (".toml", ".parquet", ".csv", ".trace", ".parv", ".flow"):
        (folder / f"empty{kind}").touch()
        (folder / f"noise{kind}").write_bytes(chance.randbytes(5000))
        with (folder / f"huge{kind}").open("wb") as huge:
            huge.truncate(1 << 33)
        (folder / f"folder{kind}").mkdir()
        os.mkfifo(folder / f"pipe{kind}")
        closed = folder / f"closed{kind}"
        closed.write_text("nobody may read this\n")
        closed.chmod(0)
        (folder / f"nowhere{kind}").symlink_to("gone")
        (folder / f"circle{kind}").symlink_to(f"circle{kind}")
        for device in ("zero", "full", "null"):
            (folder / f"{device}{kind}").symlink_to(f"/dev/{device}")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket"))
    (folder / "locked").mkdir(mode=0)


def pool(folder: Path, seed: int) -> tuple[list[Path], list[Path]]:
    """The sound and the bad of a folder that is filled here."""
    chance = random.Random(seed)  # noqa: S311
    good = sound(folder)
    for path in good:
        if path.is_dir():
            _damaged_bundle(path, chance)
        else:
            _damaged(path, chance)
    _no_files(folder, chance)
    shutil.copy(folder / "arrivals.trace", folder / os.fsdecode(b"n\xffme.trace"))
    shutil.copy(folder / "drive.toml", folder / os.fsdecode(b"n\xffme.toml"))
    shutil.copy(folder / "arrivals.trace", folder / f"{LONG}.trace")
    shutil.copy(folder / "arrivals.trace", folder / "line\nbreak.trace")
    kept = set(good)
    bad = [path for path in sorted(folder.iterdir()) if path not in kept]
    gone = ["gone.toml", "gone/rows.parquet", "arrivals.trace/x", "n" * 300, "bundle/../bundle"]
    return good, [*bad, *(folder / name for name in gone)]


def state(folder: Path) -> dict[str, tuple[int, ...]]:
    """What tells whether anything in a folder was changed."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            facts = os.lstat(os.path.join(place, name))  # noqa: PTH118
            same = (facts.st_ino, facts.st_mode, facts.st_uid)
            if not stat.S_ISDIR(facts.st_mode):
                same = (*same, facts.st_size, facts.st_mtime_ns)
            found[f"{place}/{name}"] = same
    return found


def tidied(folder: Path, before: dict[str, tuple[int, ...]]) -> None:
    """Removes what was not there before: some outputs go beside their input or into a folder."""
    for place, folders, files in os.walk(folder, topdown=False):
        for path in (Path(place, name) for name in (*folders, *files)):
            if str(path) not in before:
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
