//! Runs `tschema gen` when an input of it changed, and tells Cargo what the inputs are.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    let depfile = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("tschema.d");
    let status = Command::new("tschema")
        .args([
            "gen",
            "--lang",
            "rust",
            "--depfile-target",
            "rust",
            "--depfile",
        ])
        .arg(&depfile)
        .status()
        .expect("`tschema` is on PATH");
    assert!(status.success(), "`tschema gen` failed, see above");

    let rule = fs::read_to_string(&depfile).expect("`tschema gen` wrote it");
    // The first line is the target; an input a line follows, as make spells it, up to an empty line.
    for line in rule.lines().skip(1).take_while(|line| !line.is_empty()) {
        let input = line.trim().trim_end_matches(" \\");
        let input = input
            .replace("\\ ", " ")
            .replace("\\#", "#")
            .replace("$$", "$");
        println!("cargo::rerun-if-changed={input}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
