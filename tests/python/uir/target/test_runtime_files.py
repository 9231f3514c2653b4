"""The files of the emitted runtime, compiled alone and run under sanitizers.

The folder `runtime` has programs that include them.
"""

from __future__ import annotations

import os
import platform
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from tvm_ffi import libinfo

from uir import ir
from uir.target import Target, emit_c

from ...support.project import ROOT

RUNTIME = ROOT / "cpp" / "src" / "uir" / "target" / "runtime"
PROGRAMS = Path(__file__).parent / "runtime"
FILES = ["entry", "workspace", "output", "object", "packed", "cores", "pool", "profile", "isa"]
EMBED = runpy.run_path(str(ROOT / "scripts" / "embed_runtime.py"))
HELPERS = {
    helper.key: helper
    for name in [*FILES, "scalar", "vector"]
    for helper in EMBED["helpers"]((RUNTIME / f"{name}.c").read_text())
}

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-psabi"]

INTEGERS = "int8 int16 int32 int64"
NARROW = "int8 int16 int32"
FLOATS = "float32 float64"
INTEGER_VECTORS = "int8x16 int8x32 int16x8 int32x16 int64x4"
FLOAT_VECTORS = "float32x4 float32x8 float32x16 float32x32 float64x2 float64x8"
PADDED = "float32x3 int32x3"
BOOLS = "boolx3 boolx8"
NUMBERS = f"{INTEGER_VECTORS} {FLOAT_VECTORS} {PADDED}"

# The data types of which the programs use each family.
SCALARS = {
    **dict.fromkeys(["min", "max"], f"{INTEGERS} {FLOATS}"),
    **dict.fromkeys(["truncdiv", "truncmod", "floordiv", "floormod"], INTEGERS),
    **dict.fromkeys(["truncdiv_lane", "truncmod_lane", "floordiv_lane", "floormod_lane"], NARROW),
    **dict.fromkeys(["floordiv.float", "floormod.float", "multiply_add"], FLOATS),
    **dict.fromkeys(["rsqrt", "exp10", "sigmoid"], FLOATS),
    **dict.fromkeys(["abs", "pow", "popcount", "clz", "from_float", "reinterpret"], INTEGERS),
    **dict.fromkeys(["widen", "narrow"], "bfloat16"),
    "dot4": "int32",
}
MOVES = ["store", "gather", "scatter", "gather_masked", "scatter_masked"]
VECTORS = {
    "load": f"{INTEGER_VECTORS} {FLOAT_VECTORS}",
    "keep": "float32x8 int32x16",
    "load.padded": PADDED,
    **dict.fromkeys(MOVES, NUMBERS),
    "strided": f"{INTEGER_VECTORS} {FLOAT_VECTORS}",
    **{f"{key}.bool": BOOLS for key in ["load", *MOVES]},
    **dict.fromkeys(["check_lanes", "check_lanes_masked"], f"{NUMBERS} {BOOLS}"),
    **dict.fromkeys(["broadcast", "select"], NUMBERS),
    **dict.fromkeys(["broadcast.half", "widen.vector", "narrow.vector"], "bfloat16x8"),
    **dict.fromkeys(["widen.half", "narrow.half"], "float16x4 float16x8 float16x16"),
    "widen.uint8": "uint8x4 uint8x8 uint8x16",
    "widen.int8": "int8x4 int8x8 int8x16",
    "narrow.byte": "uint8x4 uint8x8 uint8x16 int8x4 int8x8 int8x16",
    "shuffle": "float32x4",
    **dict.fromkeys(["min.vector", "max.vector"], f"{INTEGER_VECTORS} int32x3"),
    **dict.fromkeys(
        ["min.float", "max.float", "multiply_add.vector"], f"{FLOAT_VECTORS} float32x3"
    ),
    "has_zero": f"{INTEGER_VECTORS} int32x3",
    **dict.fromkeys(["from_float.vector", "from_double.vector"], "int32x3 int32x16"),
    "dot4.vector": "int32x3 int32x4 int32x8 int32x16 int32x32",
}

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint32"]
C_TYPES = {
    "bool": "bool",
    "float16": "_Float16",
    "float32": "float",
    "float64": "double",
    "bfloat16": "uint16_t",
}


