//! The experiments that come with the program, to start from.

/// An experiment that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is called: the file's name without its ending.
    pub name: &'static str,
    /// The file's text; its first line says in a comment what it is.
    pub text: &'static str,
}

macro_rules! example {
    ($name:literal) => {
        Example { name: $name, text: include_str!(concat!("../../../examples/", $name, ".toml")) }
    };
}

/// All of `examples/`, by name.
pub const EXAMPLES: &[Example] =
    &[example!("mixed-streams"), example!("mm1"), example!("raid5-sptf")];
