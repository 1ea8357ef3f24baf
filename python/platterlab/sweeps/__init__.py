"""Sweeps: an experiment at many points of its keys, on the processors here or on a cluster.

`plan.py` is the file and the points that it makes, `task.py` one point as a text that any machine
can run, `folder.py` what is kept of it, `local.py` and `cluster.py` the engines, `sweep.py` brings
them together, `effects.py` reads the finished table.
"""
