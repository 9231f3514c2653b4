"""A package of every field type, built for a group of releases of tvm-ffi and tried.

In: a group, and the libtschema of that group. Out: the package in `build/ffi-range/toy`, with its
library in `build/lib/<group>`. Fields whose `Optional` has another layout in 0.1.12 are left out
there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from scripts.ffi_releases import FOLDER, NEWEST, ROOT, environment_of, run
from tschema.ffi_groups import FFI_GROUPS, ffi_group
from tschema.runtime.build_info import BUILD_INFO_NAME

from .libraries import library_folder

__all__ = ["WITH_TVM", "build_toy", "is_refused", "passes", "passes_beside_tvm"]

OLDEST = "ffi-0.1.12"
TVM = "apache-tvm==0.27.0.post1"
WITH_TVM = ("0.1.14.post0", "0.1.14.post1")
"""The releases of tvm-ffi that this TVM works with."""
TOY = "toy_nodes.every_type"
SETTINGS = """package = "toy"
schema = ["schema"]

[cpp]
include = "include"
source = "source"
tvm_ffi = "{range}"

[python]
dir = "python"
"""

IMPORT = """
import sys
sys.path.insert(0, "python")
try:
    from toy_nodes import every_type
except ImportError as error:
    print(error)
"""
LOAD = """
import ctypes
import tvm_ffi
try:
    ctypes.CDLL("other/{library}", ctypes.RTLD_GLOBAL)
except OSError as error:
    print(error)
