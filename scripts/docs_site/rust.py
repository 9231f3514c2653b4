"""The documentation of the Rust crates, by rustdoc, and the page that leads to it.

In: the crates of the workspace.  Out: Markdown, and the pages of rustdoc in a folder of the site.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .addresses import ROOT
from .cells import cell

__all__ = ["CRATES", "RUSTDOC", "rust_page", "write_rustdoc"]

CRATES = {
    "uir": "the compiler core: nodes, passes, and what builds and runs programs",
    "tschema": "the object runtime: equality, files, traversal, containers",
}
RUSTDOC = "reference/rust"
"""The folder of rustdoc's pages on the site, below which each crate has one."""

_MODULE = re.compile(r"^/// (.+)\npub mod (\w+) \{", re.MULTILINE)


def rust_page() -> str:
    """Return the page of the crates and of the modules of `uir`."""
    modules = _MODULE.findall((ROOT / "rust/uir/src/lib.rs").read_text())
    rows = [
        *((name, f"{name}/index.html", meaning) for name, meaning in CRATES.items()),
        *((f"uir::{name}", f"uir/{name}/index.html", meaning) for meaning, name in modules),
    ]
    # MkDocs checks links of Markdown before these pages are there.
    table = "".join(
        f'| <a href="rust/{page}"><code>{name}</code></a> | {cell(meaning).rstrip(".")} |\n'
        for name, page, meaning in rows
    )
    head = "# Rust\n\nLook up a type or a function of the Rust crates, in pages of rustdoc.\n\n"
    return f"{head}| crate or module | holds |\n|---|---|\n{table}"


def write_rustdoc(site: Path) -> None:
    """Write the pages of the crates into the site.

    Raises
    ------
    RuntimeError
        If rustdoc fails, as for a link in a comment that leads nowhere.
    """
    options = [option for crate in CRATES for option in ("--package", crate)]
    environment = {**os.environ, "RUSTDOCFLAGS": "--deny warnings"}
    if shutil.which("tvm-ffi-config") is None:  # The build script of tvm-ffi calls it.
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["cargo", "doc", "--no-deps", "--quiet", "--locked", *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    shutil.copytree(ROOT / "build/cargo/doc", site / RUSTDOC, dirs_exist_ok=True)
