"""Personal data in a bundle, of its owner or machine: found, and left out of what is shared."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import PurePosixPath
from typing import Any

from platterlab import documents
from platterlab.documents import Json
from platterlab.measure import samples
from platterlab.measure.bundle import ENVIRONMENT, MANIFEST, SAMPLES, Bundle
from platterlab.measure.identity import PLAIN_HASH, SERIAL, private_facts

_OWNERS = {
    SERIAL, PLAIN_HASH, "serial_number", "wwid", "wwn", "uuid", "hostname", "host_name", "node",
    "user", "username", "owner", "email",
}  # fmt: skip
"""Keys whose value is somebody's or some machine's."""

_DEVICE = re.compile(r"/dev/[\w.-]+")
"""A device by its kernel's name. Names further down, as in /dev/disk/by-id, hold serial numbers."""
_HOME = re.compile(r"/(?:home|Users)/[^\s/\"'<>&\\]+|/root(?=/)")
_LEAST = 4
"""Characters of a value that is looked for in texts: what is shorter stands everywhere."""


@dataclass(frozen=True)
class Personal:
    """One value that says too much, and where it stands.

    Attributes:
        file: of the bundle.
        place: the keys that lead to it, or the line of a text.
        why: what it reveals.
        value: as it stands there.
        instead: what takes its place; empty where the key goes altogether.
    """

    file: str
    place: str
    why: str
    value: str
    instead: str = ""

    def __str__(self) -> str:
        """The file, the place and what is wrong there; the value itself is not repeated."""
        return f"{self.file}: {self.place}: {self.why}"


def personal(bundle: Bundle) -> list[Personal]:
    """Everything in a bundle that says whose it is.

    Raises:
        InputError: a file of it cannot be read.
    """
    found = list(_in_documents(bundle))
    known = {one.value: one for one in found if len(one.value) >= _LEAST}
    for name, text in _texts(bundle):
        for one in known.values():
            if at := _place(text, one.value):
                found.append(Personal(name, at, one.why, one.value, one.instead))
        said = [one.value for one in found if one.file == name]
        for home in dict.fromkeys(match[0] for match in _HOME.finditer(text)):
            if not any(home in value for value in said):
                found.append(Personal(name, _place(text, home) or "", _WHERE, home, "~"))
    return found


def leave_out(bundle: Bundle) -> list[Personal]:
    """Takes everything personal out of a bundle and seals it again; gives what that was.

    The samples and with them the bundle's id stay what they are.

    Raises:
        InputError: a file of it cannot be read.
    """
    found = personal(bundle)
    if not found:
        return []
    instead = {one.value: one.instead for one in found if len(one.value) >= _LEAST}
    for name, text in list(_texts(bundle)):
        if any(one.file == name for one in found):
            bundle.write_text(name, _replaced(text, instead))
    device = str(bundle.described().device.name)
    if any(one.file == SAMPLES for one in found):
        path = bundle.path(SAMPLES)
        samples.write(path, bundle.runs(), _cleared(samples.made_by(path), device))
    bundle.write_json(ENVIRONMENT, _cleared(bundle.environment(), device))
    manifest = bundle.manifest()
    bundle.seal(manifest.bundle, manifest.status)
    return found


_WHERE = "says where a file lies on its owner's machine"
_WHOSE = "reveals whose drive or machine it is"
_GUESSED = "is a hash of the serial number that can be guessed; `archive add` keys it by the model"
_NUMBER = "names a device by what may hold its serial number"


def _in_documents(bundle: Bundle) -> Iterator[Personal]:
    kernel_name = _kernel_name(bundle.described().device.facts)
    for file, document in (
        (ENVIRONMENT, bundle.environment()),
        (SAMPLES, samples.made_by(bundle.path(SAMPLES))),
    ):
        for keys, value in _leaves(document, ()):
            if told := _told(keys[-1] if keys else "", value, kernel_name):
                why, instead = told
                yield Personal(file, ".".join(keys), why, value, instead)


def _told(key: str, value: str, kernel_name: str) -> tuple[str, str] | None:
    """What a value gives away and what may stand there; None where it gives nothing away."""
    if key == PLAIN_HASH:
        return _GUESSED, ""
    if key in _OWNERS:
        return (_WHOSE, "") if value else None
    if not value.startswith(("/", "~")) or _DEVICE.fullmatch(value):
        return None
    if value.startswith("/dev/"):
        return _NUMBER, kernel_name
    return _WHERE, PurePosixPath(value).name or "folder"


def _kernel_name(facts: list[tuple[str, str]]) -> str:
    paths = (value for key, value in facts if key == "path" and _DEVICE.fullmatch(value))
    return next(paths, "block device")


def _leaves(value: object, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text in a document, and the keys that lead to it; a fact is its name's."""
    if isinstance(value, str):
        yield keys, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, (*keys, str(key)))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            if keys[-1:] == ("facts",) and isinstance(one, list) and len(one) == 2:
                yield from _leaves(one[1], (*keys, str(one[0])))
            else:
                yield from _leaves(one, (*keys, str(at)))


def _cleared(document: Mapping[str, Any], device: str) -> Json:
    """The same document without what is personal."""
    facts = document.get("device", {}).get("facts", [])
    kernel_name = _kernel_name([(str(key), str(value)) for key, value in facts])

    def clear(value: Any, key: str) -> Any:
        if isinstance(value, str):
            told = _told(key, value, kernel_name)
            return told[1] if told else value
        if isinstance(value, dict):
            return {name: clear(one, name) for name, one in value.items() if _stays(name, one)}
        if isinstance(value, list):
            return (
                _facts(value, device, clear)
                if key == "facts"
                else [clear(one, key) for one in value]
            )
        return value

    cleared: Json = clear(document, "")
    return cleared


def _stays(key: str, value: object) -> bool:
    return key not in _OWNERS or not isinstance(value, str)


def _facts(facts: list[Any], device: str, clear: Callable[[Any, str], Any]) -> list[Any]:
    told = private_facts(device, [(str(key), str(value)) for key, value in facts])
    return [[key, clear(value, key)] for key, value in told if key not in _OWNERS]


def _texts(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """The files that are made of the documents: report, profile, table, extraction."""
    for name in sorted(bundle.manifest().files):
        if name not in (ENVIRONMENT, SAMPLES, MANIFEST):
            data = documents.contents(bundle.path(name))
            yield name, data.decode("utf-8", "surrogateescape")


def _spellings(value: str) -> tuple[str, ...]:
    """As it stands in a page, in JSON or TOML, and by itself."""
    in_json = json.dumps(value, ensure_ascii=False)[1:-1]
    return value, escape(value), in_json


def _place(text: str, value: str) -> str | None:
    starts = [at for one in _spellings(value) if (at := text.find(one)) >= 0]
    return f"line {text.count(chr(10), 0, min(starts)) + 1}" if starts else None


def _replaced(text: str, instead: dict[str, str]) -> str:
    # The longest first: one path can be the beginning of another.
    for value in sorted(instead, key=len, reverse=True):
        for before, after in zip(_spellings(value), _spellings(instead[value]), strict=True):
            text = text.replace(before, after)
    return text
