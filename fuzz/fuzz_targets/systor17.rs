//! Any bytes as a trace of SYSTOR '17 are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Systor17);
