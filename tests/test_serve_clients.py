"""Other people's programs on a served drive: libnbd's, QEMU's, fio, and file systems on a loop."""

import filecmp
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from serving import BYTES, serving
from serving_loop import needs, on_a_loop, run


def test_nbdinfo_reads_what_it_is(tmp_path: Path):
    needs("nbdinfo")
    with serving(tmp_path) as server:
        told = json.loads(run("nbdinfo", "--json", server.uri))["exports"][0]
    assert told["export-size"] == BYTES
    assert told["is_rotational"]
    assert told["can_flush"]
    assert not told["is_read_only"]
    assert told["block_size_minimum"] == 512


def test_nbdcopy_brings_back_what_it_took(tmp_path: Path):
    needs("nbdcopy")
    image = tmp_path / "image"
    image.write_bytes(os.urandom(8 << 20))
    with serving(tmp_path, "--size", "8M") as server:
        run("nbdcopy", "--flush", image, server.uri)
        run("nbdcopy", server.uri, tmp_path / "back")
    assert filecmp.cmp(image, tmp_path / "back", shallow=False)


def test_qemu_io_writes_reads_flushes_and_discards(tmp_path: Path):
    needs("qemu-io")
    with serving(tmp_path) as server:
        asked = ("write -P 7 0 64k", "write -f -P 8 1M 4k", "flush", "read -P 7 0 64k",
                 "read -P 8 1M 4k", "discard 0 64k", "read -P 0 0 64k", "write -z 1M 4k",
                 "read -P 0 1M 4k")  # fmt: skip
        told = run("qemu-io", "-f", "raw", *(word for one in asked for word in ("-c", one)),
                   server.uri)  # fmt: skip
        report = server.end()
    assert "verification failed" not in told
    assert report["errors"] == 0


@pytest.mark.parametrize("depth", [1, 32])
def test_fio_verifies_what_it_wrote(tmp_path: Path, depth: int):
    needs("fio")
    if "nbd" not in run("fio", "--enghelp"):
        pytest.skip("fio without its nbd engine")
    with serving(tmp_path, "--depth", 32, "--scheduler", "sptf") as server:
        run(
            "fio", "--name=it", "--ioengine=nbd", f"--uri={server.uri}", "--rw=randwrite",
            "--bs=4k", f"--iodepth={depth}", "--size=4m", "--verify=crc32c",
            "--output-format=json", f"--output={tmp_path / 'fio.json'}",
            cwd=tmp_path,  # where fio leaves the state of its verification
        )  # fmt: skip
        report = server.end()
    assert json.loads((tmp_path / "fio.json").read_text())["jobs"][0]["error"] == 0
    assert report["writes"] == 1024


KINDS = {
    "ext4": (["mkfs.ext4", "-q"], ["e2fsck", "-fn"]),
    "xfs": (["mkfs.xfs", "-q"], ["xfs_repair", "-n"]),
    "btrfs": (["mkfs.btrfs", "-q"], ["btrfs", "check"]),
}


def build(place: Path) -> None:
    """Compiles a small program there and runs it."""
    needs("make", "cc")
    parts = [f"part{number}" for number in range(8)]
    for name in parts:
        (place / f"{name}.c").write_text(f"int {name}(void) {{ return 1; }}\n")
    calls = "+".join(f"{name}()" for name in parts)
    declared = "".join(f"int {name}(void);" for name in parts)
    (place / "main.c").write_text(f"{declared}\nint main(void) {{ return ({calls}) != 8; }}\n")
    objects = " ".join(f"{name}.o" for name in [*parts, "main"])
    (place / "Makefile").write_text(f"program: {objects}\n\tcc -o $@ $^\n")
    run("make", "-C", place, "program")
    run(place / "program")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_system_lives_on_it_and_is_clean(tmp_path: Path, kind: str):
    make, check = KINDS[kind]
    needs(make[0], check[0])
    source = tmp_path / "source"
    source.mkdir()
    for number in range(200):
        (source / f"{number}").write_bytes(os.urandom(1000 * (number % 40) + 1))
    place = tmp_path / "mounted"
    place.mkdir()
    with serving(tmp_path) as server, on_a_loop(server, tmp_path) as device:
        run(*make, device)
        mounted = subprocess.run(["mount", device, str(place)], capture_output=True, text=True)
        if mounted.returncode:
            pytest.skip(f"this kernel does not mount {kind}: {mounted.stderr.strip()}")
        try:
            shutil.copytree(source, place / "copy")
        finally:
            run("umount", place)
        run("mount", device, place)
        try:
            found = filecmp.dircmp(source, place / "copy")
            assert [*found.left_only, *found.right_only, *found.diff_files] == []
            build(place)
        finally:
            run("umount", place)
        run(*check, device)
