"""Traces as sides of a comparison: each is told by what is in it, whatever its name ends in."""

MSR = """\
128166372003061629,usr,0,Read,0,4096,100000
128166372013061629,usr,0,Read,536870912,4096,200000
"""
"""Its first line has a value twice, so that it can be no line of names."""

BLKPARSE_CSV = """\
time_s,device,rwbs,sector,sectors,queued_ms,service_ms
0.0,0,R,0,8,1.0,10.0
1.0,0,W,8,8,2.0,20.0
"""


def _groups(run, first, second):
    told = run("compare", first, second, "--json").json()
    return told["of"], told["against"][0]["groups"]


def test_a_csv_without_names_is_a_trace(run, tmp_path):
    trace, rows = tmp_path / "msr.csv", tmp_path / "rows.csv"
    trace.write_text(MSR)
    assert run("simulate", "-p", "mock", "-t", trace, "--per-request", rows).code == 0
    word, groups = _groups(run, trace, rows)
    assert word == "response"
    assert groups["all"]["paired"]


def test_a_trace_with_a_column_of_our_name_is_a_trace(run, tmp_path):
    trace = tmp_path / "blkparse.csv"
    trace.write_text(BLKPARSE_CSV)
    word, groups = _groups(run, trace, trace)
    assert word == "response", "of waits and services it has both"
    assert set(groups) == {"all", "reads", "writes"}
    assert groups["all"]["paired"]


def test_what_is_no_file_is_said_to_be_none(run, tmp_path):
    trace = tmp_path / "blkparse.csv"
    trace.write_text(BLKPARSE_CSV)
    refused = run("compare", trace, tmp_path)
    assert refused.code == 2
    assert refused.err.endswith("is no regular file but a folder; name a file in it\n")
