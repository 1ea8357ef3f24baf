"""Libraries that only some of the work needs, and what to say where one of them is missing."""

from importlib.util import find_spec

from platterlab._core import InputError

_NEEDED = {
    "tables": ("tables of rows", ("pyarrow",)),
    "charts": ("reports and figures", ("altair", "vl_convert", "matplotlib")),
    "fits": ("fits and intervals", ("scipy", "threadpoolctl")),
    "cluster": ("clusters", ("distributed",)),
}
"""By the extra of the package: for what, and the modules that it brings."""


def need(*extras: str) -> None:
    """Says before work begins that it will lack a library.

    Raises:
        InputError: one is not installed; the text says how to install it.
    """
    for extra in extras:
        for module in _NEEDED[extra][1]:
            if find_spec(module) is None:
                raise InputError(_message(extra, module))


def explained(missing: ModuleNotFoundError) -> str | None:
    """What to do about a module that was not found; None if it is none of these."""
    name = (missing.name or "").partition(".")[0]
    for extra, (_, modules) in _NEEDED.items():
        if name in modules:
            return _message(extra, name)
    return None


def _message(extra: str, module: str) -> str:
    what = _NEEDED[extra][0]
    return f"{what} need {module}, which is not installed: pip install 'platterlab[{extra}]'"
