//! Links libtschema; libdepot, which owns the types, is loaded before this library.

use std::env;

fn main() {
    let link_args = env::var("DEP_TSCHEMA_LINK_ARGS").expect("tschema says how to link it");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
