"""The disk of the book OSTEP's homework, by the rules that its texts state.

Remzi and Andrea Arpaci-Dusseau, *Operating Systems: Three Easy Pieces*, chapter 37, its questions,
and the README of the homework `file-disks`. What they state, and what is taken here:

- Three tracks with 12 sectors each: sectors 0 to 11 on the outer one, 12 to 23 on the middle one,
  24 to 35 on the inner one; sectors of the same place in their tracks begin at the same angle.
- The head begins over the outer track, halfway through sector 6.
- The platter turns by 1 degree in a unit of time (`-R`); tracks are 40 units of distance apart, and
  the arm goes 1 of them in a unit of time (`-S`). The platter turns on while the arm moves.
- A transfer begins where the sector begins and ends where it ends.
- `-p`: FIFO; SSTF, "picking requests on the nearest track to complete first"; SATF, the shortest of
  seek and rotation together; BSATF, SATF within a window of requests, all of which are served
  before the next window begins. `-w`: how many requests the disk looks at; all without it.
- `-o`: a track's first sector is turned by this many sectors against that of the track outside it.
- `-z`: the degrees of a sector, by track from the outer one.

What they leave open is taken so: of requests on tracks equally near, the one that can be read first
goes first, and of those the one that was asked for first; a head that comes to the very beginning
of a sector reads it; `-a -1` draws from a generator of its own, so that its requests are others
than the homework's; `-o` together with tracks of different sectors is refused.
"""

import argparse
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from platterlab._core import InputError, Profile, Requests
from platterlab.documents import Json

POLICIES = ("FIFO", "SSTF", "SATF", "BSATF")
TRACKS = 3
_APART = 40
TURN = 360
"""Degrees."""
_FIRST = Fraction(13, 2)
"""Where the head begins, in sectors of the outer track."""
_MOST = 1000
_SLOWEST_MS = 1000

_PROFILE = """\
id = "ostep"
name = "OSTEP's disk"
seek = {{ kind = "linear", single_ms = {step!r}, full_ms = {full!r} }}

[source]
kind = "published"
from = "Operating Systems: Three Easy Pieces, chapter 37 and its homework"

[geometry]
surfaces = 1
cylinders = 3

[spindle]
rotation_ms = {rotation!r}
phase_turns = {phase!r}
"""


