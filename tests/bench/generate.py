"""The generator on 100 to 5000 types: three languages, formatted, whole processes.

What is measured is an installed tschema: as pip does for what it installs, the byte code of the
checkout is compiled first, which the environment may keep Python from doing by itself.

Prints, in milliseconds, `gen.noop.N` against the check of tvm-ffi-stubgen on a library of as many
types, `gen.edit.N` (one class changed) against our own cold run, `gen.cold.N` (no outputs and no
cache) against `flatc` with C++, Python and Rust, which formats nothing; and `gen.scaling`: the time
for one type at the greatest number over that at 500.  The sides take turns; the figures are
medians, those of `gen.scaling` the best of three turns, as a cold run of thousands of types meets
whatever else the machine does.  Numbers of types may be given as arguments.  A peer that is not
installed is named, and its figures are left out.
"""

from __future__ import annotations

import compileall
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import tvm_ffi.libinfo
from many_types import edit_one_class, write_fbs, write_project
from report import report

import tschema

COUNTS = (100, 500, 1000, 5000)
BASE = 500
"""The number of types that `gen.scaling` compares with."""
HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "build" / "bench" / "generate"
SCRIPTS = Path(sysconfig.get_path("scripts"))
TSCHEMA = [str(SCRIPTS / "tschema"), "gen"]

Measured = dict[str, list[float]]


def main() -> None:
    """Measure every number of types, and print."""
    counts = tuple(map(int, sys.argv[1:])) or COUNTS
    compileall.compile_dir(Path(tschema.__file__).parent, quiet=1)
    flatc = shutil.which("flatc")
    if flatc is None:
        print("flatc is not installed: no gen.cold (apt-get install flatbuffers-compiler)")
    for count in counts:
        measure(count, flatc)
    greatest = max(counts)
    if greatest > BASE and BASE in counts:
        turns = [(cold_per_type(greatest), cold_per_type(BASE)) for _ in range(3)]
        report("gen.scaling", *map(min, zip(*turns, strict=True)), "ms/type")


def measure(count: int, flatc: str | None) -> None:
    """Print the figures of one number of types."""
    project = project_of(count)
    shutil.rmtree(project, ignore_errors=True)
    write_project(project, count)
    write_fbs(project / "many.fbs", count)
    rounds = 9 if count <= 1000 else 3
    stubs, library = stub_peer(count)
    check = [str(SCRIPTS / "tvm-ffi-stubgen"), str(stubs), "--check", "--dlls", str(library)]
    cold = measure_cold(project, flatc, rounds)
    edits = [timed(TSCHEMA, project, prepare=edit(project, turn)) for turn in range(rounds)]
    noop: Measured = {"ours": [], "peer": []}
    for _ in range(2 * rounds):
        noop["ours"].append(timed(TSCHEMA, project))
        noop["peer"].append(timed(check, project))
    own = statistics.median(cold["ours"])
    if flatc:
        report(f"gen.cold.{count}", own, statistics.median(cold["peer"]), "ms")
    report(f"gen.edit.{count}", statistics.median(edits), own, "ms")
    report(f"gen.noop.{count}", *map(statistics.median, (noop["ours"], noop["peer"])), "ms")


def cold_per_type(count: int) -> float:
    """Return the milliseconds that a cold run takes for each type of a measured project."""
    project = project_of(count)
    return timed(TSCHEMA, project, prepare=lambda: forget(project)) / count


def project_of(count: int) -> Path:
    """Return the folder of a project with so many types."""
    return FOLDER / f"types{count}"


def measure_cold(project: Path, flatc: str | None, rounds: int) -> Measured:
    """Time runs that find nothing but the schema."""
    found: Measured = {"ours": [], "peer": []}
    peer = [str(flatc), "--cpp", "--python", "--rust", "-o", "flatc", "many.fbs"]
    for _ in range(rounds):
        found["ours"].append(timed(TSCHEMA, project, prepare=lambda: forget(project)))
        if flatc:
            found["peer"].append(timed(peer, project, prepare=lambda: forget_peer(project)))
    return found


def timed(command: list[str], folder: Path, prepare: Callable[[], object] = lambda: None) -> float:
    """Return the milliseconds that a process takes, which must succeed."""
    prepare()
    # Changes are only trusted once they are older than a tick of the clock.
    time.sleep(0.05)
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start)


def edit(project: Path, turn: int) -> Callable[[], object]:
    """Return what makes an edit of one class."""
    return lambda: edit_one_class(project, turn)


def forget(project: Path) -> None:
    """Remove all that runs leave behind."""
    shutil.rmtree(project / "generated", ignore_errors=True)
    shutil.rmtree(project / ".tschema_cache", ignore_errors=True)


def forget_peer(project: Path) -> None:
    """Remove what the peer leaves behind."""
    shutil.rmtree(project / "flatc", ignore_errors=True)


def stub_peer(count: int) -> tuple[Path, Path]:
    """Return a package of stubs, and the library that it is generated from."""
    folder = FOLDER / f"peer{count}"
    stubs, library = folder / "stubs", folder / "libpeer.so"
    if not library.exists():
        stubs.mkdir(parents=True, exist_ok=True)
        build_peer(library, count)
        subprocess.run(
            [
                *(str(SCRIPTS / "tvm-ffi-stubgen"), str(stubs), "--dlls", str(library)),
                *("--init-pypkg", "many-peer", "--init-lib", "peer", "--init-prefix", "many."),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return stubs, library


def build_peer(library: Path, count: int) -> None:
    """Compile a library that registers as many types."""
    lib_dir = Path(tvm_ffi.libinfo.find_libtvm_ffi()).parent
    subprocess.run(
        [
            *("g++", "-std=c++17", "-O0", "-fPIC", "-shared", f"-DCOUNT={count}"),
            *(f"-I{include}" for include in tvm_ffi.libinfo.include_paths()),
            *(str(HERE / "generate_peer" / "peer.cc"), "-o", str(library)),
            *(f"-L{lib_dir}", "-ltvm_ffi"),
        ],
        check=True,
    )


if __name__ == "__main__":
    main()
