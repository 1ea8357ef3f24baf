//! The drive library: every profile that comes with the program.

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
    library_file!("hitachi-320g-disk5", "profiles/hitachi/320g-disk5.toml"),
    library_file!("hitachi-7k1000c", "profiles/hitachi/7k1000c.toml"),
    library_file!("hp-97560", "profiles/hp/97560.toml"),
    library_file!("hp-c2200a", "profiles/hp/c2200a.toml"),
    library_file!("ibm-9zx", "profiles/ibm/9zx.toml"),
    library_file!("ibm-dtta", "profiles/ibm/dtta.toml"),
    library_file!("ibm-ultrastar-xp", "profiles/ibm/ultrastar-xp.toml"),
    library_file!("micropolis-3391ss", "profiles/micropolis/3391ss.toml"),
    library_file!("mock", "profiles/mock/mock.toml"),
    library_file!("quantum-fireball", "profiles/quantum/fireball.toml"),
    library_file!("samsung-120g-disk1", "profiles/samsung/120g-disk1.toml"),
    library_file!("samsung-300g-disk2", "profiles/samsung/300g-disk2.toml"),
    library_file!("samsung-hd103sj", "profiles/samsung/hd103sj.toml"),
    library_file!("seagate-320g-disk4", "profiles/seagate/320g-disk4.toml"),
    library_file!("seagate-barracuda-st15150w", "profiles/seagate/barracuda-st15150w.toml"),
    library_file!("seagate-hawk", "profiles/seagate/hawk.toml"),
    library_file!("toshiba-dt01aca300", "profiles/toshiba/dt01aca300.toml"),
    library_file!("toshiba-hdwe150", "profiles/toshiba/hdwe150.toml"),
    library_file!("western-digital-320g-disk3", "profiles/western-digital/320g-disk3.toml"),
];
