/// A profile that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryFile {
    /// The file's `id`.
    pub id: &'static str,
    /// The file's path from the top of the source tree.
    pub path: &'static str,
    /// The file's text.
    pub text: &'static str,
}

macro_rules! library_file {
    ($id:literal, $path:literal) => {
        LibraryFile { id: $id, path: $path, text: include_str!(concat!("../../../", $path)) }
    };
}

/// All profiles of the library, by id.
pub const LIBRARY: &[LibraryFile] = &[
    library_file!("dec-rz26", "profiles/dec/rz26.toml"),
    library_file!("hp-97560", "profiles/hp/97560.toml"),
    library_file!("hp-c2200a", "profiles/hp/c2200a.toml"),
    library_file!("ibm-9zx", "profiles/ibm/9zx.toml"),
    library_file!("ibm-dtta", "profiles/ibm/dtta.toml"),
    library_file!("ibm-ultrastar-xp", "profiles/ibm/ultrastar-xp.toml"),
    library_file!("micropolis-3391ss", "profiles/micropolis/3391ss.toml"),
    library_file!("mock", "profiles/mock/mock.toml"),
    library_file!("quantum-fireball", "profiles/quantum/fireball.toml"),
    library_file!("seagate-barracuda-st15150w", "profiles/seagate/barracuda-st15150w.toml"),
    library_file!("seagate-hawk", "profiles/seagate/hawk.toml"),
];
