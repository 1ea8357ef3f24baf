"""A map of tracks on the screen."""

from platterlab.cli.console import stdout
from platterlab.measure import tracks
from platterlab.measure.outcome import Outcome


def show_tracks(outcome: Outcome) -> None:
    """Skews, layout and where the map is."""
    console, found = stdout(), outcome.extraction
    if outcome.status != "unsupported":
        for key, name, unit in (
            ("rotation_ms", "a revolution", "ms"),
            ("track_switch_ms", "track switch (skew)", "ms"),
            ("track_switch_pct", "  of a revolution", "%"),
            ("other_switch_ms", "where cylinders or passes end", "ms"),
        ):
            value = found[key]["value"]
            _line(name, "–" if value is None else f"{value:.4f} {unit}", found[key]["status"])
        for key, name in tracks.FINDINGS:
            finding = found["layout"][key]
            sure = f"confidence {finding['confidence']:.2f}" if finding["value"] else ""
            _line(name, tracks.worded(finding), finding["status"], sure)
        for key, name in tracks.ESTIMATES:
            estimate = found["layout"][key]
            value = "–" if estimate["value"] is None else f"{estimate['value']:,.0f}"
            _line(name, value, estimate["status"], estimate["note"])
        zones = tracks.zones(found)
        listed = ", ".join("/".join(map(str, zone["sectors"])) for zone in zones[:40])
        more = ", ..." if len(zones) > 40 else ""
        console.print(f"{found['tracks']:,} tracks; sectors per track {listed}{more}")
    console.print(f"{outcome.requests:,} reads: {outcome.status}")
    console.print(f"tracks: {outcome.bundle.path('tracks.csv')}", markup=False)
    console.print(f"report: {outcome.bundle.path('report.html')}", markup=False)


def _line(name: str, value: str, status: str, note: str = "") -> None:
    """A name and what was found; what is not sure says so."""
    doubts = [text for text in ("" if status == "ok" else status, note) if text]
    told = f"  ({'; '.join(doubts)})" if doubts and value != "–" else ""
    shown = value if value != "–" else f"– ({'; '.join(doubts)})"
    stdout().print(f"{name:<32}{shown}{told}", markup=False, highlight=False)
