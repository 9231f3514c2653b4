//! Compiles the network to a library, and tells Cargo where it and libtvm_ffi are.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let folder = env::var("OUT_DIR").expect("Cargo sets it");
    let library = format!("{folder}/libnetwork.so");
    // The program: beside this file in a project of yours, in the recipe `network` here.
    let program = ["network.py", "../network/network.py"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .expect("`network.py` is there");
    output_of("python3", &[program, &library]);
    let tvm_ffi = output_of("tvm-ffi-config", &["--libdir"]);
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=dylib=network");
    // Where the program finds them when it runs; `$ORIGIN` is the folder of one that you install.
    for place in [&folder, tvm_ffi.trim(), "$ORIGIN"] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{place}");
    }
    println!("cargo::rerun-if-changed={program}");
    println!("cargo::rerun-if-changed=build.rs");
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("`{program}` does not start: {error}"));
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "`{program}` failed:\n{errors}");
    String::from_utf8(done.stdout).expect("a path in UTF-8")
}
