//! DiskSim.
