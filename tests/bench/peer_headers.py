"""The C++ of a whole compiler as a peer: headers, sources and the library that was built of them.

PyPI has no source distribution of TVM, and its wheels have the headers of the runtime alone; the
wheel of tilelang carries all of the TVM that it is built on, with the library.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from msgspec import Struct

__all__ = ["PeerHeaders", "peer_headers"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/peer-headers"
WHEEL = "tilelang==0.1.9"
PACKAGES = ("apache-tvm-ffi==0.1.10", "z3-solver==4.15.4.0")
PARTS = ("tilelang/3rdparty/tvm/include/", "tilelang/3rdparty/tvm/src/", "tilelang/lib/")


class PeerHeaders(Struct, frozen=True):
    """What is there of the peer."""

    python: Path
    """The interpreter whose tvm-ffi the library needs."""
    headers: tuple[Path, ...]
    """Folders of headers and sources."""
    library: Path
    search_path: str
    """What `LD_LIBRARY_PATH` has to be, so that the library is loaded."""


def peer_headers() -> PeerHeaders:
    """Return the peer; fetch it the first time."""
    done = FOLDER / "installed"
    wanted = "\n".join((WHEEL, *PACKAGES))
    if not done.exists() or done.read_text() != wanted:
        _fetch()
        done.write_text(wanted)
    site = next((FOLDER / "environment/lib").glob("python3*/site-packages"))
    libraries = (FOLDER / "tilelang/lib", site / "tvm_ffi/lib", site / "z3/lib")
    return PeerHeaders(
        FOLDER / "environment/bin/python",
        tuple(FOLDER / part for part in PARTS[:2]),
        FOLDER / "tilelang/lib/libtvm.so",
        ":".join(map(str, libraries)),
    )


def _fetch() -> None:
    quiet = ("--quiet", "--disable-pip-version-check")
    environment = FOLDER / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = (environment / "bin/python", "-m", "pip")
    wheels = FOLDER / "wheels"
    download = [
        *pip,
        "download",
        *quiet,
        "--no-deps",
        "--only-binary",
        ":all:",
        "-d",
        wheels,
        WHEEL,
    ]
    install = [*pip, "install", *quiet, *PACKAGES]
    for command in (download, install):
        if subprocess.run(command, check=False).returncode != 0:
            raise RuntimeError(f"cannot install {WHEEL} and its tvm-ffi, which needs a network")
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if name.startswith(PARTS)]
        archive.extractall(FOLDER, members)
    wheel.unlink()
