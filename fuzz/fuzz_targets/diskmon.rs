//! Any bytes as DiskMon's list are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Diskmon);
