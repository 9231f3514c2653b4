//! Links libuir into the programs of this package, and passes its link arguments to dependent
//! crates.
//!
//! The library is that of `UIR_LIB_DIR`, or lies beside libtschema as in the checkout's `build/lib`.
//! A program or `cdylib` that uses this crate repeats the arguments from its own build script:
//! `for arg in env::var("DEP_UIR_LINK_ARGS")?.split(';') { println!("cargo::rustc-link-arg={arg}") }`.

use std::env;

fn main() {
    let runtime_args =
        env::var("DEP_TSCHEMA_LINK_ARGS").expect("the crate tschema links libtschema");
    let own_args = match env::var("UIR_LIB_DIR") {
        Ok(dir) => format!("-L{dir};-Wl,-rpath,{dir};-luir"),
        Err(_) => "-luir".to_owned(),
    };
    let link_args = format!("{runtime_args};{own_args}");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::metadata=LINK_ARGS={link_args}");
    println!("cargo::rerun-if-changed=rust/uir/build.rs");
    println!("cargo::rerun-if-env-changed=UIR_LIB_DIR");
}
