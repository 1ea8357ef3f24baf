//! Any bytes as a trace of Tencent are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Tencent);
