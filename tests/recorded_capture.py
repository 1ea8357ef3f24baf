"""Raw captures that are kept as test data: how they are made of a live one, and how they are read.

`python tests/recorded_capture.py FOLDER NAME...` runs tasks of `test_flow_live.py` on this machine,
as root, and leaves `FOLDER/NAME.tar.xz`. A raw capture is what the kernel gave: pages of its ring
buffers, formats of its events, and a snapshot. It tells of the whole machine, so every text in it
is blanked but the letters of a request's kind, and kernel threads lose their names but for those of
logs.
"""

import io
import json
import re
import struct
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from platterlab import _core

RECORDED = Path(__file__).with_name("captures")
PAGE_BYTES = 4096
COMMON = 8
"""The fields that all events have end here."""
DATA = 16
"""Where the events of a page begin."""
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
"""Kinds of what is not an event in a page; others tell its length."""
KEPT_TEXT = "rwbs"
KEPT_THREADS = ("jbd2/", "xfs-log")
FIELD = re.compile(r"field:(.*?\bchar(?:\[\])?) (\w+)(?:\[\d+\])?;\s*offset:(\d+);\s*size:(\d+);")


@dataclass(frozen=True)
class Text:
    """A text in the data of an event."""

    offset: int
    size: int
    points: bool
    """Whether it is elsewhere, and only its place and length are here."""
    kept: bool


def texts_of(form: str) -> tuple[int, list[Text]]:
    """Number of an event's kind, and its texts."""
    found = re.search(r"^ID: (\d+)$", form, re.MULTILINE)
    assert found is not None
    texts = [
        Text(int(offset), int(size), "__data_loc" in kind, name == KEPT_TEXT)
        for kind, name, offset, size in FIELD.findall(form)
        # A single char is a number.
        if int(offset) >= COMMON and int(size) > 1
    ]
    return int(found[1]), texts


def data_of(page: bytearray) -> Iterator[int]:
    """Where the data of each event of a page begin; blanks what belongs to none."""
    (used,) = struct.unpack_from("<Q", page, 8)
    at, end = DATA, DATA + (used & 0xFFFFF)
    while at < end:
        (head,) = struct.unpack_from("<I", page, at)
        kind, delta = head & 31, head >> 5
        if kind in (TIME_EXTEND, TIME_STAMP):
            at += 8
        elif kind == PADDING and delta == 0:
            break
        elif kind == PADDING:
            # An event that a filter has thrown away.
            (size,) = struct.unpack_from("<I", page, at + 4)
            page[at + 8 : at + 4 + size] = bytes(size - 4)
            at += 4 + size
        elif kind == 0:
            (size,) = struct.unpack_from("<I", page, at + 4)
            yield at + 8
            at += 4 + size
        else:
            yield at + 4
            at += 4 + 4 * kind
    # The kernel's pages are used again: behind the last event lie older ones.
    page[at:] = bytes(len(page) - at)


def without_texts(pages: bytes, kinds: dict[int, list[Text]]) -> bytes:
    """The pages with all texts blank."""
    clean = bytearray()
    for first in range(0, len(pages), PAGE_BYTES):
        page = bytearray(pages[first : first + PAGE_BYTES])
        for at in data_of(page):
            (kind,) = struct.unpack_from("<H", page, at)
            for text in kinds.get(kind, ()):
                place, length = at + text.offset, text.size
                if text.points:
                    (where,) = struct.unpack_from("<I", page, place)
                    place, length = at + (where & 0xFFFF), where >> 16
                # Behind the end of a text lies what was there before.
                kept = page.index(0, place, place + length) - place if text.kept else 0
                page[place + kept : place + length] = bytes(length - kept)
        clean += page
    return bytes(clean)


def keep(raw: Path, target: Path) -> None:
    """Packs a raw capture without what it tells of others."""
    forms = {file.name: file.read_text() for file in sorted((raw / "formats").iterdir())}
    kinds = dict(map(texts_of, forms.values()))
    snapshot = json.loads((raw / "snapshot.json").read_text())
    threads = snapshot["kernel_threads"]
    for number, name in threads.items():
        threads[number] = name if name.startswith(KEPT_THREADS) else "thread"
    parts = {f"formats/{name}": text.encode() for name, text in forms.items()}
    parts["snapshot.json"] = json.dumps(snapshot, sort_keys=True).encode()
    for file in sorted(raw.glob("*.cpu*")):
        parts[file.name] = without_texts(file.read_bytes(), kinds)
    with tarfile.open(target, "w:xz", preset=9) as out:
        for name, body in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(body)
            out.addfile(entry, io.BytesIO(body))


def convert(name: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Makes a flow of a capture that was kept; gives the flow and its totals."""
    raw, flow = folder / f"{name}.raw", folder / f"{name}.flow"
    with tarfile.open(RECORDED / f"{name}.tar.xz") as packed:
        packed.extractall(raw, filter="data")
    return flow, _core.capture_convert(str(raw), PAGE_BYTES, str(flow))


def main() -> None:
    """Records what is asked for."""
    from live_disk import slow_disk
    from platterlab.tracing import session
    from test_flow_live import AS_CAPTURED, TASKS, capture_once

    folder, *names = sys.argv[1:]

    def kept(raw: str, page_bytes: int, out: str) -> str:
        assert page_bytes == PAGE_BYTES
        keep(Path(raw), Path(folder, Path(out).stem).with_suffix(".tar.xz"))
        return _core.capture_convert(raw, page_bytes, out)

    with tempfile.TemporaryDirectory() as place, slow_disk(Path(place)) as disk:
        for name in names:
            with mock.patch.object(session._core, "capture_convert", kept):
                capture_once(TASKS[name], disk, AS_CAPTURED, Path(place, f"{name}.flow"))


if __name__ == "__main__":
    main()