"""
"""A user's own way, of which the package's loader knows nothing."""


def build_toy(group: str) -> None:
    """Build the package's library for a group, with libtschema beside it, where it is not current.

    Parameters
    ----------
    group
        The group: `ffi-0.1.13`.
    """
    project = _project(group)
    folder = project / "build/lib" / group
    library = folder / "libtoy.so"
    runtime = library_folder(group) / "libtschema.so"
    _generate(group)
    headers = (project / "include", project / "source", ROOT / "cpp/include")
    if library.exists() and _latest(library) > max(map(_latest, (runtime, *headers))):
        return
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(runtime, folder)
    joined = folder / "toy.cc"
    joined.write_text(_inclusions((project / "source").rglob("*.cc")))
    release = NEWEST[group]
    compiler = os.environ.get("CXX", "g++")
    flags = run(release, sys.executable, "-m", "tvm_ffi.config", "--cxxflags").split()
    flags += ["-std=c++17", "-O0", "-fPIC", f"-I{project / 'include'}", f"-I{ROOT / 'cpp/include'}"]
    links = (f"-L{folder}", "-ltschema", f"-L{FOLDER / 'site' / release / 'tvm_ffi/lib'}")
    links += ("-ltvm_ffi", "-Wl,-rpath,$ORIGIN")
    run(release, compiler, "-shared", *flags, joined, *links, "-o", library)
    record = {"version": 1, "tvm_ffi": release, "sources": None}
    (folder / BUILD_INFO_NAME).write_text(json.dumps(record))


def passes(release: str) -> bool:
    """Run `checks.py` with a release, which prints the outcome; return whether all pass."""
    project = _project(ffi_group(release))
    command: list[str | Path] = [sys.executable, Path(__file__).with_name("checks.py"), project]
    done = subprocess.run(command, env=environment_of(release), check=False)
    if done.returncode not in (0, 1):
        print(f"{release}: exit status {done.returncode}")
    return done.returncode == 0


def is_refused(group: str, release: str) -> bool:
    """Try a group's libraries with a release of another one, which must not end the process.

    Parameters
    ----------
    group
        The group of the libraries.
    release
        The release.

    Returns
    -------
    is_refused
        Whether the import is an ImportError that names releases of both, and so is the import of
        the package that was built for the release after a library of the group.
    """
    said = {
        "with a record": _said_by_import(group, release, has_record=True),
        "without a record": _said_by_import(group, release, has_record=False),
        "libtschema first": _said_after(group, release, "libtschema.so"),
        "libtoy first": _said_after(group, release, "libtoy.so"),
    }
    for how, message in said.items():
        # A library that the system itself refuses does no harm to those that come later.
        is_harmless = "first" in how and re.fullmatch(".*: undefined symbol: .*", message)
        is_named = _names(message, group) and _names(message, ffi_group(release))
        if not (is_harmless or is_named):
            print(f"{release} does not refuse the libraries of {group}, {how}: {message}")
            return False
    print(f"{release}: the libraries of {group} are refused")
    return True


def _said_by_import(group: str, release: str, *, has_record: bool) -> str:
    """Import the package with the libraries of another group."""
    folder = _copy_package(group)
    if not has_record:
        (folder / "build/lib" / BUILD_INFO_NAME).unlink()
    return _said(release, folder, IMPORT)


def _said_after(group: str, release: str, library: str) -> str:
    """Import the package that was built for a release after a library of another group."""
    folder = _copy_package(ffi_group(release))
    shutil.copytree(_project(group) / "build/lib" / group, folder / "other")
    return _said(release, folder, LOAD.format(library=library) + IMPORT)


def _copy_package(group: str) -> Path:
    """Copy the package with the libraries of a group, as another build system leaves them."""
    folder = FOLDER / "refusal"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_project(group) / "python", folder / "python")
    shutil.copytree(_project(group) / "build/lib" / group, folder / "build/lib")
    return folder


def _said(release: str, folder: Path, program: str) -> str:
    command = [sys.executable, "-c", program]
    environment = environment_of(release)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else f"{done.returncode} {done.stderr}"


def _names(message: str, group: str) -> bool:
    """Tell whether a message names a release of a group."""
    return any(release in message for release in FFI_GROUPS[group])


def passes_beside_tvm(release: str) -> bool:
    """Try modules of TVM, which is downloaded, and the package in one process; print the outcome.

    Parameters
    ----------
    release
        A release that TVM works with.

    Returns
    -------
    passes
        Whether all checks pass, in both orders of the imports, beside uir as well.
    """
    site = FOLDER / "tvm"
    if not (site / "tvm").is_dir():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, "--no-deps", "--target", site, TVM], check=True)
    environment = environment_of(release)
    environment["PYTHONPATH"] += f"{os.pathsep}{site}"
    program = Path(__file__).with_name("beside_tvm.py")
    folder = _project(ffi_group(release))
    orders = (("tvm", TOY), (TOY, "tvm"), ("uir", "tvm", TOY), ("tvm", "uir", TOY))
    ended = [
        subprocess.run([sys.executable, program, folder, *order], env=environment, check=False)
        for order in orders
    ]
    return all(one.returncode == 0 for one in ended)


def _project(group: str) -> Path:
    return FOLDER / ("toy-0.1.12" if group == OLDEST else "toy")


def _generate(group: str) -> None:
    """Generate the package, with the fields that the group has."""
    project = _project(group)
    schema = project / "schema"
    schema.mkdir(parents=True, exist_ok=True)
    text = Path(__file__).with_name("every_type.py").read_text()
    if group == OLDEST:
        text = re.sub(r"^    [kv]: (ty\.Optional\[Kind\]|str \|).*\n", "", text, flags=re.M)
        doc = r"^    [kv]\n        (A kind|One of two) or nothing\.\n"
        text = re.sub(doc, "", text, flags=re.M)
    (schema / "every_type.py").write_text(text)
    shutil.copy2(Path(__file__).with_name("bindings.py"), schema)
    oldest = ">=0.1.12" if group == OLDEST else ">=0.1.13"
    (project / "tschema.toml").write_text(SETTINGS.format(range=oldest))
    run(NEWEST[group], sys.executable, "-m", "tschema", "gen", cwd=project)


def _inclusions(sources: Iterable[Path]) -> str:
    return "".join(f'#include "{source}"\n' for source in sorted(sources))


def _latest(path: Path) -> float:
    """Return when a file, or the last file of a folder, was written."""
    files = [path] if path.is_file() else path.rglob("*.*")
    return max(file.stat().st_mtime for file in files)
