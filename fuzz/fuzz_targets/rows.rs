//! Any bytes as our own rows are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Rows);
