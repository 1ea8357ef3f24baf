//! Any bytes as xperf's text are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Etw);
