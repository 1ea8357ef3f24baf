"""Traces in other wrappings than their own."""

import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Ran


def told(run: Callable[..., Ran], trace: Path) -> dict[str, object]:
    """What `trace info` says of a trace, but for its name and size."""
    facts = run("trace", "info", trace, "--json").json()
    return {key: value for key, value in facts.items() if key not in ("trace", "path", "bytes")}


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_trace_is_the_trace(
    ascii_trace: Path, tmp_path: Path, run: Callable[..., Ran], pack: Callable[[bytes], bytes]
) -> None:
    packed = tmp_path / "packed" / ascii_trace.name
    packed.parent.mkdir()
    packed.write_bytes(pack(ascii_trace.read_bytes()))
    assert told(run, packed) == told(run, ascii_trace)
    parts = [
        run("trace", "convert", trace, tmp_path / f"{number}.trace", "--to", "disksim-ascii")
        for number, trace in enumerate((ascii_trace, packed))
    ]
    assert [part.code for part in parts] == [0, 0], parts
    assert (tmp_path / "0.trace").read_bytes() == (tmp_path / "1.trace").read_bytes()


def greedy(packed: bytes) -> bytes:
    """The same stream of xz that says it needs a dictionary of 4 GiB."""
    stream = bytearray(packed)
    length = 4 * (stream[12] + 1)
    assert stream[13:16] == bytes([0, 0x21, 1]), "one filter, LZMA2"
    stream[16] = 40
    end = 12 + length
    stream[end - 4 : end] = zlib.crc32(stream[12 : end - 4]).to_bytes(4, "little")
    return bytes(stream)


@pytest.mark.parametrize("broken", ["cut", "changed", "greedy"])
def test_a_broken_xz_is_one_message(
    ascii_trace: Path, tmp_path: Path, run: Callable[..., Ran], broken: str
) -> None:
    whole = lzma.compress(ascii_trace.read_bytes())
    middle = len(whole) // 2
    bodies = {
        "cut": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "greedy": greedy(whole),
    }
    trace = tmp_path / "broken.trace.xz"
    trace.write_bytes(bodies[broken])
    ran = run("trace", "info", trace, "--format", "disksim-ascii")
    assert ran.code == 2, ran.out
    assert ran.err.startswith(f"platterlab: {trace}")
    assert ran.err.count("\n") == 1
    why = "asks for more memory than is given" if broken == "greedy" else "cut off or damaged here"
    assert f"cannot be unpacked: its xz data {'is ' * (broken != 'greedy')}{why}" in ran.err


def test_a_packed_trace_is_simulated_alike(
    ascii_trace: Path, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    packed = tmp_path / "a.trace.xz"
    packed.write_bytes(lzma.compress(ascii_trace.read_bytes()))
    said = [
        run("simulate", "-p", "hp-c2200a", "-t", trace, "--timing", "open", "--json").json()
        for trace in (packed, ascii_trace)
    ]
    for one in said:
        del one["manifest"]
    assert said[0] == said[1]
