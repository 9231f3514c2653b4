//! Finds libtschema and libtvm_ffi, and passes their link arguments to dependent crates.
//!
//! libtschema is that of `TSCHEMA_LIB_DIR`; else that of the wheel or the checkout that this crate is a
//! part of; else, as for a crate of a registry, that of the `tschema` on `PATH`. The libraries are
//! linked even if none of their symbols is used, because loading them registers the types.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let library_dir = library_dir();
    println!("cargo::rustc-link-search=native={}", library_dir.display());
    let link_args = [
        format!("-Wl,-rpath,{}", library_dir.display()),
        format!("-Wl,-rpath,{}", tvm_ffi_library_dir()),
        "-Wl,--no-as-needed".to_owned(),
        "-ltschema".to_owned(),
    ]
    .join(";");
    for arg in link_args.split(';') {
        println!("cargo::rustc-link-arg={arg}");
    }
    println!("cargo::metadata=LINK_ARGS={link_args}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TSCHEMA_LIB_DIR");
    println!("cargo::rerun-if-env-changed=PATH");
}

fn library_dir() -> PathBuf {
    if let Some(dir) = env::var_os("TSCHEMA_LIB_DIR") {
        return PathBuf::from(dir);
    }
    // `tschema/rust/tschema` of a wheel, `rust/tschema` of a checkout.
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    // A wheel for several groups of releases of tvm-ffi has a folder for each; Rust needs 0.1.15.
    let folders =
        around.map(|root| ["lib", "lib/ffi-0.1.15", "build/lib"].map(|one| root.join(one)));
    let found = folders
        .into_iter()
        .flatten()
        .find(|folder| holds_library(folder));
    found.unwrap_or_else(library_dir_on_path)
}

fn holds_library(folder: &Path) -> bool {
    ["libtschema.so", "libtschema.dylib"]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// The folder that `tschema link-args` names.
fn library_dir_on_path() -> PathBuf {
    output_of("tschema", "link-args")
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("-L"))
        .map(PathBuf::from)
        .find(|folder| holds_library(folder))
        .expect("no built libtschema: run `make` in the checkout, or set TSCHEMA_LIB_DIR")
}

fn tvm_ffi_library_dir() -> String {
    output_of("tvm-ffi-config", "--libdir").trim().to_owned()
}

fn output_of(program: &str, argument: &str) -> String {
    let output = Command::new(program)
        .arg(argument)
        .output()
        .unwrap_or_else(|error| {
            panic!("`{program}` of its Python package is not on PATH: {error}")
        });
    assert!(output.status.success(), "`{program} {argument}` failed");
    String::from_utf8(output.stdout).expect("a path in UTF-8")
}
