//! Any bytes as a trace of Alibaba are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Alibaba);
