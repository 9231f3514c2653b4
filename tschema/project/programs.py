"""Lookup of the formatters and their versions.

In: the name of a program.  Out: its path, and text that changes whenever the program does.  The
fast path needs it too, so it does not import slow modules.
"""

from __future__ import annotations

import os
import sys

FORMATTERS = ("clang-format", "ruff", "rustfmt")

_BUNDLED = {"clang-format": "clang_format/data/bin/clang-format"}
"""Programs in a Python package, whose script takes longer to start than the program to run."""


def find_program(name: str) -> str | None:
    """
    Find a program: that of this Python's environment first, so that its version is the pinned one.

    Returns
    -------
    path
        The path of an executable, or None.
    """
    file_name = f"{name}.exe" if os.name == "nt" else name
    bundled = _BUNDLED.get(name)
    if bundled:
        for folder in sys.path:
            path = os.path.join(folder, f"{bundled}.exe" if os.name == "nt" else bundled)
            if _is_program(path):
                return path
    for folder in _folders():
        path = os.path.join(folder, file_name)
        if _is_program(path):
            return path
    return None


def identify_program(name: str) -> str:
    """
    Tell a version of a program from any other, without running it.

    Returns
    -------
    identity
        Its path with what changes when the file does; for a program of `rustup`, of every
        toolchain that it may choose.
    """
    path = find_program(name)
    if path is None:
        return f"{name}: missing"
    paths = [path, *(_toolchains(name) if name == "rustfmt" else ())]
    return "\n".join(f"{name}: {found} {file_stamp(found)}" for found in paths)


def file_stamp(path: str) -> str:
    """Return text that changes whenever a file does: its change time cannot be set back."""
    try:
        stat = os.stat(path)
    except OSError:
        return "missing"
    return f"{stat.st_dev} {stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def _folders() -> list[str]:
    """Return where programs are looked for: this environment, the search path, and Cargo's."""
    scripts = os.path.join(sys.prefix, "Scripts" if os.name == "nt" else "bin")
    search = os.environ.get("PATH", os.defpath).split(os.pathsep)
    cargo = os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")
    return [os.path.dirname(sys.executable), scripts, *search, os.path.join(cargo, "bin")]


def _is_program(path: str) -> bool:
    return os.access(path, os.X_OK) and os.path.isfile(path)


def _toolchains(name: str) -> list[str]:
    """Return the program in every toolchain of rustup, and what chooses between them."""
    home = os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")
    try:
        chains = sorted(os.listdir(os.path.join(home, "toolchains")))
    except OSError:
        return []
    programs = [os.path.join(home, "toolchains", chain, "bin", name) for chain in chains]
    return [os.path.join(home, "settings.toml"), *programs]
