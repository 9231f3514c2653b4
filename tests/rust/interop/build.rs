//! Links what the crate uir links: libraries say so only to crates that depend on them directly.
//! Writes calls of the operators of relay from their declarations.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let link_args = env::var("DEP_UIR_LINK_ARGS").expect("the crate uir says how to link libuir");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    write_operator_calls();
}

fn write_operator_calls() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    for source in ["generated/schema.json", "tests/operators"] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    let path = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("operator_calls.rs");
    let status = Command::new("python3")
        .args(["-B", "-m", "tests.operators", "rust"])
        .arg(path)
        .current_dir(root)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "`python3 -m tests.operators` failed"
    );
}
