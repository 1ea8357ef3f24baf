"""Compares anything that has times: results, traces, experiments; each against the first."""
