"""An experiment: a storage subsystem and what is asked of it, as tables and as a file's text."""

from __future__ import annotations

import hashlib
import os
import shutil
import tomllib
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeAlias

import tomli_w

from platterlab import _core
from platterlab._core import InputError
from platterlab.lab.drive import Drive
from platterlab.lab.trace import Trace
from platterlab.output import write_text
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    from platterlab.lab import experiment_tables as words

Table: TypeAlias = "Mapping[str, Any]"
"""One whose words an editor does not know."""


class Experiment:
    """An experiment of the words that its file has, one keyword for each table.

    A `profile` may be a `Drive`, and the `file` of a workload a `Trace` of a file. What is left
    out is what the file leaves out.

    Args:
        drive: the drives.
        workload: what is asked, several at once.
        host: the host and its driver.
        bus: buses.
        controller: controllers between buses.
        volume: what requests are for; without any, each drive under its own name.
        fault: what goes wrong in the course of the run.
        stop: when a run has seen enough.
        name: what it is called in reports.
        notes: anything a reader should know.
        seed: of every random choice.
        replications: how many times, each with the next seed.
        folder: where relative paths begin; None for the current one.

    Raises:
        InputError: the first thing that is wrong, with its key.

    >>> import platterlab as pl
    >>> slower = pl.Drive("hp-97560").with_values({"spindle.speed_rpm": 3600})
    >>> experiment = pl.Experiment(
    ...     drive=[{"profile": slower}],
    ...     workload=[{"kind": "open", "interval_ms": {"kind": "exponential", "mean": 50.0}}],
    ...     stop={"requests": 1000},
    ... )
    >>> pl.simulate(experiment).complete
    True
    """

    def __init__(
        self,
        *,
        drive: Sequence[words.DriveTable | Table],
        workload: Sequence[words.WorkloadTable | Table],
        host: words.HostTable | Table | None = None,
        bus: Sequence[words.BusTable | Table] | None = None,
        controller: Sequence[words.ControllerTable | Table] | None = None,
        volume: Sequence[words.VolumeTable | Table] | None = None,
        fault: Sequence[words.FaultTable | Table] | None = None,
        stop: words.StopTable | Table | None = None,
        name: str | None = None,
        notes: str | None = None,
        seed: int | None = None,
        replications: int | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        given = {
            "name": name, "notes": notes, "seed": seed, "replications": replications, "stop": stop,
            "host": host, "bus": bus, "controller": controller, "drive": drive, "volume": volume,
            "workload": workload, "fault": fault,
        }  # fmt: skip
        self._kept = _Folder()
        tables = {key: self._plain(value) for key, value in given.items() if value is not None}
        self._take(tomli_w.dumps(tables), "the experiment", Path(folder or Path.cwd()), {})

    def _take(self, text: str, shown: str, folder: Path, values: Mapping[str, Any]) -> None:
        self._text, self._shown, self._folder, self._values = text, shown, folder, dict(values)
        self._inner = _core.Experiment.parse(text, shown, folder, self._values)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], values: Mapping[str, Any] | None = None
    ) -> Experiment:
        """The experiment of a file.

        Args:
            path: the file.
            values: other values at some dotted keys, as `--set` takes them.

        Raises:
            InputError: the first thing that is wrong, with file, line and key.

        >>> import platterlab as pl, tempfile
        >>> path = tempfile.mkdtemp() + "/mm1.toml"
        >>> pl.Experiment.of_toml(pl.Experiment.examples()["mm1"]).save(path)
        >>> pl.Experiment.load(path, {"seed": 7}).seed
        7
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise in_file(path, f"cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise in_file(path, f"is not UTF-8 text (byte {error.start})") from error
        return cls.of_toml(text, shown=str(path), folder=path.parent, values=values)

    @classmethod
    def of_toml(
        cls,
        text: str,
        *,
        shown: str = "the experiment",
        folder: str | os.PathLike[str] = ".",
        values: Mapping[str, Any] | None = None,
    ) -> Experiment:
        """The experiment of a file's text.

        Args:
            text: that of an experiment file.
            shown: what messages call it.
            folder: where its relative paths begin.
            values: other values at some dotted keys.

        Raises:
            InputError: the first thing that is wrong, with line and key.

        >>> import platterlab as pl
        >>> pl.Experiment.of_toml(pl.Experiment.examples()["mm1"]).streams
        ['open']
        """
        experiment = cls.__new__(cls)
        experiment._kept = _Folder()
        experiment._take(text, shown, Path(folder).absolute(), values or {})
        return experiment

    @staticmethod
    def examples() -> dict[str, str]:
        """The experiments that come with the program: name and text.

        >>> import platterlab as pl
        >>> sorted(pl.Experiment.examples())
        ['mixed-streams', 'mm1', 'raid5-sptf']
        """
        return dict(_core.examples())

    def with_values(self, values: Mapping[str, Any]) -> Experiment:
        """The same with other values at some dotted keys, as `--set` takes them.

        Raises:
            InputError: a key or a value is wrong.

        >>> import platterlab as pl
        >>> text = pl.Experiment.examples()["raid5-sptf"]
        >>> fewer = pl.Experiment.of_toml(text).with_values({"replications": 2})
        >>> fewer.replications, fewer.values
        (2, {'replications': 2})
        """
        merged = {**self._values, **values}
        experiment = Experiment.of_toml(
            self._text, shown=self._shown, folder=self._folder, values=merged
        )
        # Profiles that are nowhere but in memory live as long as somebody uses them.
        experiment._kept = self._kept
        return experiment

    @property
    def inner(self) -> _core.Experiment:
        """The core's experiment.

        >>> import platterlab as pl
        >>> pl.Experiment.of_toml(pl.Experiment.examples()["mm1"]).inner.replications
        8
        """
        return self._inner

    @property
    def name(self) -> str | None:
        """Its name in reports.

        >>> import platterlab as pl
        >>> system = pl.Experiment.of_toml(pl.Experiment.examples()["mm1"])
        >>> system.name, system.drives, system.volumes
        ('M/M/1', ['server'], ['server'])
        """
        return self._inner.name

    @property
    def seed(self) -> int:
        """Of the first replication."""
        return self._inner.seed

    @property
    def replications(self) -> int:
        """Number of runs, each with the next seed."""
        return self._inner.replications

    @property
    def drives(self) -> list[str]:
        """The drives' names, by the number in which rows have them."""
        return self._inner.drives

    @property
    def volumes(self) -> list[str]:
        """The volumes' names, by the number in which rows have them."""
        return self._inner.volumes

    @property
    def streams(self) -> list[str]:
        """The name of each workload, by its number in rows."""
        return self._inner.streams

    @property
    def tables(self) -> dict[str, Any]:
        """The tables of its text, as they were given; `with_values` does not show in them.

        >>> import platterlab as pl
        >>> system = pl.Experiment.of_toml(pl.Experiment.examples()["mm1"])
        >>> system.tables["stop"]["requests"]
        100000
        >>> system.to_toml().splitlines()[1]
        'name = "M/M/1"'
        """
        return tomllib.loads(self._text)

    @property
    def folder(self) -> Path:
        """The folder of the relative paths in its text.

        >>> import platterlab as pl
        >>> text = pl.Experiment.examples()["mm1"]
        >>> str(pl.Experiment.of_toml(text, folder="/srv").folder)
        '/srv'
        """
        return self._folder

    @property
    def values(self) -> dict[str, Any]:
        """Values that `with_values` has put in place of the text's."""
        return dict(self._values)

    def to_toml(self) -> str:
        """Its text; `with_values` does not show in it."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its text as a file.

        Raises:
            InputError: its folder does not exist, or values were changed, which a text has not.
        """
        if self._values:
            raise InputError(f"{', '.join(self._values)}: changed by with_values; not in the text")
        write_text(Path(path), self._text)

    def _plain(self, value: Any) -> Any:
        """Its form in a file: drives as profiles of their own, traces and paths as names."""
        if isinstance(value, Drive):
            path = self._kept.path / f"{len(self._kept.files())}.toml"
            value.save(path)
            return str(path)
        if isinstance(value, Trace):
            return str(value.file.absolute())
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, Mapping):
            return {key: self._plain(one) for key, one in value.items() if one is not None}
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [self._plain(one) for one in value]
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (str(self._kept.path), self._kept.files())
        return _unpickled, (self._text, self._shown, str(self._folder), self._values, *kept)

    def __repr__(self) -> str:
        return f"<Experiment {self.name or self._shown}: {len(self.drives)} drives>"


