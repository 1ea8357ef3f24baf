"""Unseen drives: random drives and hosts, drawn without a look at how the extraction works.

The seeds were fixed before anything was tuned. The first third may be looked at, drive by drive;
the second says whether a change holds; the last is run once.
"""

THIRDS = {"first": range(334), "second": range(334, 667), "last": range(667, 1000)}
"""Seeds by third."""
