"""`platterlab task`: the four tasks of Ganger and Patt from the command line."""

import pytest

from platterlab import _core


def test_each_listed_task_is_written_read_and_the_same_again(run, tmp_path):
    listed = run("task", "list", "--json").json()["tasks"]
    assert [one["task"] for one in listed] == ["compress", "uncompress", "copytree", "removetree"]
    for one in listed:
        flow, again = tmp_path / "one.flow", tmp_path / "again.flow"
        done = run("task", "write", one["task"], flow, "--seed", 3, "--json")
        assert done.code == 0, done.err
        facts = {"task": one["task"], "flow": str(flow), "seed": 3, "bytes": flow.stat().st_size}
        assert done.json() == {"schema_version": 1, **facts}
        run("task", "write", one["task"], again, "--seed", 3)
        assert flow.read_bytes() == again.read_bytes()
        told = _core.flow_info(flow)
        assert told["header"]["title"].startswith(one["task"])
        assert told["compute_ms"] == pytest.approx(1e3 * one["computation_s"], rel=0.01)


def test_another_seed_places_files_elsewhere(run, tmp_path):
    for seed in (0, 1):
        run("task", "write", "copytree", tmp_path / f"{seed}.flow", "--seed", seed)
    assert (tmp_path / "0.flow").read_bytes() != (tmp_path / "1.flow").read_bytes()


def test_a_written_task_runs_under_its_systems_scheduler(run, tmp_path):
    flow = tmp_path / "removetree.flow"
    run("task", "write", "removetree", flow)
    done = run("simulate", flow, "--profile", "hp-97560", "--json")
    assert done.code == 0, done.err
    assert done.json()["manifest"]["scheduler"] == "c-look"
    assert "no model" not in done.err


def test_what_is_no_task_leaves_no_file(run, tmp_path):
    flow = tmp_path / "it.flow"
    done = run("task", "write", "sleep", flow)
    assert done.code == 2
    assert "`sleep` is not a task; there are compress, uncompress, copytree, removetree" in done.err
    assert not flow.exists()
