//! Any bytes as biosnoop's table are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Biosnoop);
