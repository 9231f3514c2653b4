"""TVM's registry, from `pip install` to code that is used on TVM's own objects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
ENVIRONMENT = ROOT / "build" / "tvm-with-ours"
PACKAGES = ("apache-tvm==0.27.0.post1", "apache-tvm-ffi==0.1.15.post2", "numpy", "ml-dtypes")
KEYS = ("ir", "prim", "tirx", "target")

USE = """
import ctypes, json, sys, types, warnings
from pathlib import Path

import tvm_ffi

generated, libraries = sys.argv[1:]
for name in ("libtvm_runtime.so", "libtvm_runtime_extra.so", "libtvm_compiler.so"):
    library = ctypes.CDLL(str(Path(libraries) / name), ctypes.RTLD_GLOBAL)
sys.path.insert(0, generated)
# TVM's own library registers the types, in the place of one that is compiled from the C++.
loader = types.ModuleType("tvm_nodes._lib")
loader.LIB = library
sys.modules["tvm_nodes._lib"] = loader
warnings.simplefilter("ignore")
from tvm_nodes import ir, prim, tirx

call = tvm_ffi.get_global_func
int32 = call("ir.PrimType")(tvm_ffi.dtype("int32"))
x = call("ir.Var")("x", int32, None)
total = call("prim.Add")(x, x, None)
attrs = call("ffi.MakeObjectFromPackedArgs")("ir.DictAttrs", "__dict__", {"a": 1})
both = prim.And.__mro__[1] is ir.Expr
print(json.dumps({
    "classes": [type(one).__module__ + "." + type(one).__name__ for one in (int32, x, total)],
    "dtype": str(int32.dtype),
    "name": x.name,
    "same": total.a.same_as(x) and total.b.same_as(x),
    "type": str(total.ty.dtype),
    "span": total.span,
    "attrs": dict(attrs.dict_),
    "parent": both,
}))
"""

BESIDE = """
import importlib, pickle, sys, warnings

warnings.simplefilter("ignore")
sys.path.append(sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)

from uir import ir, relay

program = relay.Tuple([relay.const([1, 2])])
assert ir.structural_equal(ir.load_json(ir.save_json(program)), program)
assert ir.structural_equal(pickle.loads(pickle.dumps(program)), program)

import tvm
import tvm_ffi

int32 = tvm_ffi.get_global_func("ir.PrimType")(tvm_ffi.dtype("int32"))
x = tvm_ffi.get_global_func("ir.Var")("x", int32, None)
total = tvm_ffi.get_global_func("prim.Add")(x, x, None)
assert ir.structural_equal(total, total)
"""


def run(*command: object, cwd: Path | None = None) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.deep
def test_most_layouts_of_tvm_are_exact() -> None:
    lines = run(sys.executable, ROOT / "tests" / "bench" / "adopt.py").splitlines()
    measured = [json.loads(line) for line in lines if line.startswith("{")]
    figures = {one["name"]: one for one in measured}
    assert figures["types"] == {"name": "types", "registered": 552, "fields": 1052}
    # Of some classes the registry has no size, and the place of a child's first member proves it.
    assert 372 <= figures["exact"]["with_size"] <= figures["exact"]["value"]
    assert figures["seconds"]["processor"] <= 3
    rest = [one for one in measured if one["name"] == "reason"]
    assert sum(one["count"] for one in rest) == figures["declared"]["opaque"]


@pytest.fixture(scope="module")
def tvm_python() -> Path:
    """Return the interpreter of an environment that has TVM, and our release of tvm-ffi."""
    python = ENVIRONMENT / "bin" / "python"
    done = ENVIRONMENT / "installed"
    if not done.exists() or done.read_text() != "\n".join(PACKAGES):
        run(sys.executable, "-m", "venv", ENVIRONMENT)
        # TVM asks for another release, with which it was built.
        run(python, "-m", "pip", "install", "--quiet", "--no-deps", *PACKAGES, "typing-extensions")
        done.write_text("\n".join(PACKAGES))
    return python


@pytest.mark.deep
def test_generated_python_is_used_on_objects_of_tvm(tvm_python: Path, tmp_path: Path) -> None:
    keys = [argument for key in KEYS for argument in ("--key", key)]
    tschema = (sys.executable, "-m", "tschema")
    run(*tschema, "import", "--registry", "tvm", "--python", tvm_python, *keys, cwd=tmp_path)
    with (tmp_path / "tschema.toml").open("a") as config:
        config.write('\n[python]\ndir = "generated"\n')
    run(*tschema, "gen", cwd=tmp_path)
    site = next(ENVIRONMENT.glob("lib/python3*/site-packages"))
    found = json.loads(run(sys.executable, "-c", USE, tmp_path / "generated", site / "tvm" / "lib"))
    assert found == {
        "classes": ["ir.PrimType", "ir.Var", "prim.Add"],
        "dtype": "int32",
        "name": "x",
        "same": True,
        "type": "int32",
        "span": None,
        "attrs": {"a": 1},
        "parent": True,
    }


@pytest.mark.deep
@pytest.mark.parametrize("names", ["uir tvm", "tvm uir"])
def test_tvm_is_imported_before_and_after_uir(tvm_python: Path, names: str) -> None:
    """TVM registers functions for tensors without asking whether another library has done so."""
    site = next(ENVIRONMENT.glob("lib/python3*/site-packages"))
    run(sys.executable, "-c", BESIDE, site, *names.split())
