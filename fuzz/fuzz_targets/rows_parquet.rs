//! Any bytes as Parquet are records or an error.

#![no_main]

platterlab_fuzz::read_as!(RowsParquet);
