"""Build the object runtime and a package of every field type for releases of tvm-ffi, and try them.

In: releases of `apache-tvm-ffi`, by default the newest of each group, or `all`. Each group's
libraries are built once, with its first release given, and tried with each of its releases by
`tests/ffi_range/checks.py`; the libraries of every other group must be refused. Out: a line for
each trial, and the exit status 1 after a failure. All files are in `build/ffi-range`.

The libtschema of the installed release is that of the checkout: run `make libtschema` first. Fields
whose `Optional` has another layout in 0.1.12 are left out there.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from tschema.ffi_groups import ffi_group
from tschema.runtime.build_info import BUILD_INFO_NAME

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/ffi-range"
NEWEST = ("0.1.12", "0.1.14.post1", "0.1.15.post2")
ALL = ("0.1.12", "0.1.13.post3", "0.1.14.post0", "0.1.14.post1", "0.1.15.post1", "0.1.15.post2")
SETTINGS = """package = "toy"
schema = ["schema"]

[cpp]
include = "include"
source = "source"
tvm_ffi = "{range}"

[python]
dir = "python"
"""

REFUSED = """
import sys
sys.path.insert(0, "python")
try:
    from toy_nodes import every_type
except ImportError as error:
    print(error)
"""


def main() -> None:
    """Build, and try the releases given."""
    given = tuple(sys.argv[1:]) or NEWEST
    releases = ALL if given == ("all",) else given
    groups: dict[str, str] = {}
    for release in releases:
        _install(release)
        groups.setdefault(ffi_group(release), release)
    for group, release in groups.items():
        _build(group, release)
    passed = [_passes(release) for release in releases]
    passed += [_is_refused(built, release) for built, release in _pairs(groups)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time")
    sys.exit(0 if all(passed) else 1)


def _install(release: str) -> None:
    if (FOLDER / "site" / release / "tvm_ffi").is_dir():
        return
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    site = FOLDER / "site" / release
    subprocess.run([*pip, "--no-deps", "--target", site, f"apache-tvm-ffi=={release}"], check=True)


def _environment(release: str) -> dict[str, str]:
    """Return variables of an environment whose Python has a release of tvm-ffi."""
    tools = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": str(FOLDER / "site" / release), "PATH": tools}


def _run(release: str, *command: object, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=_environment(release), capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"with apache-tvm-ffi {release}:\n{done.stdout}{done.stderr}")
    return done.stdout


def _build_runtime(group: str, release: str) -> Path:
    """Build libtschema for a group; the checkout has that of the installed release."""
    if group == ffi_group(version("apache-tvm-ffi")):
        return ROOT / "build/lib/libtschema.so"
    build = FOLDER / group
    flags = "-DCMAKE_CXX_FLAGS_RELEASE=-O0"
    python = f"-DPython_EXECUTABLE={sys.executable}"
    options = ("-G", "Ninja", "-DTSCHEMA_BUILD_TESTS=OFF", "--log-level=WARNING", flags, python)
    _run(release, "cmake", "-S", ROOT, "-B", build, *options)
    _run(release, "cmake", "--build", build, "--target", "tschema")
    return build / "lib/libtschema.so"


def _build(group: str, release: str) -> None:
    """Build the package into the group's folder, with libtschema beside it."""
    library = _build_runtime(group, release)
    project = _generate(group)
    folder = project / "build/lib" / group
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(library, folder)
    compiler = os.environ.get("CXX", "g++")
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "").split()
    headers = _run(release, sys.executable, "-m", "tvm_ffi.config", "--cxxflags").split()
    libraries = FOLDER / "site" / release / "tvm_ffi/lib"
    objects = []
    for source in sorted((project / "source").rglob("*.cc")):
        objects.append(folder / f"{source.stem}.o")
        includes = (f"-I{project / 'include'}", f"-I{ROOT / 'cpp/include'}", *headers)
        compile = (*launcher, compiler, "-std=c++17", "-O0", "-fPIC", *includes)
        _run(release, *compile, "-c", source, "-o", objects[-1])
    links = (f"-L{folder}", "-ltschema", f"-L{libraries}", "-ltvm_ffi", "-Wl,-rpath,$ORIGIN")
    _run(release, compiler, "-shared", *objects, *links, "-o", folder / "libtoy.so")
    record = {"version": 1, "tvm_ffi": release, "sources": None}
    (folder / BUILD_INFO_NAME).write_text(json.dumps(record))


def _project(group: str) -> Path:
    return FOLDER / ("toy-0.1.12" if group == "ffi-0.1.12" else "toy")


def _generate(group: str) -> Path:
    """Generate the package, with the fields that the group has."""
    project = _project(group)
    schema = project / "schema"
    schema.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "tests/schema/pass/every_type.py").read_text()
    oldest = ">=0.1.12" if group == "ffi-0.1.12" else ">=0.1.13"
    if group == "ffi-0.1.12":
        text = re.sub(r"^    [kv]: (ty\.Optional\[Kind\]|Union\[str).*\n", "", text, flags=re.M)
        text = re.sub(
            r"^    [kv]\n        (A kind|One of two) or nothing\.\n", "", text, flags=re.M
        )
    (schema / "every_type.py").write_text(text)
    shutil.copy2(ROOT / "tests/ffi_range/bindings.py", schema)
    (project / "tschema.toml").write_text(SETTINGS.format(range=oldest))
    _run(NEWEST[-1], sys.executable, "-m", "tschema", "gen", cwd=project)
    return project


def _passes(release: str) -> bool:
    """Run the checks with a release, and print their outcome."""
    project = _project(ffi_group(release))
    checks = ROOT / "tests/ffi_range/checks.py"
    done = subprocess.run([sys.executable, checks, project], env=_environment(release), check=False)
    if done.returncode not in (0, 1):
        print(f"{release}: exit status {done.returncode}")
    return done.returncode == 0


def _pairs(groups: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (built, release) for built in groups for group, release in groups.items() if group != built
    ]


def _is_refused(built: str, release: str) -> bool:
    """Try a group's libraries with a release of another one, with and without their record."""
    project = _project(built)
    for has_record in (True, False):
        folder = FOLDER / "refusal"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(project / "python", folder / "python")
        shutil.copytree(project / "build/lib" / built, folder / "build/lib")
        if not has_record:
            (folder / "build/lib" / BUILD_INFO_NAME).unlink()
        done = subprocess.run(
            [sys.executable, "-c", REFUSED],
            cwd=folder,
            env=_environment(release),
            capture_output=True,
            text=True,
        )
        said = done.stdout.strip()
        if done.returncode != 0 or "tvm-ffi" not in said:
            what = "with" if has_record else "without"
            print(f"{built} {what} a record on {release}: {done.returncode} {said} {done.stderr}")
            return False
    print(f"{release}: the libraries of {built} are refused")
    return True


if __name__ == "__main__":
    main()