def text_with_profiles(experiment: Experiment, folder: Path) -> str:
    """Its text, with the profiles that are nowhere but in memory as files in `folder`.

    Each is named by its content: the same experiment has the same text in every process.
    """
    text = experiment._text
    for name, profile in experiment._kept.files().items():
        folder.mkdir(parents=True, exist_ok=True)
        path = folder.absolute() / f"{hashlib.sha256(profile.encode()).hexdigest()[:16]}.toml"
        write_text(path, profile)
        text = text.replace(str(experiment._kept.path / name), str(path))
    return text


class _Folder:
    """Where the profiles of drives that are nowhere but in memory lie, as long as they are used."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="platterlab-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def files(self) -> dict[str, str]:
        """Names and texts."""
        return {path.name: path.read_text(encoding="utf-8") for path in self.path.iterdir()}


def _unpickled(
    text: str,
    shown: str,
    folder: str,
    values: Mapping[str, Any],
    kept: str,
    profiles: Mapping[str, str],
) -> Experiment:
    """The experiment in another process, with profiles of its own."""
    home = _Folder()
    for name, profile in profiles.items():
        write_text(home.path / name, profile)
    own = text.replace(kept, str(home.path))
    experiment = Experiment.of_toml(own, shown=shown, folder=folder, values=values)
    experiment._kept = home
    return experiment
