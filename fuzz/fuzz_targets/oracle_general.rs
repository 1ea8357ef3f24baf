//! Any bytes as an oracleGeneral trace are records or an error.

#![no_main]

platterlab_fuzz::read_as!(OracleGeneral);
