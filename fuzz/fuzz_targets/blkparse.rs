//! Any bytes as blkparse's text are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Blkparse);
