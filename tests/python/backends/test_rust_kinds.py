"""Every field type, emitted as Rust: formatted, without warnings, and right at its limits.

The schema beside this file is emitted as C++ and Rust; the C++ is compiled as the owner of the
types, and a Rust test constructs, reads and calls through it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tschema.backends import load_backend
from tschema.config import Config, load_config
from tschema.driver import build_schema
from tschema.render import Renderer

ROOT = Path(__file__).resolve().parents[3]
KINDS = Path(__file__).parent / "rust_kinds"
LIBRARIES = ROOT / "build" / "lib"
MANIFEST = f"""
[package]
name = "kinds"
version = "0.1.0"
edition = "2021"

[lib]
path = "generated/rust/mod.rs"
doctest = false

[[test]]
name = "limits"
path = "{KINDS / "limits.rs"}"

[dependencies]
tschema = {{ path = "{ROOT / "rust" / "tschema"}" }}
tvm-ffi = {{ path = "{ROOT / "build" / "tvm-ffi-rust" / "tvm-ffi"}" }}
"""
BUILD_SCRIPT = """
fn main() {
    let tschema = std::env::var("DEP_TSCHEMA_LINK_ARGS").unwrap();
    let kinds = concat!(
        "-L", env!("CARGO_MANIFEST_DIR"), ";-Wl,-rpath,", env!("CARGO_MANIFEST_DIR"), ";-lkinds"
    );
    for arg in tschema.split(';').chain(kinds.split(';')) {
        println!("cargo::rustc-link-arg={arg}");
    }
}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Emit the schema as C++ and Rust into a crate of its own."""
    folder = tmp_path_factory.mktemp("kinds")
    config = load_config(KINDS / "tschema.toml")
    write_all(folder, config)
    (folder / "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "build.rs").write_text(BUILD_SCRIPT, encoding="utf-8")
    return folder


def write_all(folder: Path, config: Config) -> None:
    schema, _ = build_schema(config)
    for language, target in config.targets().items():
        for file in load_backend(language)(schema, target, Renderer()):
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")


@pytest.fixture(scope="module")
def owner(project: Path) -> Path:
    """Compile the library that owns the types."""
    library = project / "libkinds.so"
    sources = sorted((project / "generated" / "cpp" / "src").rglob("*.cc"))
    includes = [ROOT / "cpp" / "include", project / "generated" / "cpp" / "include"]
    flags = run("tvm-ffi-config", "--cxxflags", folder=project).split()
    run(
        "c++", "-std=c++17", "-shared", "-fPIC", "-O0", *flags,
        *(f"-I{folder}" for folder in includes), *map(str, sources), str(KINDS / "bodies.cc"),
        f"-L{LIBRARIES}", "-ltschema", f"-Wl,-rpath,{LIBRARIES}", "-o", str(library),
        folder=project,
    )  # fmt: skip
    return library


def run(*command: str, folder: Path, extra: Mapping[str, str] | None = None) -> str:
    environment = {**os.environ, **(extra or {})}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def cargo(*arguments: str, folder: Path) -> str:
    target = str(ROOT / "build" / "cargo" / "kinds")
    return run(
        "cargo", *arguments, folder=folder,
        extra={"CARGO_TARGET_DIR": target, "RUST_TEST_THREADS": "1", "CARGO_NET_OFFLINE": "true"},
    )  # fmt: skip


def test_rustfmt_leaves_emitted_text_alone(project: Path) -> None:
    config = str(ROOT / "rustfmt.toml")
    run("rustfmt", "--check", "--config-path", config, "generated/rust/mod.rs", folder=project)


def test_clippy_has_nothing_to_say(project: Path) -> None:
    cargo("clippy", "--quiet", "--lib", "--", "--deny", "warnings", folder=project)


@pytest.mark.usefixtures("owner")
def test_values_at_their_limits_pass_through_the_owner(project: Path) -> None:
    printed = cargo("test", "--quiet", "--test", "limits", folder=project)
    assert "5 passed" in printed
