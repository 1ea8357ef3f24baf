//! Any bytes as a trace of MSR Cambridge are records or an error.

#![no_main]

platterlab_fuzz::read_as!(MsrCambridge);