def flags_of(text: str) -> list[str]:
    """Return the flags that the head of a text names."""
    return re.findall(r"^// Compile it with (.*)\.$", text, re.MULTILINE)[0].split()


FLAGS = flags_of((RUNTIME / "entry.c").read_text())


def filled(text: str, dtype: str) -> str:
    """Return the text of a family for a data type."""
    element, _, count = dtype.partition("x")
    lanes = int(count or 1)
    bits = int(re.sub(r"\D", "", element) or 8)
    c_type = C_TYPES.get(element, f"{element}_t")
    marks = {"S": dtype, "T": c_type, "E": c_type, "U": f"u{c_type}", "B": bits, "L": lanes}
    marks |= {"P": padded(lanes), "M": f"int{bits}x{lanes}", "K": f"int8x{lanes}"}
    marks |= {"I": f"int64x{lanes}", "W": f"float32x{lanes}", "V": f"uint32x{lanes}"}
    marks |= {"X": f"float64x{lanes}", "Y": f"int32x{lanes}"}
    marks |= {"F": "f" if bits == 32 else "", "D": "s" if bits == 32 else "d"}
    marks |= {"N": {8: "b", 16: "w", 32: "d", 64: "q"}[bits]}
    marks |= {"G": {8: "char", 16: "short", 32: "int", 64: "long long"}[bits]}
    return re.sub(r"\$([A-Z])", lambda mark: str(marks[mark[1]]), text)


def padded(lanes: int) -> int:
    """Return the number of lanes with those that are added."""
    return 1 << (lanes - 1).bit_length()


def vector_types() -> Iterator[str]:
    """Declare the vectors of all types and numbers of lanes."""
    halves = ["float16", "bfloat16"]
    for element in [*INTEGERS, "float32", "float64", *halves]:
        for lanes in (2, 3, 4, 8, 16, 32):
            bits = int(re.sub(r"\D", "", element))
            size = padded(lanes) * bits // 8
            c_type = C_TYPES.get(element, f"{element}_t")
            yield f"typedef {c_type} {element}x{lanes} __attribute__((vector_size({size})));\n"


def instances(families: dict[str, str]) -> Iterator[str]:
    """Spell families for their data types, with the helpers and headers that they need."""
    for key, dtypes in families.items():
        needs = HELPERS[key].needs
        yield from (f"#include {name}\n" for name in needs if name.startswith("<"))
        yield from (HELPERS[name].text for name in needs if name == "to_int64")
        yield from (filled(HELPERS[key].text, dtype) for dtype in dtypes.split())


def write_instances(folder: Path, program: str) -> None:
    """Write instances.h for one of the programs on families."""
    if program == "dot4":
        families = SCALARS | VECTORS
        only = ({key: families[key]} for key in ("dot4", "dot4.vector"))
        lines = ["#include <stdint.h>\n", *vector_types(), *chain(*map(instances, only))]
        (folder / "instances.h").write_text("".join(lines))
        return
    lines = ["#include <math.h>\n", HELPERS["likely"].text]
    lines += instances(SCALARS)
    if program == "vector":
        lines += ['#include "uir/target/runtime/entry.c"\n', *vector_types(), *instances(VECTORS)]
    (folder / "instances.h").write_text("".join(dict.fromkeys(lines)))


