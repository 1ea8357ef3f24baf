"""The script of pages is put together once, and kept where nobody else can change it unseen."""

import os
from pathlib import Path

import pytest

from platterlab.report import script


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """A folder of its own, and an engine that counts its runs."""
    runs = []

    def bundle(source: str) -> str:
        runs.append(source)
        return "made </script"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(script.vl_convert, "javascript_bundle", bundle)
    forget()
    yield runs
    monkeypatch.undo()
    forget()


def forget() -> None:
    """As a new process has it."""
    script.script.cache_clear()
    script._bundled.cache_clear()


def kept(folder: Path) -> Path:
    (file,) = (folder / "cache" / "platterlab").iterdir()
    return file


def test_it_is_put_together_once(fresh, tmp_path):
    for _ in range(3):
        assert script.script() == "made <\\/script"
        forget()
    assert len(fresh) == 1
    assert kept(tmp_path).stat().st_mode & 0o022 == 0
    assert kept(tmp_path).parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["cut", "changed", "no text", "empty"])
def test_what_is_not_whole_is_made_again(fresh, tmp_path, damage):
    script.script()
    whole = kept(tmp_path).read_bytes()
    wrong = {"cut": whole[:-1], "changed": whole.replace(b"made", b"mode"), "no text": b"\xff\xfe",
             "empty": b""}  # fmt: skip
    kept(tmp_path).write_bytes(wrong[damage])
    forget()
    assert script.script() == "made <\\/script"
    assert (len(fresh), kept(tmp_path).read_bytes()) == (2, whole)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to have somebody else's file")
def test_another_users_is_none(fresh, tmp_path):
    script.script()
    os.chown(kept(tmp_path), 12345, 12345)
    forget()
    script.script()
    assert len(fresh) == 2
    os.chown(kept(tmp_path).parent, 12345, 12345)
    kept(tmp_path).unlink()
    forget()
    script.script()
    assert list((tmp_path / "cache" / "platterlab").iterdir()) == []


def test_without_a_folder_pages_are_made_all_the_same(fresh, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file")
    assert script.script() == "made <\\/script"
    assert len(fresh) == 1
    forget()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert script.script() == "made <\\/script"
