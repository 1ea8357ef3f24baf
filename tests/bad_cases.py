"""Command lines wrong in every way, drawn from nothing but the help texts and a folder of files."""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from help_texts import Command, Taken

NUMBERS = (
    "", "-1", "0", "1", "2", "7", "3.5", "1e3", "1e308", "1e-320", "nan", "inf", "-inf", "0x10",
    "٣", "99999999999999999999", "18446744073709551616", "9223372036854775807", "4294967296",
    "1_000", " 3", "+2", "1,5", "-0", "1e999", "0.5", "2**64",
)  # fmt: skip
WORDS = (
    "", " ", "-", "--", "\x7f", "\x1b[31m", "é", "\udcff", "a" * 300, "a" * 70_000, "[bold]",
    "[/]", "{}", "%s", "../..", "a=b", "=", "a=", "=b", "seek.kind=linear", "seek=1", "a.b.c=[[[",
    "rotation.rpm=-1", "rotation.rpm=nan", "x\ny", "\t", "🙂", "19.39M", "512k", "1e999M",
    "1e9999999", "-1k",
    "0", "0k", "1/0", "1,2/3,1/3,0", ",", "0:0", "0:128k", "99:-1", "NaN", "sptf", "list",
    "memory", "pattern", "max", "none", "500ms", "1e999s", "-1s", "s", "seed=1,2", "seed=1,1",
    "-a 7,30,8 -p SATF", "-S nan",
)  # fmt: skip
DRIVES = ("hp-c2200a", "mock", "hp-97560")
SMALL = ("1", "2", "3", "5")


@dataclass(frozen=True)
class Case:
    """A command line and how it is called."""

    number: int
    line: tuple[str, ...]
    closed: tuple[int, ...] = ()
    full_stdout: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    as_nobody: bool = False
    until_told: bool = False
    """Whether what it does has no end of its own."""