def compile_c(folder: Path, *words: str | Path) -> None:
    """Call the compiler, with all warnings as errors."""
    includes = [f"-I{folder}", f"-I{PROGRAMS}", f"-I{ROOT / 'cpp' / 'src'}"]
    done = subprocess.run(
        ["cc", *FLAGS, *WARNINGS, *includes, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_all_families_have_instances() -> None:
    families = {key for key, helper in HELPERS.items() if "$S" in helper.text}
    assert families == {*SCALARS, *VECTORS}


def test_all_heads_name_the_same_flags() -> None:
    for path in RUNTIME.glob("*.c"):
        assert flags_of(path.read_text()) == FLAGS
    assert flags_of(emit_c(ir.IRModule({}), Target())) == FLAGS
    docs = (ROOT / "docs" / "compiler" / "target-c.md").read_text()
    command = next(line for line in docs.splitlines() if line.startswith("    cc -std="))
    assert {*FLAGS} <= {*command.split()}


@pytest.mark.parametrize("name", FILES)
def test_each_file_compiles_alone(name: str, tmp_path: Path) -> None:
    compile_c(tmp_path, "-fsyntax-only", RUNTIME / f"{name}.c")


def closure(key: str) -> set[str]:
    """Return a helper with all that it needs: keys and headers."""
    needs = HELPERS[key].needs if key in HELPERS else []
    return {key}.union(*map(closure, needs))


def test_each_helper_names_what_it_needs(tmp_path: Path) -> None:
    names = [key for key, helper in HELPERS.items() if "$S" not in helper.text]
    for key in names:
        needed = closure(key)
        headers = ["<stdbool.h>", "<stddef.h>", "<stdint.h>", *sorted(needed - {*HELPERS})]
        lines = ["#define _GNU_SOURCE 1", "#define SHARED static"]
        lines += [f"#include {name}" for name in headers]
        lines += [helper.text for name, helper in HELPERS.items() if name in needed]
        (tmp_path / f"{key}.c").write_text("\n".join(lines))
    compile_c(tmp_path, "-fsyntax-only", "-Wno-unused-variable", *(f"{key}.c" for key in names))


def test_names_of_the_abi_have_the_values_of_its_headers(tmp_path: Path) -> None:
    text = "".join((RUNTIME / f"{name}.c").read_text() for name in ("entry", "output", "object"))
    names = sorted({*re.findall(r"\b(?:TVMFFI\w+|DL[A-Z]\w+|kDL[CB]\w+)\b", text)})
    defines = (f"#define {name} runtime_{name}\n" for name in names)
    (tmp_path / "renamed.h").write_text("".join(defines))
    (tmp_path / "restored.h").write_text("".join(f"#undef {name}\n" for name in names))
    includes = [f"-isystem{path}" for path in libinfo.include_paths()]
    compile_c(tmp_path, "-fsyntax-only", *includes, PROGRAMS / "abi.c")


@pytest.mark.parametrize("isa", ["x86-64", "x86-64-v3", "x86-64-v4"])
def test_vectors_compile_for_each_instruction_set(isa: str, tmp_path: Path) -> None:
    if platform.machine() != "x86_64":
        isa = "native"
    write_instances(tmp_path, "vector")
    compile_c(tmp_path, f"-march={isa}", "-O1", "-c", PROGRAMS / "vector.c")


@pytest.mark.parametrize(
    ("program", "sanitizers", "options"),
    [
        ("entry", "address,undefined", []),
        ("workspace", "address,undefined", []),
        ("object", "address,undefined", []),
        ("scalar", "undefined,float-cast-overflow", ["-O1"]),
        ("vector", "address,undefined", []),
        ("vector", "address,undefined", ["-march=native", "-O1"]),
        ("dot4", "undefined", []),
        ("dot4", "undefined", ["-march=x86-64-v3", "-O1"]),
        ("dot4", "undefined", ["-march=native", "-O1"]),
        ("pool", "address,undefined", []),
        ("pool", "thread", ["-O1"]),
    ],
)
def test_programs_run_under_sanitizers(
    program: str, sanitizers: str, options: list[str], tmp_path: Path
) -> None:
    write_instances(tmp_path, program)
    ffi = Path(libinfo.find_libtvm_ffi())
    libraries = [f"-L{ffi.parent}", f"-l:{ffi.name}", f"-Wl,-rpath,{ffi.parent}", "-lm"]
    checks = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-g1"]
    source = PROGRAMS / f"{program}.c"
    compile_c(tmp_path, *checks, *options, source, "-o", program, *libraries)
    environment = {**os.environ, "UIR_NUM_THREADS": "3", "TSAN_OPTIONS": "halt_on_error=1"}
    environment.pop("LD_PRELOAD", None)  # It may name the library of another sanitizer.
    done = subprocess.run(
        [str(tmp_path / program)], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.deep
@pytest.mark.parametrize("features", ["", "+dotprod", "+dotprod+i8mm"])
def test_products_of_bytes_run_on_another_processor(features: str, tmp_path: Path) -> None:
    write_instances(tmp_path, "dot4")
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static"]
    options = [*FLAGS, f"-mcpu=generic{features}", "-O1", "-w", f"-I{tmp_path}"]
    program = tmp_path / "dot4"
    subprocess.run([*compiler, *options, PROGRAMS / "dot4.c", "-o", program], check=True)
    done = subprocess.run(["qemu-aarch64", "-cpu", "max", program], capture_output=True, check=True)
    assert done.stdout == b"done\n"


UNIFIED = "0::/jobs/one\n"
SEPARATE = "7:memory:/a\n4:cpuset:/b\n3:cpu,cpuacct:/docker/x\n1:name=s:/\n"

GROUPS: dict[str, tuple[dict[str, str], str]] = {
    "no file": ({}, "all"),
    "no quota": ({"proc/self/cgroup": UNIFIED, "jobs/one/cpu.max": "max 100000\n"}, "all"),
    "a quota in the container": ({"cpu.max": "200000 100000\n"}, "2"),
    "part of a core": ({"cpu.max": "50000 100000\n"}, "1"),
    "rounded up": ({"cpu.max": "250000 100000\n"}, "3"),
    "nonsense": ({"cpu.max": "nonsense\n"}, "all"),
    "a period of 0": ({"cpu.max": "200000 0\n"}, "all"),
    "a group": ({"proc/self/cgroup": UNIFIED, "jobs/one/cpu.max": "300000 100000\n"}, "3"),
    "a group around it": (
        {
            "proc/self/cgroup": UNIFIED,
            "jobs/one/cpu.max": "900000 100000\n",
            "jobs/cpu.max": "400000 200000\n",
        },
        "2",
    ),
    "another group": ({"proc/self/cgroup": UNIFIED, "jobs/two/cpu.max": "1 1\n"}, "all"),
    "version 1": (
        {
            "proc/self/cgroup": SEPARATE,
            "cpu/docker/x/cpu.cfs_quota_us": "500000\n",
            "cpu/docker/x/cpu.cfs_period_us": "100000\n",
        },
        "5",
    ),
    "version 1, group out of sight": (
        {
            "proc/self/cgroup": SEPARATE,
            "cpu/cpu.cfs_quota_us": "150000\n",
            "cpu/cpu.cfs_period_us": "100000\n",
        },
        "2",
    ),
    "version 1, no quota": (
        {
            "proc/self/cgroup": SEPARATE,
            "cpu/docker/x/cpu.cfs_quota_us": "-1\n",
            "cpu/docker/x/cpu.cfs_period_us": "100000\n",
        },
        "all",
    ),
    "another controller": (
        {
            "proc/self/cgroup": "2:cpuset,cpuacct:/docker/x\n",
            "cpu/docker/x/cpu.cfs_quota_us": "100000\n",
            "cpu/docker/x/cpu.cfs_period_us": "100000\n",
        },
        "all",
    ),
    "lines of another form": (
        {"proc/self/cgroup": "\n3\n4:cpu\n" + UNIFIED, "jobs/cpu.max": "6 2\n"}, "3"
    ),
    "a group with a long name": ({"proc/self/cgroup": "0::/" + "x" * 4090, "cpu.max": "9 3"}, "3"),
}  # fmt: skip


@pytest.fixture(scope="module")
def cores_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cores")
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"]
    root = '-DUIR_SYSTEM_ROOT="."'
    compile_c(folder, *checks, root, PROGRAMS / "cores.c", "-o", "cores")
    return folder / "cores"


@pytest.mark.parametrize("name", GROUPS)
def test_control_groups_limit_the_cores(name: str, cores_program: Path, tmp_path: Path) -> None:
    files, expected = GROUPS[name]
    for path, text in files.items():
        place = tmp_path / (path if path.startswith("proc") else f"sys/fs/cgroup/{path}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    # Of two processors, those of one.
    one = min(os.sched_getaffinity(0))
    for allowed in (os.sched_getaffinity(0), {one}):
        done = subprocess.run(
            [cores_program],
            cwd=tmp_path,
            preexec_fn=lambda allowed=allowed: os.sched_setaffinity(0, allowed),
            capture_output=True,
            text=True,
            check=True,
        )
        granted, cores = done.stdout.split()
        assert granted == expected
        limit = len(allowed) if granted == "all" else min(len(allowed), int(granted))
        assert int(cores) == limit
