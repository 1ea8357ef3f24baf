"""Traces as today's tools write them: told by content, read, mapped, or refused with a remedy."""

import gzip
import lzma
from pathlib import Path

import pytest

from platterlab import _core

SAMPLES = sorted(
    (Path(__file__).resolve().parents[1] / "crates" / "workload" / "tests" / "samples").iterdir()
)
OWN = "ts_us,offset,len,rw\n10,8192,4096,read\n20,0,4096,W\n"
MAPPING = "time=ts_us:us, lba=offset:bytes, size=len:bytes, op=rw"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_samples_are_told_by_their_content_alone(tmp_path, sample, pack):
    if sample.suffix == ".parquet" and pack is not bytes:
        pytest.skip("it is read from its end, and has a packing of its own")
    # The name says nothing.
    trace = tmp_path / "trace.dat"
    trace.write_bytes(pack(sample.read_bytes()))
    facts = _core.trace_info(trace)
    assert (facts["format"], facts["requests"]) == (sample.stem, 16)


@pytest.mark.parametrize(
    ("name", "measures"),
    [("msr-cambridge", "response"), ("etw", "service"), ("biosnoop", "service"), ("spc", None)],
)
def test_what_times_measure_is_told(name, measures):
    (sample,) = (path for path in SAMPLES if path.stem == name)
    facts = _core.trace_info(sample)
    assert facts["measures"] == measures
    assert (facts["service_ms"] is None) == (measures is None)


def test_an_unknown_table_is_answered_with_a_mapping_that_works(run, tmp_path):
    trace = tmp_path / "own.csv"
    trace.write_text(OWN)
    refused = run("trace", "info", trace)
    assert refused.code == 2
    assert "    10,8192,4096,read\n" in refused.err
    assert f'--columns "{MAPPING}"' in refused.err
    assert run("trace", "info", trace, "--columns", MAPPING, "--json").json()["requests"] == 2


def test_a_mapping_is_taken_by_every_command_that_reads_traces(run, tmp_path):
    trace = tmp_path / "own.csv"
    trace.write_text(OWN)
    columns = ["--columns", MAPPING]
    load = tmp_path / "own.load"
    done = run("trace", "convert", trace, load, "--to", "blkreplay", *columns, "--json").json()
    assert (done["from"], done["requests"]) == ("table", 2)
    replay = ["simulate", "-p", "hp-c2200a", "-t", trace, "--json"]
    assert run(*replay, *columns).json()["served"] == 2
    queued = run(*replay, *columns, "--scheduler", "sptf").json()
    assert queued["served"] == 2
    (tmp_path / "own.csv.toml").write_text(f'columns = "{MAPPING}"\n')
    assert run(*replay).json()["served"] == 2, "named beside it"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("time=ts_us:us", "lba is missing"),
        (MAPPING.replace("rw", "rv"), "did you mean `rw`?"),
        (MAPPING.replace(":us", ":year"), "`year` is not a time"),
        (MAPPING + ", colour=1", "`colour` is not a key"),
    ],
)
def test_a_wrong_mapping_is_explained(run, tmp_path, columns, said):
    trace = tmp_path / "own.csv"
    trace.write_text(OWN)
    refused = run("trace", "info", trace, "--columns", columns)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())


def test_tables_that_are_no_traces_are_refused_with_a_remedy(run, tmp_path):
    trace = tmp_path / "log"
    for text, remedy in [
        ("1, 118680, 0, 4096, 0\n1, 69152, 0, 4096, 0\n", "log_offset=1"),
        ("TIME(ms)     DISK    COMM             PID    LAT(ms)\n1 sda a 1 2\n", "blktrace"),
    ]:
        trace.write_text(text)
        refused = run("trace", "info", trace)
        assert refused.code == 2
        assert remedy in refused.err


def test_formats_are_listed_whole(run):
    lines = run("trace", "formats").out.splitlines()
    assert len(lines) == len(_core.trace_formats()) + 1
    for name, line in zip(_core.trace_formats(), lines, strict=False):
        assert line.split()[0] == name
