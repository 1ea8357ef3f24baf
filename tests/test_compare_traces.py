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
    assert refused.err.endswith("is not a regular file but a folder; name a file in it\n")


def test_devices_are_told_by_their_names(run, tmp_path):
    head = "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
    row = "{0}.{1}    fio            1       {2}       R {0}0        4096       {3}.0\n"

    def trace(name, first):
        path = tmp_path / name
        devices = [first, *("sda", "sdb") * 20]
        latency = {"sda": 5, "sdb": 9}
        rows = (row.format(at, 5, disk, latency[disk]) for at, disk in enumerate(devices, 1))
        path.write_text(head + "".join(rows))
        return path

    word, groups = _groups(run, trace("a", "sda"), trace("b", "sdb"))
    assert word == "service"
    assert groups["device sda"]["figures"]["mean"]["change"]["ms"] == 0
    assert groups["device sdb"]["base_count"] == 20
    assert groups["device sdb"]["other_count"] == 21
    assert not groups["all"]["paired"], "the first request is for another device"
    _, groups = _groups(run, trace("a", "sda"), trace("c", "sda"))
    assert groups["all"]["paired"]
