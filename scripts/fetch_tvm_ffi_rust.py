"""Fetch the Rust crates of tvm-ffi, of the very version that is installed.

In: the installed version of `apache-tvm-ffi`. Out: its crates, unpacked from the source
distribution on PyPI into the folder that Cargo.toml names. That version is not in the crate
registry. Does nothing if the folder holds it already.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

DISTRIBUTION = "apache-tvm-ffi"
RELEASE = "0.1.15"
"""What `rust/tschema` compiles with; C++ and Python work with older ones too."""


def main() -> None:
    """Bring `build/tvm-ffi-rust` (or the folder given as argument) up to date."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/tvm-ffi-rust")
    wanted = version(DISTRIBUTION)
    marker = target / ".version"
    if marker.is_file() and marker.read_text() == wanted:
        return
    if not wanted.startswith(f"{RELEASE}."):
        sys.exit(
            f"Rust needs {DISTRIBUTION} {RELEASE}, and {wanted} is installed: install that one, or "
            "build without Rust: `cmake --build build`"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        crates = _unpack_crates(_download(wanted, Path(scratch)), Path(scratch))
        (crates / ".version").write_text(wanted)
        shutil.rmtree(target, ignore_errors=True)
        crates.rename(target)


def _download(wanted: str, folder: Path) -> Path:
    requirement = f"{DISTRIBUTION}=={wanted}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*pip, "--no-binary", DISTRIBUTION, "--dest", str(folder), requirement], check=True
    )
    return next(folder.glob("*.tar.gz"))


def _unpack_crates(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as sdist:
        top = Path(sdist.getnames()[0]).parts[0]
        crates = [member for member in sdist if member.name.startswith(f"{top}/rust/")]
        # Python 3.11.2, which Debian 12 has, knows no filters yet.
        sdist.extraction_filter = getattr(tarfile, "data_filter", None)
        sdist.extractall(folder, members=crates)
    return folder / top / "rust"


if __name__ == "__main__":
    main()
