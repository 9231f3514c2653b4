//! Links libuir; libkiln, which owns the types of the package, is loaded before this library.

use std::env;

fn main() {
    let link_args = env::var("DEP_UIR_LINK_ARGS").expect("the crate uir says how to link libuir");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
