"""Releases of tvm-ffi other than the installed one, in folders that environments put first.

In: releases. Out: a folder of `build/ffi-range/site` for each, into which pip downloads it, and the
environment variables by which Python, CMake and pip use that folder. Must not know what is built.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tschema.ffi_groups import ffi_group

__all__ = ["ALL", "FOLDER", "NEWEST", "ROOT", "environment_of", "install", "run"]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/ffi-range"
ALL = ("0.1.12", "0.1.13.post3", "0.1.14.post0", "0.1.14.post1", "0.1.15.post1", "0.1.15.post2")
NEWEST = {ffi_group(release): release for release in ALL}
"""The newest release of each group."""


def install(release: str) -> None:
    """Download a release of tvm-ffi, unless its folder has it.

    Parameters
    ----------
    release
        The release: `0.1.14.post1`.
    """
    folder = _site(release)
    if (folder / "tvm_ffi").is_dir():
        return
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    partial = folder.with_name(f"{release}.partial")
    options = ("--no-deps", "--upgrade", "--target", partial)
    subprocess.run([*pip, *options, f"apache-tvm-ffi=={release}"], check=True)
    partial.rename(folder)


def environment_of(release: str) -> dict[str, str]:
    """Return the variables of an environment whose Python has a release of tvm-ffi.

    Parameters
    ----------
    release
        A release that is installed.

    Returns
    -------
    variables
        Those of this process, and `PYTHONPATH` and `PATH`.
    """
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": str(_site(release)), "PATH": tools}


def run(release: str, *command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command in the environment of a release, and end this process if it fails.

    Parameters
    ----------
    release
        A release that is installed.
    command
        The program and its arguments.
    cwd
        Where it runs.

    Returns
    -------
    printed
        Its standard output.

    Raises
    ------
    SystemExit
        If it fails; the message has all that it printed.
    """
    environment = environment_of(release)
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"with apache-tvm-ffi {release}:\n{done.stdout}{done.stderr}")
    return done.stdout


def _site(release: str) -> Path:
    return FOLDER / "site" / release
