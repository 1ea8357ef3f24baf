"""The style of the pictures of studies and layouts: one for all of them."""

from typing import Any

STYLE: Any = {
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9aa5b1",
    "axes.labelcolor": "#3c4654",
    "xtick.color": "#3c4654",
    "ytick.color": "#3c4654",
    "axes.grid": True,
    "grid.color": "#e6e9ee",
    "axes.axisbelow": True,
    "figure.dpi": 150.0,
    "savefig.bbox": "tight",
}
"""For `matplotlib.rc_context`."""
