//! Any bytes as blktrace events are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Blktrace);
