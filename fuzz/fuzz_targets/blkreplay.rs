//! Any bytes as a blkreplay load are records or an error.

#![no_main]

platterlab_fuzz::read_as!(Blkreplay);
