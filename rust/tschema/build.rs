//! Finds libtschema and libtvm_ffi, and passes their link arguments to dependent crates.
//!
//! The libraries are those of `TSCHEMA_LIB_DIR`, or of the checkout's `build/lib`. They are linked
//! even if none of their symbols is used, because loading them registers the types.

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
    match env::var_os("TSCHEMA_LIB_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => checkout().join("build/lib"),
    }
}

fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("this crate is `rust/tschema` of the checkout")
}

fn tvm_ffi_library_dir() -> String {
    let output = Command::new("tvm-ffi-config")
        .arg("--libdir")
        .output()
        .expect("`tvm-ffi-config` of apache-tvm-ffi is on PATH");
    String::from_utf8(output.stdout)
        .expect("a path in UTF-8")
        .trim()
        .to_owned()
}
