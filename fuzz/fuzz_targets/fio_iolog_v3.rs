//! Any bytes as fio's iolog, version 3, are records or an error.

#![no_main]

platterlab_fuzz::read_as!(FioIologV3);
