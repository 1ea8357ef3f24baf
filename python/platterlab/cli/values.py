"""Reads `key=value` arguments."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import documents
from platterlab._core import InputError, trace_device
from platterlab.documents import Json

LARGEST_SEED = 2**63 - 1
"""A seed, or a count of requests."""
LARGEST_U32 = 2**32 - 1
"""A number of a device or of a replication."""
MOST_THREADS = 4096

_MINOR_BITS = 20
"""Of a device's number in Linux's traces; the rest is the major number."""


def device_word(text: str | int) -> int | str:
    """A device of a trace: its number, `major:minor` or `major,minor` as in Linux, or a name.

    Raises:
        BadParameter: it is a number that is too large, or neither a number nor a name.
    """
    # What an option has where it is not given comes this way, too.
    if isinstance(text, int):
        return text
    major, colon, minor = text.replace(",", ":").partition(":")
    parts = [major, minor] if colon else [major]
    if not all(part.isascii() and part.isdigit() for part in parts):
        if not any(letter.isalpha() for letter in text):
            raise typer.BadParameter(f"{text!r} is not a device; write a number, 259:0, or a name")
        return text
    numbers = [int(part) for part in parts]
    number = numbers[0] << _MINOR_BITS | numbers[1] if colon else numbers[0]
    if number >= 1 << 32 or numbers[-1] >= 1 << (_MINOR_BITS if colon else 32):
        raise typer.BadParameter(f"{text!r} is not a device: its number is too large")
    return number


def device_of(
    word: int | str, trace: Path, trace_format: str | None, options: Mapping[str, Any]
) -> int:
    """The number of a device that the user named, which a name is looked up in the trace for.

    Raises:
        InputError: the trace has no device of this name.
    """
    if isinstance(word, int):
        return word
    documents.require_file(trace, "trace")
    return trace_device(trace, word, trace_format, dict(options))


def device_name(device: int, trace_format: str) -> str:
    """A device's number as people know it: of Linux, major and minor."""
    if trace_format not in ("blktrace", "blkparse") or device >> _MINOR_BITS == 0:
        return str(device)
    return f"{device >> _MINOR_BITS}:{device & ((1 << _MINOR_BITS) - 1)}"


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Seed of every random choice.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=4096, help="Processes at a time; all processors'.")
]
"""Of what runs on an engine."""

Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Address of a Dask scheduler; or `local`, which starts one."
    ),
]
"""The cluster, in place of this machine's processors."""

Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="KEY=COLUMN:UNIT,...",
        help="Which columns of a table are what: 'time=ts_us:us, lba=offset:bytes, size=len:bytes, "
        "op=rw'. Keys: time or end, lba, size, op; device, queued, service, response. A file "
        "TRACE.toml in the trace's folder can say it, too.",
    ),
]
"""The option that names the columns of a trace."""


From = Annotated[
    str | None,
    typer.Option("--from", metavar="TIME", help="Leave out what comes before: 10m, 1.5h, 250ms."),
]
"""The option that says where the part of a trace begins."""
For = Annotated[
    str | None,
    typer.Option("--for", metavar="TIME", help="Take no more than this long of the trace: 1h."),
]
"""The option that says how long it is."""

TraceFormat = Annotated[
    str | None,
    typer.Option("--format", "-f", help="Format of the trace; recognized by its content."),
]
"""The option that names its format."""
TraceOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--trace-option", metavar="KEY=VALUE", help="A fact that the trace does not state."
    ),
]
"""The option for what else there is to say of it."""
TraceDevice = Annotated[
    Any,
    typer.Option(
        "--device",
        parser=device_word,
        metavar="DEVICE",
        help="Only this device of the trace: its number, as 259:0, or its name.",
    ),
]
"""The option that takes one device of a trace."""


def of_device(options: Json, word: int | str | None, trace: Path, trace_format: str | None) -> Json:
    """The settings of a trace with the only device that is wanted of it.

    Raises:
        InputError: the trace has none of this name, or another option names one, too.
    """
    if word is None:
        return options
    if "device" in options:
        raise InputError("--device and --trace-option device= say the same: leave one out")
    return {**options, "device": device_of(word, trace, trace_format, options)}


def trace_settings(pairs: Iterable[str] | None, columns: str | None, **more: str | None) -> Json:
    """What a trace does not say of itself, and which part: --trace-option and its short forms.

    Raises:
        InputError: two options say the same.
    """
    given = settings(pairs or (), "--trace-option")
    for key, value in {"columns": columns, **more}.items():
        if value is None:
            continue
        if key in given:
            raise InputError(f"--{key} and --trace-option {key}= say the same: leave one out")
        given[key] = value
    return given


def settings(pairs: Iterable[str], option: str, read: Callable[[str], Any] | None = None) -> Json:
    """A dictionary from `key=value` pairs; a value is as in TOML, and a bare word is a string.

    Args:
        pairs: what was given.
        option: how, for messages.
        read: another way to read a value.

    Raises:
        InputError: a pair has no `=` or no key, or a key comes twice; `option` names the place.
    """
    chosen: Json = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key:
            raise InputError(f"{option} {pair}: write key=value, as in {option} seek.kind=linear")
        if key in chosen:
            raise InputError(f"{option} {key} is given twice")
        chosen[key] = (read or _value)(value)
    return chosen


def varied(pairs: Iterable[str], option: str) -> dict[str, list[Any]]:
    """The values of each key of `key=value,value` pairs; commas in brackets or quotes stay.

    Raises:
        InputError: a pair has no `=`, no key or an empty value, or a key or a value comes twice.
    """
    chosen: dict[str, list[Any]] = {}
    for key, text in settings(pairs, option, read=str).items():
        values = [_value(part) for part in _parts(text)]
        if "" in values:
            raise InputError(f"{option} {key}={text}: a value is missing; write {key}=one,other")
        if any(value in values[:index] for index, value in enumerate(values)):
            raise InputError(f"{option} {key}={text}: a value is given twice")
        chosen[key] = values
    return chosen


def _parts(text: str) -> list[str]:
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _value(text: str) -> Any:
    # Most commands are started without any: they do not wait for it.
    import tomllib

    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except RecursionError as error:
        raise InputError(f"{text[:40]}…: is nested too deeply") from error
    except ValueError:
        # No TOML, or a number of more digits than are read: a word.
        return text
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(f"{text}: is a number beyond 64 bits")
    return value
