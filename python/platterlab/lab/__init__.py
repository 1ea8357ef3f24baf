"""The laboratory for notebooks and programs: the objects that `import platterlab` gives.

One file per object: `drive.py`, `trace.py`, `experiment.py`, `result.py`; `simulation.py` brings
them together, `commands.py` has what the command line does besides. `tables.py` is Arrow, in and
out.
"""
