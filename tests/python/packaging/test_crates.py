"""`cargo package` accepts the crates; those of tvm-ffi, of no registry, stand beside them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from ..support.project import ROOT

CRATES = {
    "tschema": {"Cargo.toml", "build.rs", "src/lib.rs"},
    "uir": {"Cargo.toml", "generated/rust/mod.rs", "rust/uir/build.rs", "rust/uir/src/lib.rs"},
}


def package(*options: str) -> None:
    """Package both crates, with the tools of this environment."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    tvm_ffi = f'patch.crates-io.tvm-ffi.path="{ROOT / "build/tvm-ffi-rust/tvm-ffi"}"'
    command = ["cargo", "package", "--allow-dirty", "--config", tvm_ffi, *options]
    command += [f"--package={crate}" for crate in CRATES]
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_crates_hold_their_sources_and_no_more(tmp_path: Path) -> None:
    package("--offline", "--no-verify", "--exclude-lockfile", "--target-dir", str(tmp_path))
    for crate, needed in CRATES.items():
        with tarfile.open(tmp_path / f"package/{crate}-0.1.0.crate") as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
            manifest = archive.extractfile(f"{crate}-0.1.0/Cargo.toml")
            assert manifest is not None and b'path = "build' not in manifest.read()
        assert needed <= names
        kinds = {Path(name).suffix for name in names}
        assert kinds <= {".rs", ".toml", ".orig", ".json", ".md", ""}, kinds
        assert not [name for name in names if name.startswith("tests/")]


@pytest.mark.long
@pytest.mark.deep
def test_packaged_crates_compile() -> None:
    """Each is unpacked and compiled; libtschema is found by `tschema link-args`."""
    package()
