//! Any bytes as an SPC trace are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Spc);
