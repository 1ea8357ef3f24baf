"""Traces whose bytes cannot be had: pipes, and packed files that were cut off."""

import gzip
import lzma
import os

import pytest


def test_a_pipe_is_no_trace(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused = run("trace", "info", tmp_path / "pipe")
    assert refused.code == 2
    assert "but a pipe, and a trace is read more than once" in " ".join(refused.err.split())
    assert "write it to a file first" in " ".join(refused.err.split())


@pytest.mark.parametrize("packer", [gzip, lzma])
def test_a_trace_that_was_cut_off_is_said_to_be(run, tmp_path, packer):
    path = tmp_path / "cut"
    rows = "".join(f"{place / 7} 0 {place * 7919 % 65537} 8 1\n" for place in range(2000))
    packed = packer.compress(rows.encode())
    path.write_bytes(packed[: len(packed) // 2])
    refused = run("trace", "info", path)
    assert refused.code == 2
    assert "data is cut off or damaged here" in " ".join(refused.err.split())
