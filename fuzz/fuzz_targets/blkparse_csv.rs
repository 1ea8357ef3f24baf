//! Any bytes as a CSV of requests are records or an error.

#![no_main]

platterlab_fuzz::read_as!(BlkparseCsv);
