//! Any bytes as fio's iolog, version 2, are records or an error.

#![no_main]

platterlab_fuzz::read_as!(FioIologV2);
