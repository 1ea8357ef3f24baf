//! Any bytes as a log of fio are records or an error.

#![no_main]

platterlab_fuzz::read_as!(FioLog);
