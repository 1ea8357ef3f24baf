//! Any bytes as DiskSim's `ascii` are records or an error.

#![no_main]

platterlab_fuzz::read_as!(DisksimAscii);