class Draw:
    """Draws cases; the same from the same seed."""

    def __init__(self, commands: Sequence[Command], sound: Iterable[Path], bad: Iterable[Path]):
        self._commands = commands
        self._sound = [str(path) for path in sound]
        self._bad = [str(path) for path in bad]

    def case(self, number: int, seed: int) -> Case:
        chance = random.Random(f"{seed}:{number}")  # noqa: S311
        command = chance.choice(self._commands)
        line = list(command.words)
        line += self._arguments(command, chance)
        if chance.random() < 0.08:
            line.insert(chance.randrange(len(line) + 1), self._anything(chance))
        if chance.random() < 0.04:
            del line[chance.randrange(len(line))]
        how: dict[str, str] = {}
        if chance.random() < 0.1:
            how = chance.choice(
                [{"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "1"}, {"HOME": "/gone"}, {"LANG": ""}]
            )
        closed: tuple[int, ...] = ()
        if chance.random() < 0.08:
            closed = chance.choice([(1,), (2,), (0,), (1, 2), (0, 1, 2)])
        return Case(
            number,
            tuple(line),
            closed,
            full_stdout=chance.random() < 0.03,
            environment=how,
            # Nothing that is drawn here may start the kernel's tracing.
            as_nobody="capture" in line,
            until_told=command.until_told,
        )

    def _arguments(self, command: Command, chance: random.Random) -> list[str]:
        wanted = [one for one in command.options if one.required]
        others = [one for one in command.options if not one.required]
        if command.usual and chance.random() < 0.6:
            usual = chance.choice(command.usual)
            wanted += [one for one in others if one.name in usual]
        others = [one for one in others if one not in wanted]
        wanted += chance.sample(others, min(len(others), chance.choice([0, 1, 1, 2, 3, 5])))
        positional = [one for one in command.arguments if one.required or chance.random() < 0.7]
        wrong = {
            one.name
            for one in chance.sample(
                [*wanted, *positional],
                min(len(wanted) + len(positional), chance.choice([0, 1, 1, 1, 2, 3])),
            )
        }
        line: list[str] = []
        inputs: list[str] = []
        for one in positional:
            line += self._several(one, one.name in wrong, inputs, chance)
        for one in wanted:
            if one.name == "--i-will-lose-data":
                # A promise that fits would be kept, and the file be written.
                line += [one.name, chance.choice(WORDS)]
            elif one.is_flag:
                line += [one.name] * chance.choice([1, 1, 1, 2])
            else:
                value = self._value(one, one.name in wrong, inputs, chance)
                line += [f"{one.name}={value}"] if value.startswith("-") else [one.name, value]
        return line

    def _several(
        self, one: Taken, wrong: bool, inputs: list[str], chance: random.Random
    ) -> list[str]:
        many = chance.choice([1, 2, 3]) if "list" in one.kind else 1
        return [self._value(one, wrong, inputs, chance) for _ in range(many)]

    def _value(self, one: Taken, wrong: bool, inputs: list[str], chance: random.Random) -> str:
        if one.is_output:
            return self._target(one, wrong, inputs, chance)
        if wrong and chance.random() < 0.2:
            return self._anything(chance)
        if one.is_number:
            return self._number(one, wrong, chance)
        if one.is_file:
            others = re.findall(r"\b[a-z]+\b", one.kind) if "|" in one.kind else []
            value = (
                chance.choice(self._bad)
                if wrong
                else chance.choice(others)
                if others
                else self._fitting(one, chance)
            )
            inputs.append(value)
            return value
        return chance.choice(WORDS) if wrong else self._word(one, chance)

    def _number(self, one: Taken, wrong: bool, chance: random.Random) -> str:
        if wrong:
            return chance.choice(NUMBERS)
        bounds = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", f"{one.kind} {one.about}")
        near = [number for number in bounds if float(number) < 500]
        return chance.choice([*SMALL, *near])

    def _word(self, one: Taken, chance: random.Random) -> str:
        """One of the words that the help itself uses, which more often than not is a choice."""
        said = re.findall(r"[\w.+-]+(?:=[\w.+-]+)?", f"{one.kind} {one.about}")
        found = re.search(r"\[default: ([^\]]+)\]|such as ([\w.]+[\w])", one.about)
        likely = [next(filter(None, found.groups()))] * 6 if found else []
        return chance.choice([*said, *likely, *DRIVES, *SMALL])

    def _fitting(self, one: Taken, chance: random.Random) -> str:
        """A file whose name has something of what the help says; else any."""
        said = f"{one.name} {one.kind} {one.about}".lower()
        hints = (".toml", ".parquet", ".csv", ".diskspecs", "bundle", "trace", "experiment",
                 "faults", "sweep", ".flow")  # fmt: skip
        named = [hint for hint in hints if hint in said]
        likely = {path: sum(hint in Path(path).name for hint in named) for path in self._sound}
        best = max(likely.values())
        fits = [path for path, count in likely.items() if count and count in (1, best)]
        if "library" in said and chance.random() < 0.5:
            fits = list(DRIVES)
        return chance.choice(fits or self._sound)

    def _target(self, one: Taken, wrong: bool, inputs: list[str], chance: random.Random) -> str:
        """Where to write: a new name, and where it is to be wrong, anything but a new name."""
        endings = re.findall(r"\.[a-z]{3,}\b", f"{one.kind} {one.about}".lower())
        name = f"out{chance.choice([*endings, '', '.toml', '.csv', '.png'])}"
        if not wrong:
            return name
        if inputs and chance.random() < 0.4:
            return chance.choice(inputs)
        no_files = [
            path
            for path in self._bad
            if re.search(r"/(folder|pipe|locked|full|zero|socket)[^/]*$", path)
        ]
        return chance.choice(
            [*chance.sample(no_files, 4), f"gone/{name}", "n" * 300, "", ".", "/", "..", "-",
             "/proc/self/x", f"{name}/x", "\udcff", "/dev/full", f"a\nb{name}"]
        )  # fmt: skip

    def _anything(self, chance: random.Random) -> str:
        return chance.choice(
            [
                chance.choice(NUMBERS),
                chance.choice(WORDS),
                chance.choice(self._bad),
                "--" + chance.choice(["json", "help", "out", "seed", "x", "=", "jso", "set"]),
            ]
        )
