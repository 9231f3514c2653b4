"""Code for several instruction sets in one library, chosen when it is loaded."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import uir
from uir import script, tir, transform
from uir.driver import compile_c, find_compiler
from uir.ir import IRModule, with_attr
from uir.runtime import Module, export_library, load_module
from uir.target import Target, emit_c

from ...support.process import run_python

PORTABLE = Target("c", "x86-64")
ISAS = ["generic", "x86-64-v3", "x86-64-v4"]
FEATURES = [
    {"fpu"},
    {"avx2", "bmi1", "bmi2", "fma"},
    {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
]
PROGRAM = """
@uir.script.ir_module
class Module:
    @relay.function
    def layer(x: relay.Tensor((n, 40), "float32"), w: relay.Tensor((40, 33), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.tanh(x @ w + 1.0), relay.sum(x, axis=[1])

    @tir.prim_func
    def rows(A: tir.Buffer((n, 48), "float32"), B: tir.Buffer((n, 48), "int32")):
        n = tir.SizeVar("n", "int32")
        for i in tir.parallel(n):
            for j in range(48):
                B[i, j] = tir.int32(A[i, j] * 8.0) // 3 + tir.min(j, i)

    @tir.prim_func
    def counted(A: tir.Buffer((1,), "int64")):
        Module.inner(A.data)
        tir.ret(A[0] + 1)

    @tir.prim_func
    def version():
        tir.ret(-1)

    @tir.prim_func(private=True)
    def inner(A: tir.Buffer((1,), "int64")):
        A[0] = A[0] % 7 - 8
"""
CALLS = """
import sys
import numpy as np
import tvm_ffi
library = tvm_ffi.load_module(sys.argv[1])
x, w = (np.load(f"{sys.argv[2]}/{name}.npy") for name in "xw")
layer, sums = map(np.from_dlpack, library.layer(x, w))
rows = np.empty((70, 48), "int32")
library.rows(np.ascontiguousarray(np.tile(x, 2)[:, :48]), rows)
assert "uir" not in sys.modules
np.savez(sys.argv[3], layer=layer, sums=sums, rows=rows)
print(library.version(), library.counted(np.array([-6])))
"""


@transform.prim_func_pass(opt_level=0, name="TellVersion")
def tell_version(
    func: tir.PrimFunc, module: IRModule, context: transform.PassContext
) -> tir.PrimFunc:
    """Make `version` return the place of its instruction set in `ISAS`."""
    if "version" not in (func.get_attr("global_symbol"), func.get_attr("version_of")):
        return func
    number = ISAS.index(func.get_attr("isa"))
    return func.with_body(tir.Evaluate(tir.ret(tir.const(number, "int64"))))


def pipeline() -> list[transform.Pass]:
    passes = transform.default_pipeline(PORTABLE)
    at = [made.pass_info.name for made in passes].index("MultiversionFunctions") + 1
    return [*passes[:at], tell_version, *passes[at:]]


def newest() -> int:
    """The place in `ISAS` of the newest instruction set of this processor."""
    flags = set(re.findall(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[0].split())
    missing = [i for i, features in enumerate(FEATURES) if not features <= flags]
    return min([*missing, len(ISAS)]) - 1


@pytest.fixture(scope="module")
def built() -> Module:
    return uir.build(script.parse(PROGRAM), PORTABLE, pipeline())


@pytest.fixture(scope="module")
def library(built: Module, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("versions") / "lib.so"
    export_library(built, path)
    draws = np.random.default_rng(3)
    np.save(path.with_name("x.npy"), draws.standard_normal((70, 40), "float32"))
    np.save(path.with_name("w.npy"), draws.standard_normal((40, 33), "float32"))
    return path


@pytest.mark.parametrize("isa", ISAS)
def test_each_version_runs(isa: str, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`UIR_ISA` makes the library take the processor for an older one."""
    monkeypatch.setenv("UIR_ISA", isa)
    results = library.with_name(f"{isa}.npz")
    version, counted = run_python(CALLS, library, library.parent, results).split()
    assert (int(version), int(counted)) == (min(ISAS.index(isa), newest()), -6)
    x, w = (np.load(library.with_name(f"{name}.npy")) for name in "xw")
    found = np.load(results)
    np.testing.assert_allclose(found["layer"], np.tanh(x @ w + 1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found["sums"], x.sum(1), rtol=1e-4, atol=1e-5)
    i, j = np.indices((70, 48))
    shown = np.trunc(np.tile(x, 2)[:, :48] * 8).astype("int32")
    np.testing.assert_array_equal(found["rows"], shown // 3 + np.minimum(i, j))


def test_the_newest_version_is_the_default(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UIR_ISA", raising=False)
    assert load_module(library).version() == newest()


def test_a_library_of_zig_chooses_the_same(
    built: Module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its compiler reads other pragmas, and its library knows few features of processors."""
    for name in ("UIR_ISA", "UIR_CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("UIR_CC", " ".join(find_compiler()))
    module = compile_c(built.inspect_source(), ["-march=x86-64"])
    assert (module.version(), module.counted(np.array([-6]))) == (newest(), -6)


def test_a_wrong_variable_is_an_error(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_ISA", "avx")
    message = "`generic`, `x86-64-v3` or `x86-64-v4`, got `avx`"
    with pytest.raises(AssertionError, match=f"counted: the environment variable .*{message}"):
        run_python("import sys, tvm_ffi\ntvm_ffi.load_module(sys.argv[1]).counted(1)", library)


def test_the_text_has_a_part_for_each_version(built: Module) -> None:
    text = built.inspect_source()
    parts = re.findall(r"^// The functions for (.*)\.$", text, re.M)
    assert parts == ["`x86-64-v4`", "`x86-64-v3`", "all processors"]
    assert text.count("ENTRY __tvm_ffi_version(") == 1
    assert text.count("static int32_t fail(") == 1
    assert [
        len(re.findall(rf"^static int32_t inner{end}_\(", text, re.M)) for end in ("", "_v4")
    ] == [1, 1]
    # Each version has vectors of its own width, and its arithmetic.
    for end, lanes in (("_v4", 16), ("_v3", 8), ("_generic", 4)):
        assert f"store_float32x{lanes}{end}(" in text
    assert "store_float32x16_v3" not in text


SCALAR = """
@tir.prim_func
def main(n: tir.int64):
    tir.ret(n + 1)
"""


def test_missing_instructions_are_an_error() -> None:
    """Instructions of processors of 2011, which no later ones have."""
    assert " fma4 " not in Path("/proc/cpuinfo").read_text()
    module = uir.lower(script.parse_function(SCALAR))
    built = compile_c(emit_c(module, Target()), ["-mfma4"])
    with pytest.raises(RuntimeError, match=r"^main: .* for processors with FMA4, which this one"):
        built.main(1)
    assert compile_c(emit_c(module, Target()), ["-march=native"]).main(1) == 2


def test_private_functions_without_versions_are_shared() -> None:
    module = uir.lower(script.parse(PROGRAM), PORTABLE, pipeline())
    inner = module.get_global_var("inner")
    shared = uir.ir.with_function(module, inner, with_attr(module.lookup("inner"), "isa", None))
    text = emit_c(shared, PORTABLE)
    assert text.index("static int32_t inner_(") < text.index("// The functions for `x86-64-v4`")
    assert compile_c(text).counted(np.array([-6])) == -6
