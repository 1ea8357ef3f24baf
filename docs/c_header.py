"""The header for programs in C, of the constants, structs and functions that Rust makes public."""

import re
from pathlib import Path

CRATE = Path(__file__).resolve().parent.parent / "crates" / "c"
HEADER = CRATE / "include" / "platterlab.h"
WIDTH = 100

TOP = """\
/* Platterlab's drives and storage systems, step by step on the caller's clock.
 *
 * Made from crates/c/src/ffi.rs; do not edit. Times are picoseconds since the start, addresses are
 * sectors of a volume. A function that fails returns NULL, -1 or PLATTERLAB_NEVER, as it says,
 * changes nothing, and platterlab_error() says why. One thread at a time may use a stepper. */

#ifndef PLATTERLAB_H
#define PLATTERLAB_H

#include <stddef.h>
#include <stdint.h>
"""
END = "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"

STRUCTS = {
    "Handle": "platterlab_stepper",
    "Request": "platterlab_request",
    "Done": "platterlab_done",
}
OF_C = {
    "u32": "uint32_t", "u64": "uint64_t", "usize": "size_t", "isize": "ptrdiff_t",
    "c_char": "char", "c_int": "int", "u64::MAX": "UINT64_MAX",
} | {name: f"struct {ours}" for name, ours in STRUCTS.items()}  # fmt: skip
"""What is another type or value here than there; what has no word here is an error."""

DOC = r"(?P<doc>(?: *///.*\n)+)"
PUBLIC = re.compile(
    DOC + r"(?:#\[.*\n)*"
    r"pub (?:const (?P<constant>\w+): \w+ = (?P<value>.+);"
    r"|struct (?P<struct>\w+) \{(?P<fields>[^}]*)\}"
    r'|(?:unsafe )?extern "C" fn (?P<name>\w+)\((?P<takes>[^)]*)\)(?: -> (?P<gives>.+))? \{)',
    re.MULTILINE,
)
FIELD = re.compile(DOC + r" *pub (\w+: .+),\n")


def text() -> str:
    """The header, of the sources as they are."""
    sources = [(CRATE / "src" / name).read_text("utf-8") for name in ("handle.rs", "ffi.rs")]
    items = [item for source in sources for item in PUBLIC.finditer(source)]
    if len(items) != sum(len(re.findall("^pub ", one, re.MULTILINE)) for one in sources):
        raise ValueError("something public of crates/c is none of what is known here")
    declared = [_doc(item) + _declared(item) for item in items if not item["name"]]
    functions = [_doc(item) + _function(item) for item in items if item["name"]]
    begin = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    return "\n".join([TOP, *declared, begin, *functions, END])


def _doc(found: re.Match[str], indent: str = "") -> str:
    return "".join(f"{indent}//{line.strip()[3:]}\n" for line in found["doc"].splitlines())


def _declared(item: re.Match[str]) -> str:
    if item["constant"]:
        return f"#define PLATTERLAB_{item['constant']} {OF_C[item['value']]}\n"
    name = STRUCTS[item["struct"]]
    fields = "".join(
        f"{_doc(field, '  ')}  {_typed(field[2])};\n" for field in FIELD.finditer(item["fields"])
    )
    body = f"{{\n{fields}}} " if fields else ""
    return f"typedef struct {name} {body}{name};\n"


def _function(item: re.Match[str]) -> str:
    gives = _typed(f"{item['name']}: {item['gives']}") if item["gives"] else f"void {item['name']}"
    takes = [_typed(one) for one in re.findall(r"\w+: [^,\n]+", item["takes"])] or ["void"]
    below = ",\n" + " " * len(f"{gives}(")
    fits = len(f"{gives}({', '.join(takes)});") <= WIDTH
    return f"{gives}({(', ' if fits else below).join(takes)});\n"


def _typed(argument: str) -> str:
    """`name: *const T` as C has it."""
    name, of_rust = argument.split(": ")
    pointer, _, kind = of_rust.rpartition(" ")
    const = "const " if pointer == "*const" else ""
    return f"{const}{OF_C[kind]} {'*' if pointer else ''}{name}"
