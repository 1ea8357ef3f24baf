"""`platterlab characterize TARGET --repair`: after a run that wrote and died."""

from rich.markup import escape

from platterlab.answers import JournalRepair
from platterlab.cli.console import emit, fail, stderr, stdout
from platterlab.measure.target import Target


def show_repair(target: Target, as_json: bool) -> int:
    """Repairs a device and says what was done. 1 if something had to be left as it is."""
    done = target.repair()
    seen = {one["journal"] for one in done}
    others = [one["what"] for one in target.left_behind() if one["journal"] not in seen]
    if as_json:
        emit({"target": target.name, "journals": done, "notes": others})
    else:
        if not done:
            # A journal that is not to be trusted may be of a run that died on this very device.
            why = "no journal of it may be used" if others else "no run left anything"
            stdout().print(f"{target.name}: nothing to repair; {why}", markup=False)
        for one in done:
            _show(target, one)
        for sentence in others:
            stderr().print(f"[bold]note:[/] {escape(sentence)}")
    return 1 if any(one["outcome"] == "kept" for one in done) else 0


def _show(target: Target, one: JournalRepair) -> None:
    if one["outcome"] == "kept":
        fail(f"{target.name}: {one['what']}\nThe journal is kept: {one['journal']}")
        return
    if one["outcome"] == "unchanged":
        stdout().print(
            f"{target.name}: every sector is as it was; {one['journal']} is removed", markup=False
        )
        return
    count = sum(sectors for _, sectors in one["repaired"])
    runs = ", ".join(f"{first} to {first + sectors - 1}" for first, sectors in one["repaired"])
    stdout().print(
        f"{target.name}: {count:,} sectors written back ({runs}); {one['journal']} is removed",
        markup=False,
    )
    if one["replaced"]:
        stdout().print(f"what was in them is kept in {one['replaced']}", markup=False)
