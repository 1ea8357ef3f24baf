"""The identity of a measured drive: its model, and a hash of its serial number.

A serial number stands nowhere in plain text: it says who owns a drive. What stands in its place
is scrypt of it, keyed by the model. Two people who measure one drive have to come to the same
hash, so there is no secret in it, and it hides a serial number only as far as that cannot be
guessed. A plain SHA-256 can be tried a thousand million times a second; this one takes a
processor about 50 ms and 16 MiB each, and one table of guesses serves for one model alone.
Somebody who knows a serial number can still find whether a hash is of it, and one who knows all
but four or five characters finds them within days. Whoever must not be recognised leaves the
drive out.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

SERIAL, PLAIN_HASH, KEYED_HASH = "serial", "serial_sha256", "serial_hash"
"""Facts of a device: its serial number; an older bundle's plain hash of it; the keyed hash."""

Facts = Iterable[Sequence[str]]
"""Names and values, in pairs."""

_SCRYPT = {"n": 1 << 14, "r": 8, "p": 1}
_DIGITS = 16
_IS_HASH = re.compile(r"[0-9a-f]{16}")
_LONGEST = 80
_NO_VENDOR = ("", "ata", "nvme", "unknown")
"""What stands for the vendor where the kernel has a name of the protocol for it."""


def cleaned(text: str) -> str:
    """A name from outside in one line: spaces single, nothing that moves a cursor, not too long."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    words = " ".join(printable.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def model(name: str, facts: Facts) -> str | None:
    """The model of a drive; None where the device does not tell, as a file or a loop device.

    Args:
        name: of the device. A simulated drive's name is its model.
        facts: of the device.
    """
    known = _first(facts)
    told = cleaned(known.get("model", ""))
    if told:
        vendor = cleaned(known.get("vendor", ""))
        is_said = vendor.lower() in _NO_VENDOR or told.lower().startswith(vendor.lower())
        return told if is_said else f"{vendor} {told}"
    return cleaned(name) or None if is_simulated(facts) else None


def is_simulated(facts: Facts) -> bool:
    """Whether the answers are a model's and no drive's."""
    return _first(facts).get("kind") == "simulated"


def serial_hash(name: str, facts: Facts) -> str | None:
    """What tells drives apart, sixteen hexadecimal digits; None where there is no serial number."""
    known = _first(facts)
    if _IS_HASH.fullmatch(known.get(KEYED_HASH, "")):
        return known[KEYED_HASH]
    plain = known.get(PLAIN_HASH)
    serial = known.get(SERIAL, "").strip()
    # USB bridges that have none report one character again and again.
    if plain is None and len(set(serial)) > 1:
        plain = _plain(serial)
    return None if plain is None else _keyed(plain, model(name, facts) or "")


def private_facts(name: str, facts: Facts) -> list[list[str]]:
    """The same facts, with the keyed hash in the place of a serial number or its plain hash."""
    facts = list(facts)
    hashed = serial_hash(name, facts)
    kept: list[list[str]] = []
    for key, value in facts:
        if key not in (SERIAL, PLAIN_HASH):
            kept.append([key, value])
        elif hashed is not None and [KEYED_HASH, hashed] not in kept:
            kept.append([KEYED_HASH, hashed])
    return kept


def _first(facts: Facts) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for key, value in facts:
        found.setdefault(key, value)
    return found


def _plain(serial: str) -> str:
    """The hash that older bundles have; the keyed one is made of it, so that both agree."""
    return hashlib.sha256(serial.encode(errors="replace")).hexdigest()[:_DIGITS]


@lru_cache(maxsize=4096)
def _keyed(plain: str, of_model: str) -> str:
    salt = f"platterlab serial number\n{of_model.lower()}".encode()
    made = hashlib.scrypt(plain.encode(errors="replace"), salt=salt, dklen=_DIGITS // 2, **_SCRYPT)
    return made.hex()
