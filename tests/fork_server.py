"""Runs command lines as a user would, each in a process of its own that need not load the program.

A server loads it once and forks for every line. It holds no privilege over files, so that one that
nobody may read cannot be read even where the tests run as root.
"""

import contextlib
import dataclasses
import gc
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bad_cases import Case

NOBODY = 65534
PROMPT_S = 5.0
"""To end after an interruption."""
MOST_WRITTEN = 1 << 31
"""Bytes of a file: more than the drives of the cases have."""


@dataclass(frozen=True)
class Ended:
    """How a line ended.

    Attributes:
        status: the exit code; negative for a signal.
        took_s: until it ended or was interrupted.
        busy_s: of a processor.
        interrupted: whether it took too long.
        killed: whether it did not end when it was told to, either.
    """

    status: int
    took_s: float
    busy_s: float
    interrupted: bool
    killed: bool
    out: bytes
    err: bytes


class Server:
    """A process that has the program loaded."""

    def __init__(self) -> None:
        line = [sys.executable, __file__]
        if os.geteuid() == 0 and (setpriv := shutil.which("setpriv")):
            few = "-all,+setuid,+setgid"
            line = [setpriv, f"--bounding-set={few}", "--inh-caps=-all", *line]
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, case: Case, folder: Path, limit_s: float) -> Ended:
        """Runs a line in a new folder, in which its streams are kept too."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"case": dataclasses.asdict(case), "folder": str(folder), "limit_s": limit_s}
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        streams = [folder / name for name in ("stdout", "stderr")]
        out, err = (path.read_bytes() if path.exists() else b"" for path in streams)
        return Ended(**told, out=out, err=err)

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=PROMPT_S)


def _become(case: Case, folder: Path) -> None:
    """Makes a forked process what a user's would be."""
    os.setsid()
    work = folder / "work"
    os.chdir(work)
    for which, most in {resource.RLIMIT_FSIZE: MOST_WRITTEN, resource.RLIMIT_CORE: 0}.items():
        resource.setrlimit(which, (most, most))
    for editor in ("VISUAL", "EDITOR"):
        # One that draws its own window would need no terminal to wait for its user.
        os.environ.pop(editor, None)
    places = {name: str(work / "home") for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    os.environ |= {"COLUMNS": "80", "NO_COLOR": "1", **places, **case.environment}
    streams = (
        os.devnull,
        "/dev/full" if case.full_stdout else folder / "stdout",
        folder / "stderr",
    )
    for number, stream in enumerate(streams):
        flags = os.O_WRONLY | (0 if stream == "/dev/full" else os.O_CREAT)
        opened = os.open(stream, flags if number else os.O_RDONLY, 0o666)
        os.dup2(opened, number)
        os.close(opened)
    encoding = case.environment.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding=encoding, errors="backslashreplace", closefd=False
    )
    if case.as_nobody and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    for number in case.closed:
        os.close(number)


def _child(case: Case, folder: Path) -> None:
    from platterlab import cli

    code: object = 70
    try:
        _become(case, folder)
        sys.argv = ["platterlab", *case.line]
        cli.main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        # What the interpreter would print.
        sys.excepthook(*sys.exc_info())
        code = 1
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        code = 120
    os._exit(code if isinstance(code, int) else 1)


def _waited(child: int, seconds: float) -> tuple[int, float] | None:
    """Status and processor time of a child that ends within so many seconds."""
    end, nap_s = time.monotonic() + seconds, 0.001
    while time.monotonic() < end:
        ended, status, used = os.wait4(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        time.sleep(nap_s)
        nap_s = min(nap_s * 1.5, 0.02)
    return None


def _run(case: Case, folder: Path, limit_s: float) -> dict[str, object]:
    (folder / "work" / "home").mkdir(parents=True)
    if case.as_nobody:
        for path in (folder, folder / "work", folder / "work" / "home"):
            path.chmod(0o777)
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        _child(case, folder)
    interrupted = killed = False
    ended = _waited(child, limit_s)
    took_s = time.monotonic() - begin
    if ended is None:
        interrupted = True
        os.kill(child, signal.SIGINT)
        ended = _waited(child, PROMPT_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if ended is None:
        killed, ended = True, _waited(child, PROMPT_S)
    status, busy_s = ended or (-signal.SIGKILL, 0.0)
    return {
        "status": status, "took_s": took_s, "busy_s": busy_s,
        "interrupted": interrupted, "killed": killed,
    }  # fmt: skip


def _load() -> None:
    """Loads what commands load when they are called, matplotlib's folder of settings included."""
    from platterlab import cli

    for name in cli.COMMANDS:
        cli.command(name)
    import altair  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.pyplot  # noqa: F401
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.parquet  # noqa: F401
    import scipy.optimize  # noqa: F401

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for line in ("trace formats", "profile show hp-c2200a", "trace info /", "nothing"):
            cli.run(line.split())


def main() -> None:
    """Answers every line of standard input with one."""
    _load()
    # What is loaded is never looked through again: each process would have to copy it.
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    os.set_inheritable(answers.fileno(), False)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        given = asked["case"]
        given["line"], given["closed"] = tuple(given["line"]), tuple(given["closed"])
        told = _run(Case(**given), Path(asked["folder"]), asked["limit_s"])
        answers.write(json.dumps(told) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
