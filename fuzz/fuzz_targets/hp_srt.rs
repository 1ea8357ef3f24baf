//! Any bytes as HP Labs SRT are records or an error.

#![no_main]

platterlab_fuzz::read_as!(HpSrt);
