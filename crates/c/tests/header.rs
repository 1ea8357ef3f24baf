//! `platterlab.h` says what the library has.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(home.join("cbindgen.toml")).expect("it is TOML");
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(home.join("src/handle.rs"))
        .with_src(home.join("src/ffi.rs"))
        .generate()
        .expect("it is Rust")
        .write(&mut made);
    let made = String::from_utf8(made).expect("it is text");
    let path = home.join("include/platterlab.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "crates/c/include/platterlab.h is stale: run \
         `UPDATE_HEADER=1 cargo test -p platterlab-c --test header`"
    );
}
