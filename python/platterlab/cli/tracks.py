"""A map of tracks on the screen."""

from platterlab.answers import TrackMap
from platterlab.cli.console import stdout
from platterlab.measure import tracks
from platterlab.measure.outcome import Outcome


def show_tracks(outcome: Outcome, found: TrackMap) -> None:
    """Skews, layout and where the map is."""
    console = stdout()
    if outcome.status != "unsupported":
        for estimate, name, unit in (
            (found["rotation_ms"], "a revolution", "ms"),
            (found["track_switch_ms"], "track switch (skew)", "ms"),
            (found["track_switch_pct"], "  of a revolution", "%"),
            (found["other_switch_ms"], "where cylinders or passes end", "ms"),
        ):
            value = estimate["value"]
            _line(name, "–" if value is None else f"{value:.4f} {unit}", estimate["status"])
        for key, name in tracks.FINDINGS:
            finding = found["layout"][key]
            sure = f"confidence {finding['confidence']:.2f}" if finding["value"] else ""
            _line(name, tracks.worded(finding), finding["status"], sure)
        for of, name in tracks.ESTIMATES:
            estimate = found["layout"][of]
            count = "–" if estimate["value"] is None else f"{estimate['value']:,.0f}"
            _line(name, count, estimate["status"], estimate["note"])
        zones = tracks.zones(found)
        listed = ", ".join("/".join(map(str, zone["sectors"])) for zone in zones[:40])
        more = ", ..." if len(zones) > 40 else ""
        console.print(f"{found['tracks']:,} tracks ({tracks.seen(found)})")
        console.print(f"sectors per track {listed}{more}")
    console.print(f"{outcome.requests:,} reads: {outcome.status}")
    console.print(f"tracks: {outcome.bundle.path('tracks.csv')}", markup=False)
    console.print(f"report: {outcome.bundle.path('report.html')}", markup=False)


def _line(name: str, value: str, status: str, note: str = "") -> None:
    """A name and what was found; what is not sure says so."""
    doubts = [text for text in ("" if status == "ok" else status, note) if text]
    told = f"  ({'; '.join(doubts)})" if doubts and value != "–" else ""
    shown = value if value != "–" else f"– ({'; '.join(doubts)})"
    stdout().print(f"{name:<32}{shown}{told}", markup=False, highlight=False)
