"""Sweeps on Dask: the same bits, and what a cluster that loses its parts loses of a sweep."""

import json
import random
import socket
import subprocess
import sys
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

import platterlab as pl
from conftest import COMMAND
from platterlab.sweeps import cluster
from platterlab.sweeps.folder import Folder
from platterlab.sweeps.sweep import run, tasks_of
from platterlab.sweeps.work import run_text
from sweeping import TWO, of_plan, plan, wait_for

__all__ = ["plan"]  # a fixture
pytest.importorskip("distributed")


@pytest.mark.parametrize("workers", [1, 2])
def test_every_engine_gives_the_same_bits(plan, tmp_path, workers):
    tasks = tasks_of(*of_plan(plan))
    here = run(tasks, tmp_path / "here", workers=workers)
    there = run(tasks, tmp_path / "there", dask="local", workers=workers)
    assert here.ran == there.ran == 6
    tables = [folder / "table.parquet" for folder in (tmp_path / "here", tmp_path / "there")]
    assert tables[0].read_bytes() == tables[1].read_bytes()


def test_short_points_go_together_and_one_that_fails_is_told(plan, tmp_path):
    many = TWO.replace("low = 700\nhigh = 900\nsteps = 3", "low = 700\nhigh = 715\nsteps = 16")
    plan.write_text(many)
    tasks = tasks_of(*of_plan(plan))
    assert len(tasks) > 2 * cluster._SHARES
    assert [len(group) for group in cluster._groups(tasks[8:], 0.2, 1)] == [3] * 8
    assert [len(group) for group in cluster._groups(tasks, 0.45, 1)] == [2] * 16
    assert [len(group) for group in cluster._groups(tasks[:6], 60.0, 1)] == [1] * 6
    texts = [task.to_text() for task in tasks]
    wrong = replace(tasks[-1], version="0.0").to_text()
    told, _, _ = cluster._run([*texts[:2], wrong, texts[3]])
    assert told == [run_text(text) for text in texts[:2]]
    with pytest.raises(pl.InputError, match="the sweep is of version"):
        cluster._run([wrong, texts[3]])
    here = run(tasks, tmp_path / "here", workers=1)
    there = run(tasks, tmp_path / "there", dask="local", workers=1)
    assert here.table == there.table
    # What fails in a group is told, and what was finished is kept.
    with pytest.raises(pl.InputError, match="the sweep is of version"):
        run(
            [*tasks[:-1], replace(tasks[-1], version="0.0")],
            tmp_path / "f",
            dask="local",
            workers=1,
        )
    kept = Folder(tmp_path / "f").finished(task.name for task in tasks)
    assert len(kept) >= len(tasks) - 3


def test_no_scheduler_is_told(plan, run, monkeypatch):
    monkeypatch.setattr(cluster, "_ANSWERS_S", 1.0)
    ran = run("sweep", plan, "--dask", "tcp://127.0.0.1:1")
    assert ran.code == 2
    assert "no scheduler answers there" in ran.err


def test_a_scheduler_that_goes_for_good_is_told_and_what_is_finished_is_kept(plan, monkeypatch):
    plan.write_text(TWO.replace("low = 700\nhigh = 900", "low = 20000\nhigh = 40000"))
    monkeypatch.setattr(cluster, "_RETURNS_S", 2.0)
    tasks, finished = tasks_of(*of_plan(plan)), []
    address = f"tcp://127.0.0.1:{port_of_a_scheduler()}"
    with subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
         address.rpartition(":")[2], "--no-dashboard"],
        stdout=-3, stderr=-3,
    ) as scheduler, subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
         "--no-nanny", "--no-dashboard"],
        stdout=-3, stderr=-3,
    ) as worker:  # fmt: skip

        def done(task, _told: str, _where: str) -> None:
            finished.append(task.name)
            scheduler.kill()

        try:
            wait_for(lambda: answers(address))
            with pytest.raises(pl.InputError, match="went and did not come back"):
                cluster.run(tasks, done, address, None)
        finally:
            scheduler.kill()
            worker.kill()
    assert 1 <= len(finished) < len(tasks)


def test_a_client_that_gives_up_is_followed_by_one_more(plan, monkeypatch):
    tasks, finished, clients = tasks_of(*of_plan(plan)), [], []

    def drain(_dask, client, left, done) -> None:
        clients.append(client)
        done(left.popitem()[1], "", "")
        if len(clients) == 1:
            raise OSError("the connection broke")
        while left:
            done(left.popitem()[1], "", "")

    monkeypatch.setattr(cluster, "_drain", drain)
    dask = SimpleNamespace(Client=lambda *_, **_timeout: nullcontext(object()))
    left = {task.name: task for task in tasks}
    cluster._drain_again(dask, "tcp://there:1", left, lambda task, *_: finished.append(task.name))
    assert len(clients) == 2
    assert sorted(finished) == sorted(task.name for task in tasks)


def port_of_a_scheduler() -> int:
    """One that is free, and that no other program is given while the scheduler is away.

    Those from which the kernel gives to whoever asks for any, it would give to a client that looks
    for the scheduler: it then finds itself there.
    """
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    lower = range(max(1024, first // 2), first) or range(last + 1, 65536)
    for port in random.sample(lower, len(lower)):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def answers(address: str) -> bool:
    """Whether somebody listens there."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    with socket.socket() as asking:
        return asking.connect_ex((host, int(port))) == 0


def test_a_restarted_scheduler_and_a_killed_worker_lose_nothing(plan):
    plan.write_text(TWO.replace("low = 700\nhigh = 900", "low = 20000\nhigh = 40000"))
    folder = plan.with_suffix(".sweep")
    port = port_of_a_scheduler()
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as all_of_them:

        def start(what: str, *words: str) -> subprocess.Popen[str]:
            """A part of the cluster, which ends with this test."""
            line = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words]
            line += ["--no-dashboard"]
            process = subprocess.Popen(line, stdout=-3, stderr=-3, cwd=plan.parent, text=True)
            all_of_them.callback(process.wait)
            all_of_them.callback(process.kill)
            return process

        def scheduler() -> subprocess.Popen[str]:
            return start("scheduler", "--host", "127.0.0.1", "--port", str(port))

        def worker() -> subprocess.Popen[str]:
            return start("worker", address, "--nthreads", "1", "--no-nanny")

        first, doomed = scheduler(), worker()
        words = [str(COMMAND), "sweep", str(plan), "--dask", address, "--json"]
        sweep = subprocess.Popen(words, stdout=-1, stderr=-1, text=True)
        all_of_them.callback(sweep.kill)
        wait_for(lambda: any((folder / "points").glob("*.parquet")))
        doomed.kill()
        second = worker()
        wait_for(lambda: len(list((folder / "points").glob("*.parquet"))) > 1)
        first.kill()
        second.kill()
        first.wait()
        scheduler(), worker()
        out, err = sweep.communicate(timeout=120)
    assert sweep.returncode == 0, err
    assert json.loads(out)["ran"] == 6
    assert pq.read_table(folder / "table.parquet").num_rows == 6
