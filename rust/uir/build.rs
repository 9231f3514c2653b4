//! Links libuir into the programs of this package, and passes its link arguments to dependent
//! crates.
//!
//! A program or `cdylib` that uses this crate repeats the arguments from its own build script:
//! `for arg in env::var("DEP_UIR_LINK_ARGS")?.split(';') { println!("cargo::rustc-link-arg={arg}") }`.

use std::env;

fn main() {
    let runtime_args =
        env::var("DEP_TSCHEMA_LINK_ARGS").expect("the crate tschema links libtschema");
    let link_args = format!("{runtime_args};-luir");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::metadata=LINK_ARGS={link_args}");
    println!("cargo::rerun-if-changed=rust/uir/build.rs");
}
