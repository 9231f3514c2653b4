"""Crates of generated Rust, beside the library in C++ that owns their types."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from .precompiled import cxx_flags
from .project import ROOT

LIBRARIES = ROOT / "build" / "lib"
_MANIFEST = """
[package]
name = "generated-{name}"
version = "0.1.0"
edition = "2021"

[lib]
name = "{name}"
path = "generated/rust/mod.rs"
doctest = false

[[test]]
name = "{test.stem}"
path = "{test}"

[dependencies]
tschema = {{ path = "{root}/rust/tschema" }}
tvm-ffi = {{ path = "{root}/build/tvm-ffi-rust/tvm-ffi" }}
"""
_BUILD_SCRIPT = """
fn main() {
    let tschema = std::env::var("DEP_TSCHEMA_LINK_ARGS").unwrap();
    let own = concat!(
        "-L", env!("CARGO_MANIFEST_DIR"), ";-Wl,-rpath,", env!("CARGO_MANIFEST_DIR"), ";-l@name@"
    );
    for arg in tschema.split(';').chain(own.split(';')) {
        println!("cargo::rustc-link-arg={arg}");
    }
}
"""


def write_crate(folder: Path, name: str, test: Path) -> None:
    """
    Write what makes a crate of a folder with generated Rust; `test` is a test of it.

    Cargo mistakes crates of one name for each other, whose folder of results is the same.
    """
    manifest = _MANIFEST.format(name=name, test=test, root=ROOT)
    (folder / "Cargo.toml").write_text(manifest, encoding="utf-8")
    shutil.copyfile(ROOT / "Cargo.lock", folder / "Cargo.lock")
    (folder / "build.rs").write_text(_BUILD_SCRIPT.replace("@name@", name), encoding="utf-8")


def compile_owner(folder: Path, name: str, bodies: Iterable[Path] = ()) -> Path:
    """Compile the library that owns the types; `bodies` are sources that people wrote."""
    library = folder / f"lib{name}.so"
    sources = sorted((folder / "generated" / "cpp" / "src").rglob("*.cc"))
    includes = [ROOT / "cpp" / "include", folder / "generated" / "cpp" / "include"]
    flags = run("tvm-ffi-config", "--cxxflags", folder=folder).split()
    run(
        "c++", "-std=c++17", "-shared", "-fPIC", *cxx_flags(), *flags,
        *(f"-I{include}" for include in includes), *map(str, sources), *map(str, bodies),
        f"-L{LIBRARIES}", "-ltschema", f"-Wl,-rpath,{LIBRARIES}", "-o", str(library),
        folder=folder,
    )  # fmt: skip
    return library


def cargo(*arguments: str, folder: Path) -> str:
    """Run cargo in a crate; return what it printed."""
    target = str(ROOT / "build" / "cargo")
    return run(
        "cargo", *arguments, folder=folder,
        extra={"CARGO_TARGET_DIR": target, "RUST_TEST_THREADS": "1", "CARGO_NET_OFFLINE": "true"},
    )  # fmt: skip


def run(*command: str, folder: Path, extra: Mapping[str, str] | None = None) -> str:
    """Run a command, which has to succeed; return what it printed."""
    environment = {**os.environ, **(extra or {})}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}{done.stderr}"
    return done.stdout
