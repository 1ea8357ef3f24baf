//! Tests of the simulator, in one program: computers over storage, subsystems, sessions of audio and video.

mod av;
mod host;
mod subsystem;
