//! Any bytes as DiskSim's `validate` are records or an error.

#![no_main]

platterlab_fuzz::read_as!(DisksimValidate);
