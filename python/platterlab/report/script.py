"""The script that makes a page live, kept: to put it together takes seconds.

It stands in the user's folder for what can be made again, with a digest as its first line: what is
not whole, or another user's, counts as none.
"""

import contextlib
import hashlib
import os
from functools import cache
from importlib.metadata import version
from pathlib import Path

import vl_convert

from platterlab._core import InputError
from platterlab.output import write_text


@cache
def script() -> str:
    """The text, the same in all pages."""
    source = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
    made_of = _digest(f"{version('vl-convert-python')}\n{source}")
    # Where nothing can be kept, the next page takes as long.
    with contextlib.suppress(InputError, OSError, RuntimeError):
        path = _folder() / f"page-{made_of[:16]}.js"
        if (kept := _kept(path)) is not None:
            return kept
        text = _bundled(source)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.parent.stat().st_uid == _user():
            write_text(path, f"// {_digest(text)}\n{text}")
    return _bundled(source)


@cache
def _bundled(source: str) -> str:
    return vl_convert.javascript_bundle(source).replace("</script", "<\\/script")


def _folder() -> Path:
    """Raises RuntimeError where there is no home."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "platterlab"


def _user() -> int:
    """Windows has no numbers of users: there every file's is 0."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _kept(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            if os.fstat(file.fileno()).st_uid != _user():
                return None
            head, text = file.readline(), file.read()
    except (OSError, UnicodeError):
        return None
    return text if head == f"// {_digest(text)}\n" else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