@dataclass(frozen=True)
class Homework:
    """What the arguments of the homework ask for."""

    asked: tuple[int, ...]
    """The sectors, in the order in which they are asked for, all at the beginning."""
    policy: str
    window: int
    """How many requests the disk looks at."""
    seek_speed: Fraction
    rotation_speed: Fraction
    """Degrees in a unit of time."""
    skew: int
    """Of each track against the one outside it, in sectors."""
    degrees: tuple[int, ...]
    """Of a sector, by track from the outer one."""

    @property
    def units_per_ms(self) -> int:
        """Units of time that make a revolution no longer than the core's slowest drive's."""
        units = 1
        while TURN / self.rotation_speed > _SLOWEST_MS * units:
            units *= 10
        return units

    @property
    def whole(self) -> bool:
        """Whether all times are whole numbers of units."""
        times = (_APART / self.seek_speed, Fraction(1) / self.rotation_speed)
        return all(one.denominator == 1 for one in times) and not any(
            degrees % 2 for degrees in self.degrees
        )

    @property
    def per_track(self) -> list[int]:
        """Sectors of each track."""
        return [TURN // degrees for degrees in self.degrees]

    def place(self, sector: int) -> tuple[int, Fraction]:
        """Track and angle in turns at which a sector begins."""
        track = 0
        while sector >= self.per_track[track]:
            sector -= self.per_track[track]
            track += 1
        return track, Fraction(sector + track * self.skew, self.per_track[track]) % 1

    def profile(self) -> Profile:
        """The same as a drive of the core."""
        step = _APART / self.seek_speed / self.units_per_ms
        text = _PROFILE.format(
            step=float(step),
            full=float(2 * step),
            rotation=float(TURN / self.rotation_speed / self.units_per_ms),
            phase=float(_FIRST / self.per_track[0] % 1),
        )
        same = len(set(self.degrees)) == 1
        for first, last in [(0, TRACKS - 1)] if same else [(one, one) for one in range(TRACKS)]:
            text += (
                f"\n[[zone]]\ncylinders = [{first}, {last}]\n"
                f"sectors_per_track = {self.per_track[first]}\n"
                f"cylinder_skew_sectors = {self.skew}\n"
            )
        return Profile.parse(text, "the homework's disk")

    def served(self) -> list[int]:
        """The sectors in the order in which the policy takes them."""
        waiting, served = list(enumerate(self.asked)), []
        track, angle = 0, _FIRST / self.per_track[0] % 1
        batch = self.window
        while waiting:
            batch = batch or self.window
            seen = waiting[: batch if self.policy == "BSATF" else self.window]
            best = min(seen, key=self._key(track, angle))
            waiting.remove(best)
            served.append(best[1])
            track, begin = self.place(best[1])
            angle = begin + Fraction(1, self.per_track[track])
            batch -= 1
        return served

    def _key(self, track: int, angle: Fraction) -> Callable[[tuple[int, int]], tuple[Any, ...]]:
        """What the policy compares of a request, with the head over this place."""

        def key(request: tuple[int, int]) -> tuple[Any, ...]:
            number, sector = request
            there, begin = self.place(sector)
            away = abs(there - track)
            seek = Fraction(away * _APART) / self.seek_speed * self.rotation_speed / TURN
            access = seek + (begin - angle - seek) % 1
            if self.policy == "FIFO":
                return (number,)
            return (away, access, number) if self.policy == "SSTF" else (access, number)

        return key

    def rows(self) -> Json:
        """What the core makes of them in that order, as columns; a ms is a unit of time."""
        served = np.array(self.served(), dtype=np.uint64)
        still = np.zeros(len(served))
        unknown = np.full(len(served), np.nan)
        requests = Requests.given(
            served, np.ones(len(served), dtype=np.uint32), np.zeros(len(served), dtype=np.uint8),
            still, unknown, unknown, still, sector_bytes=512, shown="the homework",
        )  # fmt: skip
        columns = requests.replay(self.profile(), timing="closed")
        for name in columns:
            if name.endswith("_ms"):
                columns[name] = columns[name] * self.units_per_ms
        # All of them have waited from the beginning.
        return {**columns, "arrival_ms": still, "queue_ms": columns["issue_ms"]}


_LONG = {
    "-a": "--addr", "-A": "--addrDesc", "-s": "--seed", "-S": "--seekSpeed", "-R": "--rotSpeed",
    "-p": "--policy", "-w": "--schedWindow", "-o": "--skewOffset", "-z": "--zoning",
    "-c": "--compute", "-G": "--graphics", "-l": "--lateAddr", "-L": "--lateAddrDesc",
}  # fmt: skip
_LATE = {"-l": "-1", "-L": "0,-1,0"}
"""What the homework takes them for where they are not given: no late requests."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"--ostep: {message}")


def parse(text: str) -> Homework:
    """What a command line of the homework asks for.

    Args:
        text: its arguments by their short or long names: -a, -A, -s, -S, -R, -p, -w, -o, -z; -c
            and -G change nothing, as answers are given and drawn in any case. Of late requests
            (-l, -L) no text states the rules: they are taken where they ask for none.

    Raises:
        InputError: an argument is wrong, or is one that is not taken here.
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    for flag, standard in {
        "-a": "-1", "-A": "5,-1,0", "-S": "1", "-R": "1", "-p": "FIFO", "-z": "30,30,30",
    }.items():  # fmt: skip
        parser.add_argument(flag, _LONG[flag], dest=flag[1], default=standard)
    for flag, number in {"-s": 0, "-w": -1, "-o": 0}.items():
        parser.add_argument(flag, _LONG[flag], dest=flag[1], type=int, default=number)
    for flag in ("-c", "-G"):
        parser.add_argument(flag, _LONG[flag], action="store_true")
    for flag, none in _LATE.items():
        parser.add_argument(flag, _LONG[flag], dest=flag[1], default=none)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"--ostep: {error}") from None
    said = vars(parser.parse_args(words))
    for flag, none in _LATE.items():
        if said[flag[1]] != none:
            raise InputError(f"--ostep: {flag} {said[flag[1]]}: late requests are not taken")
    degrees = tuple(_numbers(said["z"], "-z"))
    if len(degrees) != TRACKS or any(not 5 <= one <= 90 or TURN % one for one in degrees):
        raise InputError(f"--ostep: -z {said['z']}: {TRACKS} numbers of degrees that divide 360")
    if said["o"] and len(set(degrees)) > 1:
        raise InputError("--ostep: -o is of tracks with the same sectors, and -z makes them differ")
    if not 0 <= said["o"] < TURN // degrees[0]:
        raise InputError(f"--ostep: -o {said['o']}: a number of sectors, less than a revolution")
    if said["p"] not in POLICIES:
        raise InputError(f"--ostep: -p {said['p']}: is none of {', '.join(POLICIES)}")
    asked = _asked(said, sum(TURN // one for one in degrees))
    if said["w"] != -1 and said["w"] < 1:
        raise InputError(f"--ostep: -w {said['w']}: is a number of requests, or -1 for all")
    return Homework(
        asked=tuple(asked),
        policy=said["p"],
        window=len(asked) if said["w"] == -1 else said["w"],
        seek_speed=_speed(said["S"], "-S"),
        rotation_speed=_speed(said["R"], "-R"),
        skew=said["o"],
        degrees=degrees,
    )


def _asked(said: Json, sectors: int) -> list[int]:
    asked = _numbers(said["a"], "-a")
    if asked == [-1]:
        described = _numbers(said["A"], "-A")
        if len(described) != 3:
            raise InputError(f"--ostep: -A {said['A']}: how many, the largest (-1: all), the least")
        count, largest, least = described
        largest = sectors - 1 if largest == -1 else largest
        if not 1 <= count <= _MOST or not 0 <= least <= largest < sectors or said["s"] < 0:
            raise InputError(f"--ostep: -A {said['A']}: the disk has sectors 0 to {sectors - 1}")
        drawn = np.random.default_rng(said["s"]).integers(least, largest, count, endpoint=True)
        asked = drawn.tolist()
    wrong = [one for one in asked if not 0 <= one < sectors]
    if wrong:
        raise InputError(f"--ostep: -a {wrong[0]}: the disk has sectors 0 to {sectors - 1}")
    if len(asked) > _MOST:
        raise InputError(f"--ostep: -a has {len(asked)} requests; {_MOST} are the most")
    return asked


def _numbers(text: str, flag: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"--ostep: {flag} {text}: is not a list of numbers") from None


def _speed(text: str, flag: str) -> Fraction:
    try:
        speed = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"--ostep: {flag} {text}: is not a number") from None
    if not Fraction(1, 1000) <= speed <= 1000:
        raise InputError(f"--ostep: {flag} {text}: is from 0.001 to 1,000")
    return speed
